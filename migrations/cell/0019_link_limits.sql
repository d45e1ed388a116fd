ALTER TABLE `payment_links` ADD `max_payments` integer;--> statement-breakpoint
ALTER TABLE `payment_links` ADD `closes_at` integer;--> statement-breakpoint
ALTER TABLE `payment_links` ADD `paid_reference` text;--> statement-breakpoint
ALTER TABLE `payment_links` ADD `paid_receipt` text;--> statement-breakpoint
CREATE INDEX `payment_links_closing` ON `payment_links` (`closes_at`) WHERE disabled_at IS NULL AND (closes_at IS NOT NULL OR max_payments IS NOT NULL);