CREATE TABLE `daily_endpoints` (
	`day` integer NOT NULL,
	`endpoint_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`deliveries` integer NOT NULL,
	`attempts` integer NOT NULL,
	`delivered` integer NOT NULL,
	`in_second` integer NOT NULL,
	`in_minute` integer NOT NULL,
	`in_hour` integer NOT NULL,
	`given_up` integer NOT NULL,
	PRIMARY KEY(`day`, `endpoint_id`)
) WITHOUT ROWID;
