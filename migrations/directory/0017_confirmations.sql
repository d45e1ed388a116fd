CREATE TABLE `confirmations` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`client_name` text NOT NULL,
	`operation` text NOT NULL,
	`permission` text NOT NULL,
	`request` text NOT NULL,
	`fingerprint` text NOT NULL,
	`preview` text NOT NULL,
	`requested_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decision` text,
	`decided_at` integer,
	`decided_by` text,
	`done_at` integer,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `confirmations_by_fingerprint` ON `confirmations` (`grant_id`,`fingerprint`);--> statement-breakpoint
CREATE INDEX `confirmations_by_partner` ON `confirmations` (`partner_id`,`requested_at`,`id`);--> statement-breakpoint
ALTER TABLE `grants` ADD `confirmations` text DEFAULT '{}' NOT NULL;