CREATE TABLE `catalogue_revision` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER `card_products_count_insert` AFTER INSERT ON `card_products` BEGIN
	INSERT INTO `catalogue_revision` (`id`, `revision`) VALUES (1, 1) ON CONFLICT (`id`) DO UPDATE SET `revision` = `revision` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `card_products_count_update` AFTER UPDATE ON `card_products` BEGIN
	INSERT INTO `catalogue_revision` (`id`, `revision`) VALUES (1, 1) ON CONFLICT (`id`) DO UPDATE SET `revision` = `revision` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `card_products_count_delete` AFTER DELETE ON `card_products` BEGIN
	INSERT INTO `catalogue_revision` (`id`, `revision`) VALUES (1, 1) ON CONFLICT (`id`) DO UPDATE SET `revision` = `revision` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `ruble_products_count_insert` AFTER INSERT ON `ruble_products` BEGIN
	INSERT INTO `catalogue_revision` (`id`, `revision`) VALUES (1, 1) ON CONFLICT (`id`) DO UPDATE SET `revision` = `revision` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `ruble_products_count_update` AFTER UPDATE ON `ruble_products` BEGIN
	INSERT INTO `catalogue_revision` (`id`, `revision`) VALUES (1, 1) ON CONFLICT (`id`) DO UPDATE SET `revision` = `revision` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `ruble_products_count_delete` AFTER DELETE ON `ruble_products` BEGIN
	INSERT INTO `catalogue_revision` (`id`, `revision`) VALUES (1, 1) ON CONFLICT (`id`) DO UPDATE SET `revision` = `revision` + 1;
END;
