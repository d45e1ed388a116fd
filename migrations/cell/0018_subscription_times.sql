ALTER TABLE `subscriptions` ADD `started_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `ended_at` integer;