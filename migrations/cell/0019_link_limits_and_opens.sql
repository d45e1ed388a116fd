CREATE TABLE `link_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_link_id` text NOT NULL,
	`reference` text,
	`receipt` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `link_payments_of_link` ON `link_payments` (`payment_link_id`);--> statement-breakpoint
CREATE TABLE `link_opens` (
	`payment_link_id` text NOT NULL,
	`day` text NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`opens` integer NOT NULL,
	PRIMARY KEY(`payment_link_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `link_opens_of_partner` ON `link_opens` (`partner_id`,`day`);--> statement-breakpoint
ALTER TABLE `payment_links` ADD `max_payments` integer;--> statement-breakpoint
ALTER TABLE `payment_links` ADD `closes_at` integer;--> statement-breakpoint
ALTER TABLE `payment_links` ADD `closed_at` integer;--> statement-breakpoint
ALTER TABLE `payment_links` ADD `limits_due` integer;--> statement-breakpoint
ALTER TABLE `payment_links` ADD `limited_at` integer;--> statement-breakpoint
CREATE INDEX `payment_links_limits_due` ON `payment_links` (`limits_due`) WHERE limits_due IS NOT NULL;