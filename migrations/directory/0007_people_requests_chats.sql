CREATE TABLE `chats` (
	`partner_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`address` text NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `invitations` (
	`employee_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`employee_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `passkeys_by_employee` ON `passkeys` (`employee_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`employee_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`challenge` text NOT NULL,
	`browser` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_id_unique` ON `sessions` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_challenge_unique` ON `sessions` (`challenge`);--> statement-breakpoint
CREATE INDEX `sessions_by_partner` ON `sessions` (`partner_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_employee` ON `sessions` (`employee_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `card_products` ADD `rejection_reason` text;--> statement-breakpoint
ALTER TABLE `ruble_products` ADD `rejection_reason` text;--> statement-breakpoint
ALTER TABLE `employees` ADD `rights` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `employees_by_partner` ON `employees` (`partner_id`,`id`);--> statement-breakpoint
CREATE INDEX `movements_by_link` ON `movements` (`payment_link_id`,`transaction_date`) WHERE payment_link_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_of_partner` ON `subscriptions` (`partner_id`,`environment`,`id`) WHERE partner_id IS NOT NULL;