CREATE TABLE `refills` (
	`kind` text PRIMARY KEY NOT NULL,
	`position` text NOT NULL,
	`done` integer NOT NULL,
	`total` integer NOT NULL,
	`actor` text NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`stopped` integer DEFAULT false NOT NULL
) WITHOUT ROWID;
