CREATE INDEX `bank_payments_of_partner` ON `bank_payments` (`partner_id`,`environment`,`created_at`,`order_id`);--> statement-breakpoint
CREATE INDEX `payment_links_of_partner` ON `payment_links` (partner_id || ' ' || environment,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `promotion_codes_of_partner` ON `promotion_codes` (`partner_id`,`environment`,`created_at`,`id`);