ALTER TABLE `airlines` ADD `valid_from` text;--> statement-breakpoint
ALTER TABLE `airlines` ADD `valid_until` text;--> statement-breakpoint
ALTER TABLE `airports` ADD `valid_from` text;--> statement-breakpoint
ALTER TABLE `airports` ADD `valid_until` text;