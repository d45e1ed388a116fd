CREATE TABLE `refused_keys` (
	`day` integer NOT NULL,
	`network` text NOT NULL,
	`hint` text NOT NULL,
	`reason` text NOT NULL,
	`partner_id` text,
	`key_id` text,
	`count` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`day`, `network`, `hint`, `reason`)
) WITHOUT ROWID;
