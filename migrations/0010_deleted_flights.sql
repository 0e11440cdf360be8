CREATE TABLE `deleted_flight_records` (
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`record` text NOT NULL,
	PRIMARY KEY(`kind`, `id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `deleted_flight_tracks` (
	`flight_id` integer PRIMARY KEY NOT NULL,
	`point_count` integer NOT NULL,
	`source_format` text NOT NULL,
	`source_name` text,
	`points` blob NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`line` blob
) STRICT;
--> statement-breakpoint
CREATE TABLE `deleted_flights` (
	`seq` integer PRIMARY KEY NOT NULL,
	`flight_id` integer NOT NULL,
	`deleted_at` integer NOT NULL,
	`deleted_by` text,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	`airline_id` integer,
	`aircraft_id` integer,
	`content` text NOT NULL
) STRICT;
