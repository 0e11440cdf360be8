CREATE TABLE `activity` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`actor_id` text,
	`actor_name` text,
	`surface` text NOT NULL,
	`credential` text,
	`address` text,
	`flight_id` integer,
	`subject_id` text,
	`name` text,
	`count` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `activity_actor` ON `activity` (`actor_id`);--> statement-breakpoint
CREATE INDEX `activity_flight` ON `activity` (`flight_id`) WHERE flight_id is not null;--> statement-breakpoint
CREATE INDEX `activity_kind` ON `activity` (`kind`) WHERE kind <> 'flight.created';--> statement-breakpoint
CREATE INDEX `activity_typed` ON `activity` (name collate nocase) WHERE kind = 'sign_in.failed';--> statement-breakpoint
CREATE TABLE `activity_people` (
	`entry_id` integer NOT NULL,
	`user_id` text NOT NULL,
	FOREIGN KEY (`entry_id`) REFERENCES `activity`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `activity_people_entry` ON `activity_people` (`entry_id`);--> statement-breakpoint
CREATE INDEX `activity_people_user` ON `activity_people` (`user_id`,`entry_id`);--> statement-breakpoint
CREATE TABLE `change_positions` (
	`seq` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`tag` blob NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `flight_changes` (
	`user_id` text NOT NULL,
	`seq` integer NOT NULL,
	`flight_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `seq`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `flight_removals` (
	`user_id` text NOT NULL,
	`flight_id` integer NOT NULL,
	`seq` integer NOT NULL,
	PRIMARY KEY(`user_id`, `flight_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `flight_removals_order` ON `flight_removals` (`user_id`,`seq`);--> statement-breakpoint
CREATE TABLE `flight_track_lines` (
	`flight_id` integer PRIMARY KEY NOT NULL,
	`line` blob NOT NULL,
	FOREIGN KEY (`flight_id`) REFERENCES `flight_tracks`(`flight_id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `idempotent_answers` (
	`id` blob PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`request` blob NOT NULL,
	`status` integer NOT NULL,
	`body` text,
	`created_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotent_answers_user` ON `idempotent_answers` (`user_id`);--> statement-breakpoint
CREATE INDEX `idempotent_answers_age` ON `idempotent_answers` (`created_at`);--> statement-breakpoint
CREATE TABLE `calendars` (
	`user_id` text PRIMARY KEY NOT NULL,
	`hash` blob NOT NULL,
	`with_notes` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `calendars_hash` ON `calendars` (`hash`);--> statement-breakpoint
CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_user` ON `identities` (`user_id`,`issuer`);--> statement-breakpoint
CREATE TABLE `role_mappings` (
	`value` text PRIMARY KEY NOT NULL,
	`role_id` text NOT NULL,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `role_mappings_role` ON `role_mappings` (`role_id`);--> statement-breakpoint
CREATE TABLE `used_sign_ins` (
	`hash` blob PRIMARY KEY NOT NULL,
	`used_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `used_sign_ins_used` ON `used_sign_ins` (`used_at`);--> statement-breakpoint
ALTER TABLE `flights` ADD `last_change` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `flights_by_origin` ON `flights` (`from_id`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `flights_by_destination` ON `flights` (`to_id`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `flights_by_airline` ON `flights` (`airline_id`,`date`,`id`) WHERE airline_id is not null;--> statement-breakpoint
CREATE INDEX `flights_by_aircraft` ON `flights` (`aircraft_id`,`date`,`id`) WHERE aircraft_id is not null;--> statement-breakpoint
CREATE INDEX `flights_by_number` ON `flights` (replace(replace(upper(flight_number), ' ', ''), '-', ''),`date`,`id`) WHERE flight_number is not null;--> statement-breakpoint
CREATE INDEX `flights_by_registration` ON `flights` (replace(replace(upper(aircraft_reg), ' ', ''), '-', ''),`date`,`id`) WHERE aircraft_reg is not null;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `legacy_objects` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- By hand from here on: drizzle-kit knows no triggers.
-- The flights that are there already come first, in the order in which they were made.
INSERT INTO change_positions (seq, at, tag)
  SELECT id, CAST(unixepoch(updated_at, 'subsec') * 1000 AS integer), randomblob(8) FROM flights ORDER BY id;
--> statement-breakpoint
UPDATE flights SET last_change = id;
--> statement-breakpoint
INSERT INTO flight_changes (user_id, seq, flight_id)
  SELECT '', id, id FROM flights UNION ALL SELECT user_id, flight_id, flight_id FROM passengers WHERE user_id IS NOT NULL ORDER BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER flight_created AFTER INSERT ON flights BEGIN
  INSERT INTO change_positions (at, tag) VALUES (CAST(unixepoch('subsec') * 1000 AS integer), randomblob(8));
  UPDATE flights SET last_change = (SELECT max(seq) FROM change_positions) WHERE id = new.id;
  INSERT INTO flight_changes (user_id, seq, flight_id) SELECT '', max(seq), new.id FROM change_positions;
END;
--> statement-breakpoint
-- Every write to a flight sets updated_at; what changes its record from elsewhere sets one of the others, to what it was.
CREATE TRIGGER flight_changed AFTER UPDATE OF updated_at, distance_meters, airline_id, aircraft_id ON flights BEGIN
  INSERT INTO change_positions (at, tag) VALUES (CAST(unixepoch('subsec') * 1000 AS integer), randomblob(8));
  UPDATE flight_changes SET seq = (SELECT max(seq) FROM change_positions)
    WHERE seq = new.last_change
      AND user_id IN (SELECT '' UNION ALL SELECT user_id FROM passengers WHERE flight_id = new.id AND user_id IS NOT NULL);
  UPDATE flights SET last_change = (SELECT max(seq) FROM change_positions) WHERE id = new.id;
END;
--> statement-breakpoint
-- Before: afterwards nobody is aboard.
CREATE TRIGGER flight_deleted BEFORE DELETE ON flights BEGIN
  INSERT INTO change_positions (at, tag) VALUES (CAST(unixepoch('subsec') * 1000 AS integer), randomblob(8));
  DELETE FROM flight_changes
    WHERE seq = old.last_change
      AND user_id IN (SELECT '' UNION ALL SELECT user_id FROM passengers WHERE flight_id = old.id AND user_id IS NOT NULL);
  INSERT OR REPLACE INTO flight_removals (user_id, flight_id, seq)
    SELECT user_id, old.id, (SELECT max(seq) FROM change_positions)
    FROM (SELECT '' AS user_id UNION ALL SELECT user_id FROM passengers WHERE flight_id = old.id AND user_id IS NOT NULL);
END;
--> statement-breakpoint
-- Who comes aboard or leaves: the flight itself is written in the same transaction.
CREATE TRIGGER passenger_added AFTER INSERT ON passengers WHEN new.user_id IS NOT NULL BEGIN
  DELETE FROM flight_removals WHERE user_id = new.user_id AND flight_id = new.flight_id;
  INSERT INTO flight_changes (user_id, seq, flight_id)
    SELECT new.user_id, last_change, id FROM flights WHERE id = new.flight_id;
END;
--> statement-breakpoint
CREATE TRIGGER passenger_removed AFTER DELETE ON passengers
WHEN old.user_id IS NOT NULL AND EXISTS (SELECT 1 FROM flights WHERE id = old.flight_id) BEGIN
  DELETE FROM flight_changes
    WHERE user_id = old.user_id AND seq = (SELECT last_change FROM flights WHERE id = old.flight_id);
  INSERT INTO change_positions (at, tag) VALUES (CAST(unixepoch('subsec') * 1000 AS integer), randomblob(8));
  INSERT OR REPLACE INTO flight_removals (user_id, flight_id, seq) SELECT old.user_id, old.flight_id, max(seq) FROM change_positions;
END;
--> statement-breakpoint
CREATE TRIGGER passenger_replaced AFTER UPDATE OF user_id ON passengers WHEN old.user_id IS NOT new.user_id BEGIN
  DELETE FROM flight_changes
    WHERE user_id = old.user_id AND seq = (SELECT last_change FROM flights WHERE id = old.flight_id);
  INSERT INTO change_positions (at, tag) VALUES (CAST(unixepoch('subsec') * 1000 AS integer), randomblob(8));
  INSERT OR REPLACE INTO flight_removals (user_id, flight_id, seq)
    SELECT old.user_id, old.flight_id, (SELECT max(seq) FROM change_positions) WHERE old.user_id IS NOT NULL;
  DELETE FROM flight_removals WHERE user_id = new.user_id AND flight_id = new.flight_id;
  INSERT INTO flight_changes (user_id, seq, flight_id)
    SELECT new.user_id, last_change, id FROM flights WHERE id = new.flight_id AND new.user_id IS NOT NULL;
END;
--> statement-breakpoint
-- What stands in records of flights and is kept elsewhere. Setting a column to what it was puts a flight into the feed.
CREATE TRIGGER user_renamed AFTER UPDATE OF username, display_name ON users
WHEN old.username IS NOT new.username OR old.display_name IS NOT new.display_name BEGIN
  UPDATE flights SET updated_at = updated_at WHERE id IN (SELECT flight_id FROM passengers WHERE user_id = new.id);
END;
--> statement-breakpoint
CREATE TRIGGER custom_field_switched AFTER UPDATE OF active, key ON custom_fields
WHEN old.active IS NOT new.active OR old.key IS NOT new.key BEGIN
  UPDATE flights SET updated_at = updated_at WHERE id IN (
    SELECT flight_id FROM flight_values WHERE field_id = new.id
    UNION SELECT p.flight_id FROM passenger_values v JOIN passengers p ON p.id = v.passenger_id WHERE v.field_id = new.id);
END;
--> statement-breakpoint
CREATE TRIGGER custom_field_deleted BEFORE DELETE ON custom_fields WHEN old.active BEGIN
  UPDATE flights SET updated_at = updated_at WHERE id IN (
    SELECT flight_id FROM flight_values WHERE field_id = old.id
    UNION SELECT p.flight_id FROM passenger_values v JOIN passengers p ON p.id = v.passenger_id WHERE v.field_id = old.id);
END;
