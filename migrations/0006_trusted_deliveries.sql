DROP INDEX `deliveries_due`;--> statement-breakpoint
DROP INDEX `deliveries_by_endpoint`;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `off_schedule` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `waiting` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `resend_from` text;--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`endpoint_id`,`next_attempt_at`) WHERE waiting = 1;--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`next_attempt_at`) WHERE state = 'pending' AND waiting = 0;--> statement-breakpoint
CREATE INDEX `deliveries_by_endpoint` ON `deliveries` (`endpoint_id`,`state`,`created_at`);--> statement-breakpoint
ALTER TABLE `delivery_attempts` ADD `by_hand` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `endpoint_secrets` ADD `previous_valid_until` integer;--> statement-breakpoint
CREATE INDEX `endpoint_secrets_expiring` ON `endpoint_secrets` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `rest_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `suspended_for` text;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `endpoints_troubled` ON `endpoints` (`updated_at`) WHERE status = 'suspended' OR failing_since IS NOT NULL OR rest_until > 0;