CREATE TABLE `record_counts` (
	`day` integer NOT NULL,
	`partner_id` text NOT NULL,
	`budget` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `partner_id`, `budget`)
) WITHOUT ROWID;
