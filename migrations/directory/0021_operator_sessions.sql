ALTER TABLE `operator_sessions` ADD `browser` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `created_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `last_used_at` integer DEFAULT 0 NOT NULL;