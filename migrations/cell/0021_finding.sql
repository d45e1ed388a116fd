CREATE INDEX `promotion_codes_by_text` ON `promotion_codes` (`code`,`created_at`);--> statement-breakpoint
CREATE INDEX `refused_requests_by_id` ON `refused_requests` (`id`);