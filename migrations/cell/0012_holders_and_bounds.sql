ALTER TABLE `bank_payments` ADD `holder` text;--> statement-breakpoint
ALTER TABLE `idempotency_records` ADD `holder` text;--> statement-breakpoint
ALTER TABLE `payment_links` ADD `holder` text;--> statement-breakpoint
ALTER TABLE `promotion_codes` ADD `holder` text;