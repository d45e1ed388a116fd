ALTER TABLE `idempotency_records` ADD `failed_attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `idempotency_records` ADD `begun_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `idempotency_records` ADD `clean_up_at` integer;--> statement-breakpoint
CREATE INDEX `idempotency_records_clean_up` ON `idempotency_records` (`clean_up_at`) WHERE clean_up_at IS NOT NULL;--> statement-breakpoint
UPDATE `idempotency_records` SET `begun_at` = `created_at`;
