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
ALTER TABLE `subscriptions` ADD `started_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `ended_at` integer;