-- contract: nothing was deployed with the index of chats' news; the other index is replaced by a wider one, and all rows of the build before have the empty code, which is the default
DROP INDEX `events_of_chats`;--> statement-breakpoint
DROP INDEX `endpoints_of_partner`;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `code` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `name` text;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `kinds` text;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `channel` text;--> statement-breakpoint
CREATE UNIQUE INDEX `endpoints_of_partner` ON `endpoints` (`partner_id`,`environment`,`code`);