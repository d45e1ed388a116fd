CREATE TABLE `platform_transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`environment` text NOT NULL,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`fee` integer NOT NULL,
	`currency` text NOT NULL,
	`at` integer NOT NULL,
	`available_at` integer NOT NULL,
	`description` text,
	`terminal` text,
	`holder` text,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `platform_transactions_by_time` ON `platform_transactions` (`environment`,`at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `platform_transactions_once` ON `platform_transactions` (`environment`,`terminal`,`description`) WHERE source = 'bank';