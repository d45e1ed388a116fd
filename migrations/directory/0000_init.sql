CREATE TABLE `bank_notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`environment` text NOT NULL,
	`terminal` text NOT NULL,
	`order_id` text,
	`status` text NOT NULL,
	`payload` text NOT NULL,
	`problem` text,
	`received_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `bank_notifications_by_order` ON `bank_notifications` (`order_id`,`received_at`);--> statement-breakpoint
CREATE INDEX `bank_notifications_problems` ON `bank_notifications` (`received_at`) WHERE problem IS NOT NULL;--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`request_id` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`partner_id` text,
	`before` text,
	`after` text
);
--> statement-breakpoint
CREATE INDEX `audit_log_by_time` ON `audit_log` (`at`);--> statement-breakpoint
CREATE INDEX `audit_log_by_target` ON `audit_log` (`target`,`at`);--> statement-breakpoint
CREATE INDEX `audit_log_by_partner` ON `audit_log` (`partner_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_log_by_request` ON `audit_log` (`request_id`);--> statement-breakpoint
CREATE TABLE `card_products` (
	`id` text PRIMARY KEY NOT NULL,
	`processor_product_id` text,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`type` text NOT NULL,
	`currency` text NOT NULL,
	`unit_amount` integer NOT NULL,
	`interval` text,
	`interval_count` integer,
	`payment_method_types` text,
	`moderation` text NOT NULL,
	`rejection_reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `card_products_processor_product_id_unique` ON `card_products` (`processor_product_id`);--> statement-breakpoint
CREATE INDEX `card_products_by_partner` ON `card_products` (`partner_id`,`id`);--> statement-breakpoint
CREATE INDEX `card_products_waiting` ON `card_products` (`updated_at`,`id`) WHERE moderation = 'in_review';--> statement-breakpoint
CREATE TABLE `product_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`rows` integer NOT NULL,
	`prices` text DEFAULT 'minor' NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ruble_products` (
	`id` integer PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`name` text NOT NULL,
	`currency` text NOT NULL,
	`unit_amount` integer NOT NULL,
	`terminal` text,
	`vat` text,
	`receipt_subject` text,
	`receipt_method` text,
	`measurement_unit` text,
	`moderation` text NOT NULL,
	`rejection_reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ruble_products_by_partner` ON `ruble_products` (`partner_id`,`id`);--> statement-breakpoint
CREATE INDEX `ruble_products_waiting` ON `ruble_products` (`updated_at`,`id`) WHERE moderation = 'in_review';--> statement-breakpoint
CREATE TABLE `erasures` (
	`key` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `confirmations` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`client_name` text NOT NULL,
	`operation` text NOT NULL,
	`permission` text NOT NULL,
	`request` text NOT NULL,
	`fingerprint` text NOT NULL,
	`preview` text NOT NULL,
	`requested_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decision` text,
	`decided_at` integer,
	`decided_by` text,
	`begun_at` integer,
	`done_at` integer,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `confirmations_by_fingerprint` ON `confirmations` (`grant_id`,`fingerprint`);--> statement-breakpoint
CREATE INDEX `confirmations_by_partner` ON `confirmations` (`partner_id`,`requested_at`,`id`);--> statement-breakpoint
CREATE TABLE `grants` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`key_id` text NOT NULL,
	`client_name` text NOT NULL,
	`client_id` text NOT NULL,
	`permissions` text NOT NULL,
	`environments` text NOT NULL,
	`confirmations` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	`ended_at` integer,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `grants_by_partner` ON `grants` (`partner_id`,`id`);--> statement-breakpoint
CREATE INDEX `grants_by_client` ON `grants` (`client_id`);--> statement-breakpoint
CREATE TABLE `oauth_entries` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`metadata` text,
	`expires_at` integer,
	`unproven_since` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `oauth_entries_unproven` ON `oauth_entries` (`unproven_since`) WHERE unproven_since IS NOT NULL;--> statement-breakpoint
CREATE TABLE `heartbeats` (
	`name` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `dismissals` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `movements` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text,
	`environment` text NOT NULL,
	`amount` integer NOT NULL,
	`fee` integer,
	`net` integer,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`type` text,
	`transaction_date` integer NOT NULL,
	`description` text,
	`is_subscription` integer NOT NULL,
	`client_reference_id` text,
	`payment_intent_id` text,
	`payment_link_id` text,
	`charged_amount` integer,
	`charged_currency` text,
	`source_id` text,
	`subscription_id` text,
	`recorded_events` text DEFAULT '' NOT NULL,
	`available_at` integer,
	`booked_at` integer DEFAULT 0 NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `movements_by_environment` ON `movements` (`partner_id`,`environment`,`transaction_date`,`id`) WHERE partner_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `movements_by_reference` ON `movements` (`partner_id`,`client_reference_id`,`environment`,`transaction_date`,`id`) WHERE client_reference_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `movements_by_link` ON `movements` (`payment_link_id`,`transaction_date`) WHERE payment_link_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `movements_by_payment` ON `movements` (`payment_intent_id`,`transaction_date`,`id`);--> statement-breakpoint
CREATE INDEX `movements_unattributed` ON `movements` (`transaction_date`) WHERE partner_id IS NULL;--> statement-breakpoint
CREATE TABLE `processor_events` (
	`subject` text NOT NULL,
	`id` text NOT NULL,
	`environment` text NOT NULL,
	`type` text NOT NULL,
	`object_id` text NOT NULL,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`subject`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `refreshes` (
	`subject` text PRIMARY KEY NOT NULL,
	`environment` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`last_error` text,
	`since` integer NOT NULL,
	`failure` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `refreshes_due` ON `refreshes` (`next_attempt_at`) WHERE state = 'due';--> statement-breakpoint
CREATE INDEX `refreshes_parked` ON `refreshes` (`since`) WHERE state = 'parked';--> statement-breakpoint
CREATE INDEX `refreshes_gone` ON `refreshes` (`since`) WHERE state = 'gone';--> statement-breakpoint
CREATE TABLE `notes` (
	`id` text PRIMARY KEY NOT NULL,
	`target` text NOT NULL,
	`text` text NOT NULL,
	`author` text NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notes_by_target` ON `notes` (`target`,`created_at`);--> statement-breakpoint
CREATE TABLE `operator_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`token_digest` text NOT NULL,
	`browser` text DEFAULT '' NOT NULL,
	`created_at` integer DEFAULT 0 NOT NULL,
	`last_used_at` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `operator_sessions_by_end` ON `operator_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `operators` (
	`email` text PRIMARY KEY NOT NULL,
	`roles` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `named_owners` (
	`subject` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `api_key_permissions` (
	`key_hash` text NOT NULL,
	`permission` text NOT NULL,
	PRIMARY KEY(`key_hash`, `permission`),
	FOREIGN KEY (`key_hash`) REFERENCES `api_keys`(`key_hash`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`partner_id` text NOT NULL,
	`employee_id` text,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`hint` text,
	`last_used_at` integer,
	`expires_at` integer,
	`made_by` text,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_id_unique` ON `api_keys` (`id`);--> statement-breakpoint
CREATE INDEX `api_keys_by_partner` ON `api_keys` (`partner_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_by_hint` ON `api_keys` (`hint`,`created_at`);--> statement-breakpoint
CREATE INDEX `api_keys_by_maker` ON `api_keys` (`made_by`) WHERE made_by IS NOT NULL;--> statement-breakpoint
CREATE TABLE `change_counts` (
	`subject` text NOT NULL,
	`period` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`subject`, `period`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `change_counts_by_period` ON `change_counts` (`period`);--> statement-breakpoint
CREATE TABLE `earlier_cells` (
	`partner_id` text NOT NULL,
	`cell` text NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`partner_id`, `cell`),
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `earlier_cells_by_cell` ON `earlier_cells` (`cell`,`partner_id`);--> statement-breakpoint
CREATE TABLE `employees` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`name` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`created_at` integer NOT NULL,
	`rights` text DEFAULT '[]' NOT NULL,
	`made_by` text,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `employees_by_partner` ON `employees` (`partner_id`,`id`);--> statement-breakpoint
CREATE INDEX `employees_by_maker` ON `employees` (`made_by`) WHERE made_by IS NOT NULL;--> statement-breakpoint
CREATE TABLE `invitations` (
	`employee_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`made_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE TABLE `partners` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`cell` text NOT NULL,
	`id_code` text NOT NULL,
	`cancel_permission` text,
	`contact` text,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`expired_checkouts` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `partners_disabled` ON `partners` (`id`) WHERE status = 'disabled';--> statement-breakpoint
CREATE INDEX `partners_moved` ON `partners` (`id_code`,`cell`) WHERE cell <> id_code;--> statement-breakpoint
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
--> statement-breakpoint
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
	`verified_at` integer,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_id_unique` ON `sessions` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_challenge_unique` ON `sessions` (`challenge`);--> statement-breakpoint
CREATE INDEX `sessions_by_partner` ON `sessions` (`partner_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_employee` ON `sessions` (`employee_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `platform_transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`environment` text NOT NULL,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`fee` integer NOT NULL,
	`currency` text NOT NULL,
	`at` integer NOT NULL,
	`available_at` integer NOT NULL,
	`description` text,
	`terminal` text,
	`holder` text,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `platform_transactions_by_time` ON `platform_transactions` (`environment`,`at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `platform_transactions_once` ON `platform_transactions` (`environment`,`terminal`,`description`) WHERE source = 'bank';--> statement-breakpoint
CREATE TABLE `owed_comparisons` (
	`cell` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `reconciliations` (
	`name` text PRIMARY KEY NOT NULL,
	`compared_until` integer NOT NULL,
	`missing_count` integer DEFAULT 0 NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `walks` (
	`name` text PRIMARY KEY NOT NULL,
	`position` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text,
	`environment` text NOT NULL,
	`status` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`cancel_at_period_end` integer NOT NULL,
	`cancel_at` integer,
	`current_period_end` integer,
	`collection_paused` integer DEFAULT false NOT NULL,
	`items` text DEFAULT '[]' NOT NULL,
	`currency` text,
	`amount` integer,
	`interval` text,
	`interval_count` integer,
	`payment_link_id` text,
	`client_reference_id` text,
	`recorded_events` text DEFAULT '' NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `subscriptions_by_reference` ON `subscriptions` (`client_reference_id`) WHERE client_reference_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_of_partner` ON `subscriptions` (`partner_id`,`environment`,`started_at`,`id`) WHERE partner_id IS NOT NULL;