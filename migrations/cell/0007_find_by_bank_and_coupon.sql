CREATE INDEX `bank_payments_by_bank_id` ON `bank_payments` (`bank_payment_id`);--> statement-breakpoint
CREATE INDEX `promotion_codes_by_coupon` ON `promotion_codes` (`coupon_id`);