-- contract: the index is replaced by a wider one; all rows of the build before have the empty code, which is the default
DROP INDEX `endpoints_of_partner`;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `code` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `name` text;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `kinds` text;--> statement-breakpoint
CREATE UNIQUE INDEX `endpoints_of_partner` ON `endpoints` (`partner_id`,`environment`,`code`);