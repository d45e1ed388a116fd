-- contract: an index without a new reader is dropped; code of before lists what waits without it, more slowly
DROP INDEX `card_products_in_review`;--> statement-breakpoint
CREATE INDEX `card_products_waiting` ON `card_products` (`updated_at`,`id`) WHERE moderation = 'in_review';--> statement-breakpoint
DROP INDEX `ruble_products_in_review`;--> statement-breakpoint
CREATE INDEX `ruble_products_waiting` ON `ruble_products` (`updated_at`,`id`) WHERE moderation = 'in_review';