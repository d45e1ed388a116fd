ALTER TABLE `ruble_products` ADD `receipt_subject` text;--> statement-breakpoint
ALTER TABLE `ruble_products` ADD `receipt_method` text;--> statement-breakpoint
ALTER TABLE `ruble_products` ADD `measurement_unit` text;