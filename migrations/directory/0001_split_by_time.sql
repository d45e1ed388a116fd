CREATE TABLE `earlier_cells` (
	`partner_id` text NOT NULL,
	`cell` text NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`partner_id`, `cell`),
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `earlier_cells_by_cell` ON `earlier_cells` (`cell`,`partner_id`);