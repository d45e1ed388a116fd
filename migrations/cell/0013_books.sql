CREATE TABLE `bank_movements` (
	`order_id` text NOT NULL,
	`name` text NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`terminal` text NOT NULL,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`transaction_date` integer NOT NULL,
	`booked_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `bank_movements_of_partner` ON `bank_movements` (`partner_id`,`environment`,`transaction_date`,`order_id`);--> statement-breakpoint
CREATE TABLE `payouts` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`paid_at` integer NOT NULL,
	`date` text NOT NULL,
	`bank_reference` text NOT NULL,
	`state` text NOT NULL,
	`entered_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`approved_by` text,
	`approved_at` integer,
	`reversed_at` integer,
	`reason` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `payouts_of_partner` ON `payouts` (`partner_id`,`paid_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_once` ON `payouts` (`partner_id`,`currency`,`bank_reference`) WHERE state <> 'reversed';--> statement-breakpoint
CREATE TABLE `statements` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`number` integer NOT NULL,
	`month` text NOT NULL,
	`currency` text NOT NULL,
	`time_zone` text NOT NULL,
	`until` integer NOT NULL,
	`booked_until` integer NOT NULL,
	`opening` integer NOT NULL,
	`payments` integer NOT NULL,
	`refunds` integer NOT NULL,
	`disputes` integer NOT NULL,
	`fees` integer NOT NULL,
	`terms` integer NOT NULL,
	`payouts` integer NOT NULL,
	`closing` integer NOT NULL,
	`lines` integer NOT NULL,
	`closed_at` integer NOT NULL,
	`closed_by` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `statements_once` ON `statements` (`partner_id`,`currency`,`month`);--> statement-breakpoint
CREATE UNIQUE INDEX `statements_numbered` ON `statements` (`partner_id`,`number`);--> statement-breakpoint
CREATE TABLE `terms` (
	`partner_id` text NOT NULL,
	`currency` text NOT NULL,
	`since` integer NOT NULL,
	`basis_points` integer NOT NULL,
	`fixed` integer NOT NULL,
	`holder` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`partner_id`, `currency`, `since`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	`status` text NOT NULL,
	`unpaid` text NOT NULL,
	`client_reference_id` text,
	`payment_link_id` text,
	`subscription_id` text,
	`method` text,
	`method_label` text,
	`email` text,
	`customer_name` text,
	`items` text,
	`units` integer NOT NULL,
	`promotion_code` text,
	`discount` integer NOT NULL,
	`currency` text NOT NULL,
	`charged` integer NOT NULL,
	`refunded` integer NOT NULL,
	`disputed` integer NOT NULL,
	`settlement_currency` text,
	`fee` integer,
	`net` integer,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `orders_of_partner` ON `orders` (`partner_id`,`environment`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_free` ON `orders` (`partner_id`,`environment`,`created_at`) WHERE substr(id, 1, 3) = 'cs_';--> statement-breakpoint
CREATE INDEX `orders_by_reference` ON `orders` (`partner_id`,`client_reference_id`) WHERE client_reference_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_email` ON `orders` (lower(email)) WHERE email IS NOT NULL;--> statement-breakpoint
ALTER TABLE `movements` ADD `available_at` integer;--> statement-breakpoint
ALTER TABLE `movements` ADD `booked_at` integer DEFAULT 0 NOT NULL;