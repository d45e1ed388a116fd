CREATE TABLE `operator_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`token_digest` text NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `operator_sessions_by_end` ON `operator_sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `oauth_entries` ADD `unproven_since` integer;--> statement-breakpoint
CREATE INDEX `oauth_entries_unproven` ON `oauth_entries` (`unproven_since`) WHERE unproven_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `grants_by_client` ON `grants` (`client_id`);