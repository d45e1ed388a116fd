CREATE TABLE `bank_notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`environment` text NOT NULL,
	`terminal` text NOT NULL,
	`order_id` text,
	`status` text NOT NULL,
	`payload` text NOT NULL,
	`problem` text,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `bank_notifications_by_order` ON `bank_notifications` (`order_id`,`received_at`);--> statement-breakpoint
CREATE INDEX `bank_notifications_problems` ON `bank_notifications` (`received_at`) WHERE problem IS NOT NULL;--> statement-breakpoint
CREATE TABLE `bank_payment_items` (
	`bank_payment_id` integer NOT NULL,
	`position` integer NOT NULL,
	`product_id` integer NOT NULL,
	`product_name` text NOT NULL,
	`unit_amount` integer NOT NULL,
	`quantity` integer NOT NULL,
	`amount` integer NOT NULL,
	`vat` text NOT NULL,
	PRIMARY KEY(`bank_payment_id`, `position`),
	FOREIGN KEY (`bank_payment_id`) REFERENCES `bank_payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `bank_payments` (
	`id` integer PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`terminal` text NOT NULL,
	`bank_payment_id` text NOT NULL,
	`external_order_id` text,
	`status` text NOT NULL,
	`amount_kopecks` integer NOT NULL,
	`payment_url` text,
	`sbp_url` text,
	`record_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`paid_at` integer,
	`look_at` integer,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_payments_order_id_unique` ON `bank_payments` (`order_id`);--> statement-breakpoint
CREATE INDEX `bank_payments_to_look_at` ON `bank_payments` (`look_at`) WHERE look_at IS NOT NULL;