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
CREATE TABLE `bank_payments` (
	`id` integer PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`terminal` text NOT NULL,
	`bank_payment_id` text NOT NULL,
	`external_order_id` text,
	`status` text NOT NULL,
	`items` text NOT NULL,
	`amount_kopecks` integer NOT NULL,
	`payment_url` text,
	`sbp_url` text,
	`record_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`paid_at` integer,
	`next_poll_at` integer,
	`holder` text,
	`receipts` text,
	`buyer_erased_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_payments_order_id_unique` ON `bank_payments` (`order_id`);--> statement-breakpoint
CREATE INDEX `bank_payments_of_partner` ON `bank_payments` (`partner_id`,`environment`,`created_at`,`order_id`);--> statement-breakpoint
CREATE INDEX `bank_payments_due_poll` ON `bank_payments` (`next_poll_at`) WHERE next_poll_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bank_payments_paid` ON `bank_payments` (`partner_id`,`paid_at`) WHERE paid_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bank_payments_by_bank_id` ON `bank_payments` (`bank_payment_id`);--> statement-breakpoint
CREATE INDEX `bank_payments_by_reference` ON `bank_payments` (`external_order_id`) WHERE external_order_id IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `payouts_waiting` ON `payouts` (`created_at`) WHERE state = 'waiting';--> statement-breakpoint
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
CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`payment_intent_id` text,
	`client_reference_id` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`evidence_due_by` integer,
	`noticed_days` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `disputes_of_partner` ON `disputes` (`partner_id`,`environment`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_by_payment` ON `disputes` (`payment_intent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_due` ON `disputes` (`evidence_due_by`,`id`) WHERE status IN ('needs_response', 'warning_needs_response');--> statement-breakpoint
CREATE TABLE `daily_deliveries` (
	`day` integer NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`events` integer NOT NULL,
	`delivered` integer NOT NULL,
	`given_up` integer NOT NULL,
	`waiting` integer NOT NULL,
	`oldest_waiting` integer,
	PRIMARY KEY(`day`, `partner_id`, `environment`)
) WITHOUT ROWID;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `daily_payments` (
	`day` integer NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`source` text NOT NULL,
	`currency` text NOT NULL,
	`payments` integer NOT NULL,
	`paid` integer NOT NULL,
	`failures` integer NOT NULL,
	`refunds` integer NOT NULL,
	`refunded` integer NOT NULL,
	`disputes` integer NOT NULL,
	`disputed` integer NOT NULL,
	PRIMARY KEY(`day`, `partner_id`, `environment`, `source`, `currency`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `record_counts` (
	`day` integer NOT NULL,
	`partner_id` text NOT NULL,
	`budget` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `partner_id`, `budget`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `idempotency_records` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`generation` text NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`state` text NOT NULL,
	`plan` text NOT NULL,
	`progress` text NOT NULL,
	`attempt` integer NOT NULL,
	`attempt_started_at` integer NOT NULL,
	`request_id` text NOT NULL,
	`owner` text NOT NULL,
	`epoch` integer NOT NULL,
	`result` text,
	`error` text,
	`resumable` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failed_attempts` integer DEFAULT 0 NOT NULL,
	`begun_at` integer DEFAULT 0 NOT NULL,
	`compensate_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`completed_at` integer,
	`holder` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_records_waiting` ON `idempotency_records` (`begun_at`) WHERE state IN ('running', 'awaiting_short_link');--> statement-breakpoint
CREATE INDEX `idempotency_records_by_request` ON `idempotency_records` (`request_id`);--> statement-breakpoint
CREATE INDEX `idempotency_records_compensation` ON `idempotency_records` (`compensate_at`) WHERE compensate_at IS NOT NULL;--> statement-breakpoint
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
CREATE TABLE `link_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_link_id` text NOT NULL,
	`reference` text,
	`receipt` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `link_payments_of_link` ON `link_payments` (`payment_link_id`);--> statement-breakpoint
CREATE TABLE `payment_links` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`source` text NOT NULL,
	`record_id` text,
	`currency` text NOT NULL,
	`mode` text NOT NULL,
	`interval` text,
	`interval_count` integer,
	`url` text NOT NULL,
	`items` text,
	`slug` text,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`disabled_by` text,
	`disabled_reason` text,
	`max_payments` integer,
	`closes_at` integer,
	`closed_at` integer,
	`limits_due` integer,
	`limited_at` integer,
	`holder` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `payment_links_of_partner` ON `payment_links` (partner_id || ' ' || environment,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_links_by_slug` ON `payment_links` (`slug`) WHERE slug IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_links_limits_due` ON `payment_links` (`limits_due`) WHERE limits_due IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_links_disabled` ON `payment_links` (`disabled_at`) WHERE disabled_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_links_sampled` ON `payment_links` (`environment`,`created_at`) WHERE substr(id, -1) = 'a';--> statement-breakpoint
CREATE INDEX `payment_links_of_products` ON `payment_links` (`partner_id`,`created_at`,`id`) WHERE environment = 'live' AND source <> 'cart';--> statement-breakpoint
CREATE TABLE `arrivals` (
	`partner_id` text PRIMARY KEY NOT NULL,
	`from_cell` text NOT NULL,
	`splits` integer DEFAULT false NOT NULL,
	`phase` text NOT NULL,
	`epoch` integer NOT NULL,
	`kind` integer NOT NULL,
	`position` text NOT NULL,
	`copied` integer NOT NULL,
	`differing` integer NOT NULL,
	`writing` integer NOT NULL,
	`problem` text,
	`began_at` integer NOT NULL,
	`phase_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `departure_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`partner_id` text NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `departure_changes_of_partner` ON `departure_changes` (`partner_id`,`seq`);--> statement-breakpoint
CREATE TABLE `departures` (
	`partner_id` text PRIMARY KEY NOT NULL,
	`to_cell` text NOT NULL,
	`phase` text NOT NULL,
	`epoch` integer NOT NULL,
	`phase_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
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
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	`refunded_at` integer,
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
	`promotion_code_id` text,
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
CREATE INDEX `orders_by_subscription` ON `orders` (`subscription_id`,`created_at`) WHERE subscription_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_promotion_code` ON `orders` (`promotion_code_id`) WHERE promotion_code_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`partner_id`,lower(customer_name)) WHERE customer_name IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_email` ON `orders` (lower(email)) WHERE email IS NOT NULL;--> statement-breakpoint
CREATE TABLE `promotion_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`coupon_id` text NOT NULL,
	`code` text NOT NULL,
	`product_ids` text NOT NULL,
	`percent_off` integer NOT NULL,
	`duration` text NOT NULL,
	`duration_in_months` integer,
	`max_redemptions` integer,
	`expires_at` integer,
	`source` text NOT NULL,
	`record_id` text,
	`created_at` integer NOT NULL,
	`deactivated_at` integer,
	`deactivated_reason` text,
	`holder` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `promotion_codes_of_partner` ON `promotion_codes` (`partner_id`,`environment`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `promotion_codes_active_code` ON `promotion_codes` (`environment`,`code`) WHERE deactivated_at IS NULL;--> statement-breakpoint
CREATE INDEX `promotion_codes_by_coupon` ON `promotion_codes` (`coupon_id`);--> statement-breakpoint
CREATE INDEX `promotion_codes_by_text` ON `promotion_codes` (`code`,`created_at`);--> statement-breakpoint
CREATE TABLE `refused_requests` (
	`partner_id` text NOT NULL,
	`at` integer NOT NULL,
	`id` text NOT NULL,
	`operation` text NOT NULL,
	`code` text NOT NULL,
	`message` text NOT NULL,
	`field` text,
	`body` text NOT NULL,
	PRIMARY KEY(`partner_id`, `at`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `refused_requests_by_id` ON `refused_requests` (`id`);--> statement-breakpoint
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
CREATE INDEX `subscriptions_of_partner` ON `subscriptions` (`partner_id`,`environment`,`started_at`,`id`) WHERE partner_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`event_id` text NOT NULL,
	`number` integer NOT NULL,
	`at` integer NOT NULL,
	`status` integer,
	`duration_ms` integer NOT NULL,
	`error_class` text,
	`manual` integer DEFAULT false NOT NULL,
	`excerpt` text,
	PRIMARY KEY(`event_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `endpoint_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`encrypted` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`previous_valid_until` integer,
	FOREIGN KEY (`endpoint_id`) REFERENCES `endpoints`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `endpoint_secrets_current` ON `endpoint_secrets` (`endpoint_id`) WHERE expires_at IS NULL;--> statement-breakpoint
CREATE INDEX `endpoint_secrets_by_endpoint` ON `endpoint_secrets` (`endpoint_id`);--> statement-breakpoint
CREATE INDEX `endpoint_secrets_expiring` ON `endpoint_secrets` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`code` text DEFAULT '' NOT NULL,
	`name` text,
	`kinds` text,
	`channel` text,
	`url` text NOT NULL,
	`status` text NOT NULL,
	`failing_since` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`cooldown_until` integer DEFAULT 0 NOT NULL,
	`suspended_at` integer,
	`suspension_reason` text,
	`suspension_note` text,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`restarted_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `endpoints_of_partner` ON `endpoints` (`partner_id`,`environment`,`code`);--> statement-breakpoint
CREATE INDEX `endpoints_unhealthy` ON `endpoints` (`updated_at`,`id`) WHERE status = 'suspended' OR failing_since IS NOT NULL OR cooldown_until > 0;--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`cause` text NOT NULL,
	`partner_id` text NOT NULL,
	`environment` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`name` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`unscheduled_attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`waiting` integer DEFAULT false NOT NULL,
	`claimed_at` integer,
	`state_before_resend` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `events_by_endpoint` ON `events` (`endpoint_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `events_pending` ON `events` (`endpoint_id`,`waiting`,`next_attempt_at`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `events_sending` ON `events` (`endpoint_id`,`claimed_at`) WHERE state = 'sending';--> statement-breakpoint
CREATE INDEX `events_exhausted` ON `events` (`endpoint_id`,`created_at`,`id`) WHERE state = 'exhausted';--> statement-breakpoint
CREATE INDEX `events_suspended` ON `events` (`endpoint_id`,`created_at`,`id`) WHERE state = 'suspended';--> statement-breakpoint
CREATE INDEX `events_free_checkouts` ON `events` (payload ->> '$.checkout.client_reference_id') WHERE name = 'Processor.checkout.completed';