CREATE TABLE `change_counts` (
	`subject` text NOT NULL,
	`period` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`subject`, `period`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `change_counts_by_period` ON `change_counts` (`period`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `made_by` text;--> statement-breakpoint
CREATE INDEX `api_keys_by_maker` ON `api_keys` (`made_by`) WHERE made_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE `employees` ADD `made_by` text;--> statement-breakpoint
CREATE INDEX `employees_by_maker` ON `employees` (`made_by`) WHERE made_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `verified_at` integer;