DROP INDEX `movements_by_reference`;--> statement-breakpoint
DROP INDEX `movements_by_payment`;--> statement-breakpoint
CREATE INDEX `movements_by_reference_and_environment` ON `movements` (`partner_id`,`client_reference_id`,`environment`,`transaction_date`,`id`) WHERE client_reference_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `movements_by_reference` ON `movements` (`partner_id`,`client_reference_id`,`transaction_date`,`id`) WHERE client_reference_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `movements_by_payment` ON `movements` (`payment_intent_id`,`transaction_date`,`id`);--> statement-breakpoint
DROP INDEX `payment_links_by_partner`;--> statement-breakpoint
CREATE INDEX `payment_links_by_partner` ON `payment_links` (`partner_id`,`environment`,`created_at`,`id`);