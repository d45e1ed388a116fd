ALTER TABLE `refreshes` ADD `failure` text;--> statement-breakpoint
CREATE INDEX `refreshes_gone` ON `refreshes` (`since`) WHERE state = 'gone';