ALTER TABLE `payment_links` ADD `disabled_reason` text;--> statement-breakpoint
ALTER TABLE `promotion_codes` ADD `deactivated_reason` text;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `suspension_note` text;