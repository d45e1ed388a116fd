DROP TABLE `bank_notifications`;--> statement-breakpoint
DROP TABLE `bank_payment_items`;--> statement-breakpoint
DROP TABLE `bank_payments`;