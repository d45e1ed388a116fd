CREATE TABLE `notes` (
	`id` text PRIMARY KEY NOT NULL,
	`target` text NOT NULL,
	`text` text NOT NULL,
	`author` text NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notes_by_target` ON `notes` (`target`,`created_at`);