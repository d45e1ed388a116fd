ALTER TABLE `subscriptions` ADD `collection_paused` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `items` text;