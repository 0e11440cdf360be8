CREATE TABLE `custom_fields` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`entity_type` text NOT NULL,
	`key` text NOT NULL,
	`label` text NOT NULL,
	`description` text,
	`field_type` text NOT NULL,
	`required` integer NOT NULL,
	`sort_order` integer NOT NULL,
	`default_value` text,
	`options` text,
	`active` integer NOT NULL,
	`validation` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "custom_fields_entity" CHECK(entity_type in ('flight', 'flight_passenger'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_fields_key` ON `custom_fields` (`entity_type`,`key`);--> statement-breakpoint
CREATE TABLE `flight_values` (
	`flight_id` integer NOT NULL,
	`field_id` integer NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`flight_id`, `field_id`),
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`field_id`) REFERENCES `custom_fields`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `flight_values_field` ON `flight_values` (`field_id`);--> statement-breakpoint
CREATE TABLE `passenger_values` (
	`passenger_id` integer NOT NULL,
	`field_id` integer NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`passenger_id`, `field_id`),
	FOREIGN KEY (`passenger_id`) REFERENCES `passengers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`field_id`) REFERENCES `custom_fields`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `passenger_values_field` ON `passenger_values` (`field_id`);--> statement-breakpoint
CREATE TABLE `flight_tracks` (
	`flight_id` integer PRIMARY KEY NOT NULL,
	`point_count` integer NOT NULL,
	`source_format` text NOT NULL,
	`source_name` text,
	`points` blob NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `flights` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`date` text NOT NULL,
	`date_precision` text NOT NULL,
	`departure` text,
	`arrival` text,
	`departure_scheduled` text,
	`arrival_scheduled` text,
	`takeoff_scheduled` text,
	`takeoff_actual` text,
	`landing_scheduled` text,
	`landing_actual` text,
	`duration` integer,
	`departure_terminal` text,
	`departure_gate` text,
	`arrival_terminal` text,
	`arrival_gate` text,
	`flight_number` text,
	`aircraft_reg` text,
	`note` text,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	`airline_id` integer,
	`aircraft_id` integer,
	`distance_meters` real,
	`completed_from` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `airports`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `airports`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`airline_id`) REFERENCES `airlines`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "flights_precision" CHECK(date_precision in ('day', 'month', 'year')),
	CONSTRAINT "flights_duration" CHECK(duration >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `flights_by_date` ON `flights` (`date`,`id`);--> statement-breakpoint
CREATE INDEX `flights_from` ON `flights` (`from_id`);--> statement-breakpoint
CREATE INDEX `flights_to` ON `flights` (`to_id`);--> statement-breakpoint
CREATE INDEX `flights_airline` ON `flights` (`airline_id`);--> statement-breakpoint
CREATE INDEX `flights_aircraft` ON `flights` (`aircraft_id`);--> statement-breakpoint
CREATE TABLE `passengers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`flight_id` integer NOT NULL,
	`user_id` text,
	`guest_name` text,
	`seat` text,
	`seat_number` text,
	`seat_class` text,
	`flight_reason` text,
	`date` text NOT NULL,
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "passengers_user_or_guest" CHECK((user_id is null) <> (guest_name is null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `passengers_flight` ON `passengers` (`flight_id`);--> statement-breakpoint
CREATE INDEX `passengers_log` ON `passengers` (`user_id`,`date`,`flight_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `passengers_one_user` ON `passengers` (`flight_id`,`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `passengers_one_guest` ON `passengers` (`flight_id`,`guest_name`) WHERE guest_name is not null;--> statement-breakpoint
CREATE TABLE `oauth_access_tokens` (
	`jti` text PRIMARY KEY NOT NULL,
	`family_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`family_id`) REFERENCES `oauth_families`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `oauth_access_family` ON `oauth_access_tokens` (`family_id`);--> statement-breakpoint
CREATE INDEX `oauth_access_expiry` ON `oauth_access_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`auth_method` text NOT NULL,
	`secret_hash` blob,
	`created_at` integer NOT NULL,
	`idle_since` integer NOT NULL,
	CONSTRAINT "oauth_clients_secret" CHECK((auth_method = 'none') = (secret_hash is null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `oauth_clients_idle` ON `oauth_clients` (`idle_since`);--> statement-breakpoint
CREATE TABLE `oauth_codes` (
	`hash` blob PRIMARY KEY NOT NULL,
	`grant_id` integer NOT NULL,
	`redirect_uri` text NOT NULL,
	`scopes` text NOT NULL,
	`code_challenge` text NOT NULL,
	`expires_at` integer NOT NULL,
	`spent_at` integer,
	`family_id` integer,
	FOREIGN KEY (`grant_id`) REFERENCES `oauth_grants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`family_id`) REFERENCES `oauth_families`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `oauth_codes_grant` ON `oauth_codes` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_codes_family` ON `oauth_codes` (`family_id`);--> statement-breakpoint
CREATE INDEX `oauth_codes_expiry` ON `oauth_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `oauth_families` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`grant_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`grant_id`) REFERENCES `oauth_grants`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `oauth_families_grant` ON `oauth_families` (`grant_id`);--> statement-breakpoint
CREATE TABLE `oauth_grants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`resource` text NOT NULL,
	`scopes` text NOT NULL,
	`redirect_host` text NOT NULL,
	`approved_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`client_id`) REFERENCES `oauth_clients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_grants_one` ON `oauth_grants` (`client_id`,`user_id`,`resource`);--> statement-breakpoint
CREATE INDEX `oauth_grants_user` ON `oauth_grants` (`user_id`);--> statement-breakpoint
CREATE TABLE `oauth_refresh_tokens` (
	`hash` blob PRIMARY KEY NOT NULL,
	`family_id` integer NOT NULL,
	`scopes` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`successor` blob,
	`successor_hash` blob,
	FOREIGN KEY (`family_id`) REFERENCES `oauth_families`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `oauth_refresh_family` ON `oauth_refresh_tokens` (`family_id`);--> statement-breakpoint
CREATE INDEX `oauth_refresh_expiry` ON `oauth_refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `oauth_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`resource` text NOT NULL,
	`scopes` text NOT NULL,
	`state` text,
	`code_challenge` text NOT NULL,
	`browser_hash` blob NOT NULL,
	`user_id` text,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `oauth_clients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `oauth_requests_client` ON `oauth_requests` (`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_requests_expiry` ON `oauth_requests` (`expires_at`);--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`private_jwk` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `aircraft` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` text,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`icao` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `aircraft_source` ON `aircraft` (`source_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `aircraft_name_icao` ON `aircraft` (`name_key`,`icao`);--> statement-breakpoint
CREATE UNIQUE INDEX `aircraft_name_alone` ON `aircraft` (`name_key`) WHERE icao is null;--> statement-breakpoint
CREATE INDEX `aircraft_icao` ON `aircraft` (`icao`);--> statement-breakpoint
CREATE TABLE `airlines` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` text,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`icao` text,
	`iata` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `airlines_source` ON `airlines` (`source_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `airlines_name_icao` ON `airlines` (`name_key`,`icao`);--> statement-breakpoint
CREATE UNIQUE INDEX `airlines_name_alone` ON `airlines` (`name_key`) WHERE icao is null;--> statement-breakpoint
CREATE INDEX `airlines_icao` ON `airlines` (`icao`);--> statement-breakpoint
CREATE INDEX `airlines_iata` ON `airlines` (`iata`);--> statement-breakpoint
CREATE TABLE `airports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` text,
	`icao` text NOT NULL,
	`iata` text,
	`name` text NOT NULL,
	`municipality` text,
	`latitude` real NOT NULL,
	`longitude` real NOT NULL,
	`timezone` text NOT NULL,
	`type` text NOT NULL,
	`continent` text NOT NULL,
	`country` text NOT NULL,
	CONSTRAINT "airports_coordinates" CHECK(latitude between -90 and 90 and longitude between -180 and 180)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `airports_source` ON `airports` (`source_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `airports_icao` ON `airports` (`icao`);--> statement-breakpoint
CREATE INDEX `airports_iata` ON `airports` (`iata`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `shares` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`slug` text NOT NULL,
	`expires_at` integer,
	`date_from` text,
	`date_to` text,
	`show_map` integer NOT NULL,
	`show_stats` integer NOT NULL,
	`show_flight_list` integer NOT NULL,
	`show_flight_numbers` integer NOT NULL,
	`show_airlines` integer NOT NULL,
	`show_aircraft` integer NOT NULL,
	`show_times` integer NOT NULL,
	`show_tracks` integer NOT NULL,
	`show_dates` integer NOT NULL,
	`show_seat` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `shares_slug` ON `shares` (slug collate nocase);--> statement-breakpoint
CREATE INDEX `shares_user` ON `shares` (`user_id`);--> statement-breakpoint
CREATE TABLE `visited_countries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`code` text NOT NULL,
	`status` text NOT NULL,
	`note` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "visited_countries_status" CHECK(status in ('lived', 'visited', 'layover', 'wishlist'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `visited_countries_one` ON `visited_countries` (`user_id`,`code`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` blob NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "api_keys_scopes_are_json" CHECK(json_valid(scopes))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`);--> statement-breakpoint
CREATE TABLE `preferences` (
	`user_id` text PRIMARY KEY NOT NULL,
	`distance_unit` text NOT NULL,
	`wind_speed_unit` text NOT NULL,
	`temperature_unit` text NOT NULL,
	`pressure_unit` text NOT NULL,
	`time_format` text NOT NULL,
	`date_format` text NOT NULL,
	`week_starts_on` text NOT NULL,
	`flight_time_display` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `roles` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`description` text,
	`permissions` text NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "roles_permissions_are_json" CHECK(json_valid(permissions))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_name` ON `roles` (`name_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `roles_one_default` ON `roles` (`is_default`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` blob PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_last_used` ON `sessions` (`last_used_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`display_name` text NOT NULL,
	`password_hash` text NOT NULL,
	`role_id` text,
	`is_owner` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "users_owner_or_role" CHECK((is_owner = 1) = (role_id is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username` ON `users` (username collate nocase);--> statement-breakpoint
CREATE UNIQUE INDEX `users_one_owner` ON `users` (`is_owner`) WHERE is_owner = 1;--> statement-breakpoint
CREATE INDEX `users_role` ON `users` (`role_id`);