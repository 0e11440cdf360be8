CREATE TABLE `trips` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `trips_user` ON `trips` (`user_id`);--> statement-breakpoint
ALTER TABLE `passengers` ADD `trip_id` integer REFERENCES `trips`(`id`) ON DELETE set null;--> statement-breakpoint
CREATE INDEX `passengers_trip` ON `passengers` (`trip_id`,`date`) WHERE trip_id is not null;--> statement-breakpoint
ALTER TABLE `shares` ADD `trip_id` integer REFERENCES `trips`(`id`) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `shares_trip` ON `shares` (`trip_id`);
