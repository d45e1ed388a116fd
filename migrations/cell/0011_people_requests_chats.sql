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
ALTER TABLE `payment_links` ADD `disabled_by` text;--> statement-breakpoint
CREATE INDEX `movements_by_link` ON `movements` (`payment_link_id`,`transaction_date`) WHERE payment_link_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_of_partner` ON `subscriptions` (`partner_id`,`environment`,`id`) WHERE partner_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_of_chats` ON `events` (`created_at`) WHERE name IN ('Bank.payment.succeeded', 'Processor.payment_method.refused');