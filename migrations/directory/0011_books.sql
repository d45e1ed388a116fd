ALTER TABLE `movements` ADD `available_at` integer;--> statement-breakpoint
ALTER TABLE `movements` ADD `booked_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `partners` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;