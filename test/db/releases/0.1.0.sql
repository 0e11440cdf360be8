PRAGMA application_id = 1346459724;
CREATE TABLE __drizzle_migrations (id integer primary key, hash text not null, created_at numeric);
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
CREATE UNIQUE INDEX `custom_fields_key` ON `custom_fields` (`entity_type`,`key`);
CREATE TABLE `flight_values` (
	`flight_id` integer NOT NULL,
	`field_id` integer NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`flight_id`, `field_id`),
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`field_id`) REFERENCES `custom_fields`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
CREATE INDEX `flight_values_field` ON `flight_values` (`field_id`);
CREATE TABLE `passenger_values` (
	`passenger_id` integer NOT NULL,
	`field_id` integer NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`passenger_id`, `field_id`),
	FOREIGN KEY (`passenger_id`) REFERENCES `passengers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`field_id`) REFERENCES `custom_fields`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
CREATE INDEX `passenger_values_field` ON `passenger_values` (`field_id`);
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
CREATE INDEX `flights_by_date` ON `flights` (`date`,`id`);
CREATE INDEX `flights_from` ON `flights` (`from_id`);
CREATE INDEX `flights_to` ON `flights` (`to_id`);
CREATE INDEX `flights_airline` ON `flights` (`airline_id`);
CREATE INDEX `flights_aircraft` ON `flights` (`aircraft_id`);
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
CREATE INDEX `passengers_flight` ON `passengers` (`flight_id`);
CREATE INDEX `passengers_log` ON `passengers` (`user_id`,`date`,`flight_id`);
CREATE UNIQUE INDEX `passengers_one_user` ON `passengers` (`flight_id`,`user_id`) WHERE user_id is not null;
CREATE UNIQUE INDEX `passengers_one_guest` ON `passengers` (`flight_id`,`guest_name`) WHERE guest_name is not null;
CREATE TABLE `oauth_access_tokens` (
	`jti` text PRIMARY KEY NOT NULL,
	`family_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`family_id`) REFERENCES `oauth_families`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
CREATE INDEX `oauth_access_family` ON `oauth_access_tokens` (`family_id`);
CREATE INDEX `oauth_access_expiry` ON `oauth_access_tokens` (`expires_at`);
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
CREATE INDEX `oauth_clients_idle` ON `oauth_clients` (`idle_since`);
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
CREATE INDEX `oauth_codes_grant` ON `oauth_codes` (`grant_id`);
CREATE INDEX `oauth_codes_family` ON `oauth_codes` (`family_id`);
CREATE INDEX `oauth_codes_expiry` ON `oauth_codes` (`expires_at`);
CREATE TABLE `oauth_families` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`grant_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`grant_id`) REFERENCES `oauth_grants`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
CREATE INDEX `oauth_families_grant` ON `oauth_families` (`grant_id`);
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
CREATE UNIQUE INDEX `oauth_grants_one` ON `oauth_grants` (`client_id`,`user_id`,`resource`);
CREATE INDEX `oauth_grants_user` ON `oauth_grants` (`user_id`);
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
CREATE INDEX `oauth_refresh_family` ON `oauth_refresh_tokens` (`family_id`);
CREATE INDEX `oauth_refresh_expiry` ON `oauth_refresh_tokens` (`expires_at`);
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
CREATE INDEX `oauth_requests_client` ON `oauth_requests` (`client_id`);
CREATE INDEX `oauth_requests_expiry` ON `oauth_requests` (`expires_at`);
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`private_jwk` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
CREATE TABLE `aircraft` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` text,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`icao` text
) STRICT;
CREATE UNIQUE INDEX `aircraft_source` ON `aircraft` (`source_id`);
CREATE UNIQUE INDEX `aircraft_name_icao` ON `aircraft` (`name_key`,`icao`);
CREATE UNIQUE INDEX `aircraft_name_alone` ON `aircraft` (`name_key`) WHERE icao is null;
CREATE INDEX `aircraft_icao` ON `aircraft` (`icao`);
CREATE TABLE `airlines` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` text,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`icao` text,
	`iata` text
) STRICT;
CREATE UNIQUE INDEX `airlines_source` ON `airlines` (`source_id`);
CREATE UNIQUE INDEX `airlines_name_icao` ON `airlines` (`name_key`,`icao`);
CREATE UNIQUE INDEX `airlines_name_alone` ON `airlines` (`name_key`) WHERE icao is null;
CREATE INDEX `airlines_icao` ON `airlines` (`icao`);
CREATE INDEX `airlines_iata` ON `airlines` (`iata`);
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
CREATE UNIQUE INDEX `airports_source` ON `airports` (`source_id`);
CREATE UNIQUE INDEX `airports_icao` ON `airports` (`icao`);
CREATE INDEX `airports_iata` ON `airports` (`iata`);
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT;
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
CREATE UNIQUE INDEX `shares_slug` ON `shares` (slug collate nocase);
CREATE INDEX `shares_user` ON `shares` (`user_id`);
CREATE TABLE `visited_countries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`code` text NOT NULL,
	`status` text NOT NULL,
	`note` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "visited_countries_status" CHECK(status in ('lived', 'visited', 'layover', 'wishlist'))
) STRICT;
CREATE UNIQUE INDEX `visited_countries_one` ON `visited_countries` (`user_id`,`code`);
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
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`);
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
CREATE UNIQUE INDEX `roles_name` ON `roles` (`name_key`);
CREATE UNIQUE INDEX `roles_one_default` ON `roles` (`is_default`) WHERE is_default = 1;
CREATE TABLE `sessions` (
	`hash` blob PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
CREATE INDEX `sessions_last_used` ON `sessions` (`last_used_at`);
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
CREATE UNIQUE INDEX `users_username` ON `users` (username collate nocase);
CREATE UNIQUE INDEX `users_one_owner` ON `users` (`is_owner`) WHERE is_owner = 1;
CREATE INDEX `users_role` ON `users` (`role_id`);
INSERT INTO "__drizzle_migrations" VALUES (1, '975cd9bab8e774ff156b443631fce497d098a5b7c87ad89ba84d41ade3f7aa45', 1794716348428);
INSERT INTO "aircraft" VALUES (1, 'BCS3', 'Airbus A220-300', 'airbus a220-300', 'BCS3');
INSERT INTO "aircraft" VALUES (2, 'DC3', 'Douglas DC-3', 'douglas dc-3', 'DC3');
INSERT INTO "aircraft" VALUES (3, null, 'Home built', 'home built', 'BCS3');
INSERT INTO "airlines" VALUES (1, 'SWR', 'Swiss', 'swiss', 'SWR', 'LX');
INSERT INTO "airlines" VALUES (2, 'swissair', 'Swissair', 'swissair', 'SWR', 'SR');
INSERT INTO "airlines" VALUES (3, 'SAS', 'Scandinavian Airlines', 'scandinavian airlines', 'SAS', 'SK*');
INSERT INTO "airlines" VALUES (4, null, 'My Air', 'my air', 'SWR', 'LX');
INSERT INTO "airlines" VALUES (5, null, 'Codeless', 'codeless', null, 'LX');
INSERT INTO "airports" VALUES (1, 'LSZH', 'LSZH', 'ZRH', 'Zurich Airport', 'Zurich', 47.458056, 8.548056, 'Europe/Zurich', 'large_airport', 'EU', 'CH');
INSERT INTO "airports" VALUES (2, 'LPPT', 'LPPT', 'LIS', 'Lisbon Airport', 'Lisbon', 38.7813, -9.13592, 'Europe/Lisbon', 'large_airport', 'EU', 'PT');
INSERT INTO "airports" VALUES (3, 'EGLL', 'EGLL', 'LHR', 'London Airport', 'London', 51.4706, -0.4619, 'Europe/London', 'large_airport', 'EU', 'GB');
INSERT INTO "airports" VALUES (4, 'EKCH', 'EKCH', 'CPH', 'Copenhagen Airport', 'Copenhagen', 55.618, 12.656, 'Europe/Copenhagen', 'large_airport', 'EU', 'DK');
INSERT INTO "airports" VALUES (5, 'KJFK', 'KJFK', 'JFK', 'New York Airport', 'New York', 40.6398, -73.7789, 'America/New_York', 'large_airport', 'EU', 'US');
INSERT INTO "airports" VALUES (6, 'PHNL', 'PHNL', 'HNL', 'Honolulu Airport', 'Honolulu', 21.32062, -157.924228, 'Pacific/Honolulu', 'large_airport', 'EU', 'US');
INSERT INTO "airports" VALUES (7, 'NZAA', 'NZAA', 'AKL', 'Auckland Airport', 'Auckland', -37.01199, 174.786331, 'Pacific/Auckland', 'large_airport', 'EU', 'NZ');
INSERT INTO "airports" VALUES (8, 'NSFA', 'NSFA', 'APW', 'Apia Airport', 'Apia', -13.83, -172.007996, 'Pacific/Apia', 'large_airport', 'EU', 'WS');
INSERT INTO "airports" VALUES (9, 'WSSS', 'WSSS', 'SIN', 'Singapore Airport', 'Singapore', 1.35019, 103.994003, 'Asia/Singapore', 'large_airport', 'EU', 'SG');
INSERT INTO "airports" VALUES (10, 'VNKT', 'VNKT', 'KTM', 'Kathmandu Airport', 'Kathmandu', 27.6966, 85.3591, 'Asia/Kathmandu', 'large_airport', 'EU', 'NP');
INSERT INTO "airports" VALUES (11, null, 'XQ-01', null, 'Grandma''s field: #1 \ "home"', null, -0.000001, 179.999, 'Asia/Kathmandu', 'small_airport', 'AS', 'NP');
INSERT INTO "api_keys" VALUES (1, '68kmsbx3ij0jlob', 'test', x'ab23e5416c60e70ed6b17e2f98ad20f110ea8fab72993d48b47c2935c975dff9', '["flight.read.own","flight.read.any","flight.create.own","flight.create.any","flight.update.own","flight.update.any","flight.delete.own","flight.delete.any","flight.export.own","flight.export.any","flight.passengers.manage.own","flight.passengers.manage.any","users.directory.read","roles.manage","profile.read","preferences.write","reference_data.read","custom_fields.read","stats.read","tracks.read","tracks.write","visited_countries.read","visited_countries.write","shares.read","shares.write","flight.import.own","flight.import.any","users.create","users.update","users.delete","users.roles.assign","data.airports.manage","data.airlines.manage","data.aircraft.manage","custom_fields.manage"]', 1794726285522, 1794726240000);
INSERT INTO "api_keys" VALUES (2, 'gx9mjov3ng07q1s', 'test', x'2d2e844f14fa229abb6239c7a3e57af238a918e793b6b7ced992c1c75025e244', '["flight.read.own","flight.read.any","flight.create.own","flight.create.any","flight.update.own","flight.update.any","flight.delete.own","flight.delete.any","flight.export.own","flight.export.any","flight.passengers.manage.own","flight.passengers.manage.any","users.directory.read","roles.manage","profile.read","preferences.write","reference_data.read","custom_fields.read","stats.read","tracks.read","tracks.write","visited_countries.read","visited_countries.write","shares.read","shares.write","flight.import.own","flight.import.any","users.create","users.update","users.delete","users.roles.assign","data.airports.manage","data.airlines.manage","data.aircraft.manage","custom_fields.manage"]', 1794726285522, null);
INSERT INTO "api_keys" VALUES (3, 'x7r4zbna5f26s6u', 'test', x'170b01e553a8270f41e24efa397158461a8d1285f03741c16c5955ebc40e5736', '["flight.read.own","flight.read.any","flight.create.own","flight.create.any","flight.update.own","flight.update.any","flight.delete.own","flight.delete.any","flight.export.own","flight.export.any","flight.passengers.manage.own","flight.passengers.manage.any","users.directory.read","roles.manage","profile.read","preferences.write","reference_data.read","custom_fields.read","stats.read","tracks.read","tracks.write","visited_countries.read","visited_countries.write","shares.read","shares.write","flight.import.own","flight.import.any","users.create","users.update","users.delete","users.roles.assign","data.airports.manage","data.airlines.manage","data.aircraft.manage","custom_fields.manage"]', 1794726285522, null);
INSERT INTO "api_keys" VALUES (4, 'pkge5p02yu636ej', 'test', x'8dfdc37e8a52e89452a89da62beb2bd566f2c200f1aa833e656d096a97aff4fc', '["flight.read.own","flight.read.any","flight.create.own","flight.create.any","flight.update.own","flight.update.any","flight.delete.own","flight.delete.any","flight.export.own","flight.export.any","flight.passengers.manage.own","flight.passengers.manage.any","users.directory.read","roles.manage","profile.read","preferences.write","reference_data.read","custom_fields.read","stats.read","tracks.read","tracks.write","visited_countries.read","visited_countries.write","shares.read","shares.write","flight.import.own","flight.import.any","users.create","users.update","users.delete","users.roles.assign","data.airports.manage","data.airlines.manage","data.aircraft.manage","custom_fields.manage"]', 1794726285522, null);
INSERT INTO "custom_fields" VALUES (1, 'flight', 'booking_ref', 'Label of booking_ref', null, 'text', 0, 9, null, null, 1, null, 1794726286714, 1794726286714);
INSERT INTO "custom_fields" VALUES (2, 'flight', 'story', 'Label of story', null, 'textarea', 0, 0, null, null, 1, null, 1794726286801, 1794726286801);
INSERT INTO "custom_fields" VALUES (3, 'flight', 'price', 'Label of price', null, 'number', 0, 0, null, null, 1, null, 1794726286816, 1794726286816);
INSERT INTO "custom_fields" VALUES (4, 'flight', 'upgrade', 'Label of upgrade', null, 'boolean', 0, 0, null, null, 1, null, 1794726286821, 1794726286821);
INSERT INTO "custom_fields" VALUES (5, 'flight', 'booked_on', 'Label of booked_on', null, 'date', 0, 0, null, null, 1, null, 1794726286832, 1794726286832);
INSERT INTO "custom_fields" VALUES (6, 'flight', 'meal', 'Label of meal', null, 'select', 0, 0, null, '["vegan","none"]', 1, null, 1794726286860, 1794726286860);
INSERT INTO "custom_fields" VALUES (7, 'flight', 'tags', 'Label of tags', null, 'multi-select', 0, 0, null, '["sun","snow","null"]', 1, null, 1794726286863, 1794726286863);
INSERT INTO "custom_fields" VALUES (8, 'flight', 'via', 'Label of via', null, 'airport', 0, 0, null, null, 1, null, 1794726286865, 1794726286865);
INSERT INTO "custom_fields" VALUES (9, 'flight', 'partner', 'Label of partner', null, 'airline', 0, 0, null, null, 1, null, 1794726286869, 1794726286869);
INSERT INTO "custom_fields" VALUES (10, 'flight', 'planned', 'Label of planned', null, 'aircraft', 0, 0, null, null, 1, null, 1794726286883, 1794726286883);
INSERT INTO "custom_fields" VALUES (11, 'flight', 'null', 'Label of null', null, 'text', 0, 0, null, null, 1, null, 1794726286886, 1794726286886);
INSERT INTO "custom_fields" VALUES (12, 'flight', 'yes', 'Label of yes', null, 'text', 0, 0, null, null, 1, null, 1794726286888, 1794726286888);
INSERT INTO "custom_fields" VALUES (13, 'flight', 'no', 'Label of no', null, 'text', 0, 0, null, null, 1, null, 1794726286893, 1794726286893);
INSERT INTO "custom_fields" VALUES (14, 'flight', 'true', 'Label of true', null, 'text', 0, 0, null, null, 1, null, 1794726286897, 1794726286897);
INSERT INTO "custom_fields" VALUES (15, 'flight', '10', 'Label of 10', null, 'text', 0, 0, null, null, 1, null, 1794726286901, 1794726286901);
INSERT INTO "custom_fields" VALUES (16, 'flight', '1e5', 'Label of 1e5', null, 'text', 0, 0, null, null, 1, null, 1794726286911, 1794726286911);
INSERT INTO "custom_fields" VALUES (17, 'flight', '0x1f', 'Label of 0x1f', null, 'text', 0, 0, null, null, 1, null, 1794726286914, 1794726286914);
INSERT INTO "custom_fields" VALUES (18, 'flight', '_x', 'Label of _x', null, 'text', 0, 0, null, null, 1, null, 1794726286920, 1794726286920);
INSERT INTO "custom_fields" VALUES (19, 'flight', 'old_field', 'Label of old_field', null, 'text', 0, 0, null, null, 0, null, 1794726286928, 1794726287327);
INSERT INTO "custom_fields" VALUES (20, 'flight_passenger', 'points', 'Label of points', null, 'number', 0, 0, null, null, 1, null, 1794726286935, 1794726286935);
INSERT INTO "custom_fields" VALUES (21, 'flight_passenger', 'lounge', 'Label of lounge', null, 'airport', 0, 0, null, null, 1, null, 1794726286939, 1794726286939);
INSERT INTO "custom_fields" VALUES (22, 'flight_passenger', 'old_meal', 'Label of old_meal', null, 'text', 0, 0, null, null, 0, null, 1794726286941, 1794726287382);
INSERT INTO "flight_tracks" VALUES (1, 2100, 'readsb', 'línea "1".json', x'5bfa0c32126155fbe12392d5de1f664672d2fa43803a5217fefcf9f7cfc0713dd6793bfb3d64ca57bfee7c4202506577cea823b0f6f264882f7edefa2d69140ca8a1a1cb2ce4bb0c298d41297f3a623bc59c7ee38000bebe5505c9d32dfcefde000277cb04711498aeda4bd5504c6f98001620443cffdfca4aae0c65507acf7fe315aa9982356c4033a30a689b1d41e3d91666ef1a56009a70736e9e7ffefaff5ef739c48e2ec15d2fbf75177507a83118fc569d4dddc7eeb55b16d2603840c1268d7a080318f3f7e3793b32dab6bb9f6f484362047311555dd27f723d7338fd0ca2a469fbb201acf5fdb1f47168775c6c2998a1985ee1070bb9695387a5859fd52407fefff3c7c9ffeffffffcfbfdfddef7dffbfd7ebe0fefeff7f37ddf3d7cdf879fabd34ceccce0cd69e76860756b3473d22635dc06602596a8636d7eedff86efa0aa0f60afb644edcdd2068dcb60e0783366366444c0c0ee66ac6ed936b3cefb6b9cd27cf009fae8831127a2f91aa7346f8c867d548b72d26441f2a1014a2c51b58f53b6eb66ec4d87078a7fa02a66f0e68c02147f60cd9cbdda31c0de7478a0f807d540ecd5aef3dd7e5debafbddeb46b7a10ab7d0fa8c1168556dc07ab3bc349151e56bba607b1daf72c35da063c704355f3eff7d9ab739cbda9f070ba353d88d3bdc7d4b816e5ec5581d37d261aed4d8587d3ad01d757f126b170f4e086a4209292521049229206251149412425ada14edccbe191177b109637073759c47210cb4939886511cb83b2887b082cd75fb9de94cf7e9ca6c6c0578ab2b60711e5bd438d6b514eaa4294cf92b3997d10b5415c7533f6a6c343d5b93d88aa9f156714a8ba7670a3ea58554bd558aa8e6debffaf7bf8f08d046f7c35fe1b6836a8c15601b573aad871b7a81444f2a26158d9bbed526d7fd67b79059eaa5bd2de4cfd9fb1572130b0bd19cb1b675c0103279b31bb11230aba6b6c11edcc5278983d921355cce0cd690b8c33831018788b1ab6a916c5cadc42548f6d3ec1bdbf78c139330881812de73735f880f6ea321c3ce6ec4d85073a33088181b76abdd1807d6954f34f6630f0f1c7692a3cac4b180cbc3dd4b816e5a4ea41acf13139a5c2c3ba848153ddfbc43923580e0fe7cce03218f8580aed4d8133c260e0ed881a0dceb80c068ec7b65658217f293cce0c22606067707346b002645c0103273066808c0818d881b102640d158e273318f8e4387b53e1c146040cec0c6ece0856808d2b60e004c60cb01101fe61b44b2c1c1d1ee2cce02a18f8149cb60a7189828177490db728b699d583883383d3c1cd54b5f3ea58e0cc200a06de15065b05b457d355ecb89bb337151eeacc200a0676cfbc33825dfbefb1a0bac45f3c7c9318687ef17d5c0baeef6f46ac94ed358981e68b6fca3eaa374e9ad480e4c34d8925ea5a031e976cfecddc47493ed3049affc1a72a66f056616fa645597b1506033b1a8c1560e32a18f0d0d6b7fafafdff9a6902cdff005ff34f6270e6bfd8f8ef37a91685da391a58dd99e63b3c0146f3036ac6ca5e0376a9167dae36db550a9ec440f30b1c67df2b3c50fc8154407bb54d8d6b51cee50a1c3ce1ec4d85078a3fa8014fffe98b7d0fd1e1d1b0da39d17c1203cd2f069c15567858ed9a1ec46adf436ab80dc04a2c51c7baa152f04c13687e303d88d3bd47a2f6a6c3c3e9e680d37dc6300a9c6e0d38dd7b0aa3c1f5555cfb9318683ee010d109c1c43401a3f9012fd72731d0bcc1c14d1291144452520a224944d67033f6a6c383e5c91e84e5c3c14d0e6259c4f2a02c623988e56407b15c7fa609343fd81e4494f7821a6c51a8ad4294cf0e27557888b2767023ca58454b5c55fb9318687eb1c7d99b0a0f55d70e6e541dab6aa91a4bd55c3596aada2731e813ed3f3b23e8690228fe0f0e558c153c7f6be788b2ba359a396973dba67ac3ca5c0d44ddbbd9fc6ae7797820be7175c05e6d29b0374ba2d0b80c068edb3766808c0818d8d560ace2894ef7f1bf7af898190c7ef47196acf03046080ebe35d4b816e5a4490d483ee4940a0fe3cc20047d6f3f62ec4d8707debed7f16406832fa9b037151e6884e0e05ba186db006cafaec2c15dae2f8d6afe9926107fe01ec43a33781bd4608b422bae1ec43a33f878344a151ed6250c07df5ed15daa0d78c2e386caac273318fcf824ed4d5d97cfc303f19f6128fe0b2cbee196387b553d887366f07144ed4d858733c2d031f7ee8ca0a709a0f807e941c899c127e0b4151ee41281833b839b33829e2680e21fa40721670627839b35d415f34c13883f480fc2ce0c76063767043d4d00c53fc865fc64068327839b33829a2680e21b310cdb2b0f6ece087a9a00ba9f552c9fcc60f0d38fd35478884b140ebe3bd4b816e5a4c92a347c7336b3c2439c1944e166d5cdd89b0e0f756670150e7e2ace2850230a07df0d35dc06607b553d883a33d8fd355a9df6ef3c7cfbec40bb664501abfdce07d14daa37a86dcdacee4c4bd26441f262c1ca5e0dbb54236bf34bc10b5e0d9ce3eccd94286384c0c0b60663199c71050c9c1860cc821851d027de7b3f3b58334dc06ae7cc2abcb668ff75a09d5358ed9a1505acf63b2035dca25899ab81a87b39db53ed3cd304da352b0a58ed77206ab055407b75190e1e73f6a6c203c51e6f5ffbec40fb2f03ed9a6902b6efe1f5c3feb58981f677e613ec9e53d304ac76cf39791283b38af788eea37ae3a4ea41acf633dc9458a2f6c6bac19bb1371d1e4e572b0a58edef8c448d02a76bb0daef4c1a321a9caec06a3f33435b77c73a43cf348176cd8a0256fb1e0e6e9288a420929252104922920625115943ed4f62a0fd1d1e676f2a3c58ee1505acf63b3435ae45397b553d08cb1f86b337151e2cf78a02d697e75ea2a1254a81d5fece82d356214a1756fb9d2535dc06609b593d882867073753a5e09926d0ae5951c06adfb3839baaa56a2c5573d558aa6aa93a56d53ecf0eba9dbff7f01d74bf731fa7991065c4051550bb67773bfe9b93260b920f0d506289aa7d7cb2f937731f25f94c13e8e6ac28e074bf7352616fa645597b1506033b1a8c1560e32a18f0d8e6e1b7ac7ca609747f461de8750f0f74ff32d2ad299c6ece8a024ef73b1a4eaaf030ce0c42dcb8b7961a6d3b9fcbcd7655cdf3f040f7af23dd9c69024ef71ea980f66a9b1ad7a29ccb153878c2d99b0a0f7466d02b0a38dffadcbc33829e26e07473561470badf3144adb0c2c3fa66dd2b0a38dd774cd16daa37ac540f629d19bcbdc50dd5897b1e1ee8d6ac28e074dfb114d89b0e0f779fa2ea41dcdde071fbf6a6c2c33933e815059cee3bae067bd3e1e1fa1495de273318f7c9c7692a3cc8a5571470baf764707346d0d3049c6e0e38ddef849c52e141ce0c1a9c4fc909636f3a3cd89941ad28e074bf1371f6a6c2839d19f48a024ef79d841a6e03b0bd9aad22a3e6daf71a019f6902dd9a15059cee3b0535d8a2505b3d883833f87438a9c2435c7a4501a7fb4e971a6d039efba8abcaac273318773ab83923a869024eb7664501a77b4f4718a3c1e9e680d37da6839b51e074efa9fdb757d58116ffd8d30422922617c0bfb4a2403a7ce9400a224944d2a024222988a4e496f9d5ce53241149839288a42092925210492292062511f5a0550f3b5f4a0ca4c325136f8d641f8c58fde7a5c440da7ce9401291144452520a2249445b76dd8cbde9f040b11e9abc941848878f1edea237151e28f68a02246d4e26bf4534a05840d2e1f4602f37ab5f8d2f3d3b901657142069f3a5034944521049492988241149839288b61aaa703c900e210591242269501291144452520a224944fd93ddebfeb746081fcf4b0752104949298824111db57f1fdb548b62a57a1092ee970e6e0dd5ce334d202dae2840d2e64b079288a42092925210492292062511d9f7da9fc4403a8414449288a44149445210494929882411396af7beeb4ddf77a85a2b0a9074f8d28114449288a4414944521049c93e157fefe1f3268b581e94452c07b19c94835816b13c288bd83da53280ff30bc1a38c7d99b2951c60881816d6a5c17cee50a1838e1eccd2c8811056dee16d1e191983d921355cce0cd690b8c33837ee900cb83b288e52096931e9dfafc3ed304f2e28a022cbf29e79d116ca980f6ea321c3c16b537151ee8cca057146079f3a50359c41e57abf9d73ae5cce07ee9400e6259c4f2a02c623988e5a41cc4b2887d47b84f9c33829e26c0f2e44b07584eca412c8b581e94452c07b19cf4bdac7ae3037911581e94452c07b19c94835816b13c288bd877e13e234f66307c430e6259c4f2a02ce2e3333a5385866fcede5478b033837ee9003b7fd825168e0e0f7166502b0ab07cf8d2811cc4b288e54159c47210cb49fbd8fbf3f0405e5c5180e5cd970e6411cb412c27e52096452c0fca22aee8fcdd872f6f222a678b124b142d51c62a5aa2c412255789258a96ec987f33f75192cf348132f7a503a2e42ab144d11265aca2254a2c5172fbc5dcda5f81b2164419ab6889124b945c2596285aa28c55b464c7aeda9fc440390b2596285aa28c55b44489254aae124b142de9df26de7fb2ce3488124b945c2596285aa28c55b44489254aee4e4375c53c45d11265aca2254a2c51729558a268893256d1921ef96b71f92b898172164a2c51b44419ab6889124b945c2596285ab2a3e166ec4d8707cbf5d20151729558a268893256d112259628b93d213fd7f5e7d981b276450151f6be74a06889124b945c2596285a7262ae0737454b5c55e178d5abd1739cbda9f050b557141065ef4b078a9628b144c9556289a2255de33f3b23e86902aace5d5140d5b32f1da8b154d55275acaaa56a2c55731d86ea28af7ead487defd5017bb5450db60ae872190c1c73f666460332226060971a6d039ee87497f8ab87af99c1e8fdd2811a4b552d55c7aa5aaac65235578da5aa96ba0b1c31f6a6c3f63c3c50ffac9c7fd1abc14785bda9f0406706bda280aa7b5f3a50b5548da56aae3b6d35ff14554bd5b1aa96aab154cd5563a9aaa5ea58554b3decf4897b5e4554cf428da5aa96aa63552d5563a99aabc652554b3d603ae4ce087a9a80aa73571450f5ec4b076a2c55b5541dab6aa91a4bd55c0ff17db13ed304eaffda5c1db0575bd4608b4297ba8c9fcc60f47ee9408da5aa96aa63552df54daa62f98a53ce0cee970ed458aa6aa93a56d5523596aab96a2c55b574b7ea66ec4ddf8f9e970ed458aae6aab154d55275acaaa5a727be7a10bdcdafa3a2f07fee01dfa78adef8f980615c2231ef9583830f17ce9b24f8577c6ffce0ba44621d0ef03ff7510392173563652f35da06646d7ed5fc3bbefbb8397b3325cad8ab1018d8a6c675e15cae808193cddecc6a204614f489f7dee9c0cfc1c9d78447f307a862066f516d0cab5ba3999336b76daa37acccd540d4bd2dd99e0ada8b179c581f304c24e6bd7270f0e1c29f4378a0f807d6c0daabe3f6ed4d85078af57ad7c1070c13f35e3938f870e1cf213cb0dbaf13fada1ea4ed570e0e3e5cf8e7263cac760d586de1003f3760b573c06a3f434ea9c26ad714d60dde8cbde9f070ba393d88d3f52b07071f2efc73034eb7069cae70809f1b70ba39e0748d0dcc3b432f85475aec41487a13d4608b426d05fd3fb455e3eee2f6fb40b28895b1bb54e3098f35d41979d9abe17b7093835816b13c288b580e62392907b12ce2f6ddfb8a336bc34394b93d88289f05a7adfef8ca7d47590ba2ec1ddc142d516289926baa2ed6572f38756d0fa2eadec14dd5523596aab96a2c55b5541dab6ab37d61fdbd07203318f8dcc769264419714105d4eea1c675e1a4c92a347c73ca5c0d445dabf9f1c9e6dfcc7d54fbff063833b80e0c7c4ea2f6665a036bafc2606007c6ca868dab60c0639bcdacfd35e171661002036f417493ea0d6ae7686075675a922a3c8c33831018786bb14bb5e873b9d9aeba149ecc60e0286cce08a6c2033735f880f66afb7ff6a6c3039d195c02031fc500a3008d1070c2e8e69d112c8787756670190c7c0cce0a0bac1106036f931a6e51ac540f628db7977343b5bf6e2c70661006036f8b1a6c15d05e550fe29c197c6ccede547838230c06de2e35da063ce89897de2733183819dc9c11cc8407191130b0036305c8b802064e60cc6cc888800d0d37636f3a3cd899c115307032b8392398013622606007c60ab071050c9ca0256b7fe5bee3cc200a067607376704abe121c65530700a6316c48882815d18ab20ae2a054f6630f0e971f6a6c2438d281878d7d4b816e5ec55f520eacce0f49a7146301b1e6aecda7ff7a0b276e98ffde460699a80f1070c2f2512bffac069e76860756b3473d22635dc06602596a8636d7eedcf34813f60184a24defa9cdff0664914daabcb60e0783366366444c0c0ee66ac6e4f70dacc3aef4f62b0c7d70f3e411f7d3062fd167d4d62e00f187e85d1b08f6a514e9a2c483e34408925aaf6b9da6cd7cdd89b0e0f14ff4055cce0cd190528d6070c1389af10038c0614ffa01a88bdf2d0e63359d7fa334de00f18861289af06d4608b422bee83d59de1a40a0fab5dd38358ed7b961a6d039e81c00d55cd9318f80386bf9ae3ec4d8587d3ade9419cee3da6c6b52867af0a9cee33d1686f2a3c9c6e0db8be8a378985a30737240591949482481291342889480a2229690d75e29e69027fc0309448bcc5c14d16b11cc472520e6259c4f2a02ce21e02cbf52731f0070c7fb51fa7a931f09926304289c4573bd4b816e5a4ea4144f92c399bd907511bc45537636f3a3c549ddb83a8fa59714681aa6b0737aa8e55b5548da5ead8bef6ffde03384de00f18861289ad896c7fb870693af8c569027fc0f05222713435e90f174e011aa144626bb2c9589ab279f1e181ef33158d173383c17bfac01f2e9cfa11fee2c3037fc03094486cfd20f4870b977e56bdf8f0c01f30bc94481ca5f8fe70e154a2fce2c3037fc0309418784b443bd3d304d0b894481cdd86fde1c2a99bd98bd304fe80612891d81a58fde1c22540e3522271d4557c4feff3fb4c13f803865b617b3283c1dbf95b830f68af2ec3c163cede5478a03383101c7cabd61b0dd8974635ff6406831f7f9ca6c2c3ba84e1e0db438d6b514eaa1ec41a1f93532a3cac4b18faccddbb33829e2680eea180e1a544e2575687f6a6c2c3393308c3c1b7d3d46c72e6653878fc6eeb0e2be4cfe481050c4389c45b79b93923e83201342f25121f8566119aa144e2add06cc2cd1e2a1ccfe481050c7f95b3d99b0a0f76661081833b2f3767045d26801630bc94487c149a4568861203f7636636a1792991f85561d35678883383281c7c97a6e16e8a3dcc7a82883383d3979b4d759ea74c20fe2ff57e03f66acb34d85d401fd33fb1e36e9bbda9f05067065138b87be59d11ec8eff7e17d405fdeb076c626001c35f7f9f4d33d194112b657b6d626001c3afbfe13e538393267b40f2219458a2ae1dc0e392877f5bee6fb57ce60e2c60783991f8f5a72eec4d5da367eec00286e144e2eb2f3dd89b95a6d85e5d0503bb03e861d6757fca0416300c2712d35b0e0e840b97c99a9713895f634edfe109309a5e51c09a5f6307b06beaa6cfdde6715507cfdc81050c7f8db3d9f70a0f148b89c4d7b0695c37e5ecd515387862b337151e28f68a02b6cbfdfe136ee1c2e53201bb3798b5a280d5fe7a607387151e56db642d60f8f5d034dc03c04a2c51c7fa44d5c133776001c37022f1f5a8a9bde9f070ba5a51c05ac0f0d7e3a6f6a6c2c3e97a45016b01c3afa74ded4d8787ebbbb83e2f39251dbe223a21982e13b016300c27126ff3e52689480a22292905912422f7705bec4d8707cbb5a280b580e1c77cb9c9412c8b581e94452c07b19cec2096eb4f99c00286e144e2eb8569b09b426d3d4144f9ecd8a40a0f517a45016b01c3af774da33dcee755e09feaf324061630fcf59ecdde5478a8da2b0a580b187ebd368deba69cbdaa2788aa9f8dcd17bec243d55e51c0f653ea7f3b23e832016701c3cb89c4af0f4db531accfb3a6674eda3cb64d0daccced81a87be1e1d7799ec9030b18861389af4f1dd89ba5a6d05e5d0603f7b57346506502ce0286e144e2eb6b0ff666b5e9139d7ec6ffea0197198cfbe8b3b9658587317b45016701c3af35a671dd9493267b40f2a14da9f030ce0c7a4501e73f2047167bd3e181ce0ca69c7f30eea52eec4d85079abda280b380e1d78a69b80780edd55538b86beb5ba34eff94092c60184e24a6b71c1c08172e6748af2b1358c0f07222f16b4f8f5285877566d02b0a380b187eed6dba6bea013ce1f1896a584f6630eee36b696feabe7c260ff605b7571470e72ed576537be33371f6aa9e20ce99c1c7696a6f2a3c9cd92b0a3877ec903b23e832016701c3cb89c4af039bb6c2839c19f48a02ce02866fe7e5e68ca0cb049c6e7a4501a7fb38740f75c73c65020b18861389b7f3727346d0e4cccb89c4c7a159e4cc7022f176683639a77615cb273318f7e967d35478888f5e51c059c0f0eb8e695c37e5a4c99fd0f06df3302b3cc49941af28e07c1b9e5aec4d87873a33a815059c050c7f5dd9ec4d85873a33e815059c050cbf6e4cc33d006cafea09a2ce0cbce5a0850bffe6019a3bb080612491d8d97460ae009957128913983340662491d881b902b435fceae005af06ced9eccd5453c60c8181ed1ecc6572665dd22731b080e1c9a6030b17ce94099019490cb8ac69ae1099571289934d07e60c911949247668ae1099571289136e8da7cef394092c6018492476361d58b87085c8bc92489cd09c01322389c40ecc15a0ae25d7e7a5c4c00286279b0e2c5c3803644612891d982b40e69544e204e60c9019490cdc45707385c8bc92489cc09c01322389c40ecc1520f34a227182aedfd7e7a5c3028691446207162e5c2913a0ad981791050c4f7074fefe2259c4cad85d53377dee37f7509f2731b080e1c9a6030b17ce9409901949247668ae1099571289139a3344662431e029137365d30132af241227306780cc4822b1037305488a20f3048e5a7f9e3281b4b2a20059c07067d381850b5780cc2b89c409cc1920339248ecc05c01ea17c9ffbe070818264e0e0b17ce00cb0a367760ae009b571289139833c0662431704fb0992b65022ccf2ce9bf050c13279b0e2c5c385326c0662491d8a1b9426c5e49244ee867bc46f994092c6018492476361dc80a36ae241227b070e14c99009b91446287e60ab1df4e53bf3c930716303cd97460e1c21960339248ecc05c0136af241227306780cd486260e7f4ce089ad8bc92489cc0c28533c0662491d881b9026c5e49244ee0bf087de19ec9030b184612899d4d07162e5c0136af241227306780cd4822b10373a54c80fdb7acfa7db6225ac0f064d381850b67ca04d88c24123b345788cd2b89c409cd1962339218b827efcd1562f34a2271b2e9c09c2196776e86273318f6a683e3f17478b0592b0ab0050c4f361db865bd019fc9030b184612899d4d07162e5c0136af241227306780cd4822b1037305d83ef65df86406c3372d5c38036c01c34822b1037305588e60f304e60cb0194908abffec32814a7c5c4d244e371d58b87096c48c2612df7eec61dbd44db132f720aa5f6d3bc3aff33c9b0e149558c070178a4a8cab89c429942831a289c42e1495f4aadbaa9dbd921858c0f074d3811225463491d885a212254a8c5358b8f04f111e46d307d919d76db1371d1e28d6a603a2642d5c380b6201c36822b10bf3a7080f146b4501b180e1e9a6835ed354bb9e5e993bb080613491f876d074d3d480eeb8bfaceecc210591dc4f10abf5a6030b17ae82ec9ca8c2f1ac28b080e1e9a6030b17ce8298d14462178a4a8cab89c429942831a289012f23b370e16a998098571389d34d07e62c89194d243ee500b64ddd142bf50421e9de74b0d3439de7291358c0309a48ec6e3ab070e12a8979359138a5390b624613895d98ab20fdd7b6eaf2af240616303cdd7460e1c25910339a48ecc2fce98687f8d6a8150564e742df9b0e4e86d95fa2f61344fcd36db137fd7787aab5a28058c0f074d381850b6741cc6822b10b7315c4bc9a489ca29df97b0f2854959abbb070e16a9980aab32a2eaf6606a3b7168a850b67cb04d40286d1446257ddc25c2575382a03b8050c13a79b0e2c5c385b26a0663491d8a5b94a6a5e4d244e69ce929ad1c48097a8ee66044be161f6b49cf88919bc6dda22e3cca0371d500b18eec2c2853dec5af44e1eba62c5bd7b73e6adbf5fdfd732c114305cba62c51795f33323b8a98bcee9d5c19d47dedd747ab385a7736606fb8a82de296078eb8ae8295c78edbae247270fe6c3bb9dfeb14ecdcce0658deb142ebc74d341ef14305cba62c5adab1627af65efe4a12b56dc8bc94bd13bb974c5112f0b9a27af2d13f44e1eba62c5bd9b0e5a97f64e2c5db1e2d6d9ff5b3382bd4cd03b79e88a15f7cee7ce17e5f634beaa154d01c3a52bd63ec4ed361d4ce1c2eb9509fa4d1e6eb5badf9ccbe4e5d86f72b9d5ea769b0e26afc77ef355bf5f91d7cce0782f9b0ea670e1e5aa8b8f2b134c01c3e556abdb6d3a98c285d743bfc9c3ad56f7ab5d4c5eae02f0b832c114305c6e753497bf4fe1c2cfefc2d3776606db8a827e53c0f07eff7d31850b3fbb0b4fdf99eaee2b0afa4d01c3db658c53b8f07a79d7e3260fda5d6e4541bf296078bf1ce076a6edc2bd4e1e4c01c3e556abfbbdd5e7ab717e5f270fa680e1e156abc73da7f366dfbfaf930753c070b9d5ea7e57fe65f8f3bbbfdcfe32bedff8847c618b8bfff7c2696bb137edd1f233af8b9ead6e613abefde8aff5257be8dde69eb6b6973afab6bbd600d69bc37fb1bc7cb7614ea1a26bfc3f17ee0a8a5f0af9c216db4f2fb6e9cd657ae835bd5aa63bbaade938fb00facce370ddd1ed6cfb85dfc2d3a3c5b6e1e01ef2852d3699c6d9f496a61d3d5b5da2875eeddd03ad97ecdde69a03e8d3f658b733edc76b78e6b8b62bf248af8e797f2da7375b787ab6dc5613dc43beb0c5261139cf33bdd9c3d3b3e567b687ded3abfb0e607ab385a767cb4dbe708d25bef4ab87b67e2ddfa257ab4bec688f6a6fad76fb06d7802ddc7128bf14632e6cb1d8ceebaff52d97701bd29eb54fdb6d0fead56aef70f045fcba9bee7c1eafc1b5778d3da8bff6b60e07d7802ddc487bd69eb356db1ed45f7b7b87836bc016ee18985f8a3117b6d8cedaff813eb356b7231d6fff3f5f65c1bee0ad113f7a0f6afd65fed05a6c9ba777eb6b0ab7dead8fd9ba65efd64bf66ebd66eb257bb76ed97b2ee185326bb36f9e3e6d2eb907f569734fe1d666c93e6d5af66973cc362dfbb459b24f9b357789b1b5cac76e9eb6d7da83fab6bd95706bdbaa6fdba5fab65dabed527ddbb6eadbf6586d5bf59d676d4de1710daedd97f568b336dbe6e9d7ee5a7b50bf76b7126eed5af56bb754bf766bb55baa5fbb565b2fc4fff1c7ef97fffbfbbffffcbfbffcf60fe6e7c7e3fb130449f16886edf7477e4090148f66d8af70240882200882200892244992244992a4288aa2288aa2281e8fc7e3f1783c1e8fa6699aa6699aa6198661188661188665599665599665398ee3388ee3b87e3f214f00000000000000000000000000000000000000000000000000000000000000000000000000100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441100441902449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449521445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e8fc7e3f1783c1e4dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd3344dd334c3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300cc3300ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22ccbb22cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc771fd7e42f715000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010044110044110c4bfc50f0f0000008220088220088220499224499224498aa2288aa2288ae2f1783c1e8fc7e3f1689aa6699aa6699a611886611886615896655996655996e3388ee3388efb7fdffdf1fbe5affff39fffff1f7ffafd7ffdf9cf7ffaddfffdf2db3ffc7c3fbfaad837bf5dbe83bbfad99c77fd46b5ff35fa67ef1bd2e7d7bf2fdf9886be46fd2c3f63ce5fff7efbf3e1fc573ff1e47e7ea33fb174323eef8b2fbe789a5fc493fdc5c9fae2647f71b2be78fbcb2f63c8902143d679babeaaea597fb5669fde571bf3af7ef5f1d7bfe278fa7daf7ef5ab5ffdea77babfaebbeebaebaefbf47c534f3df5d453cfa9fdf6747c5b6fbdf556fbfefdeebbfaeaabafbefadef6f39133cf3f3f55fceb7eb8fe3229f3e73f7ff6f3d97ed659bf857110044130081e7a983061c2840933e003030303030307fbb061c3860d1b76700f172e5cb870e1067ad0370a9fa7f7303df5c3f4940fd356f86bf3c678e00707070707070ff2909090909090411f1a1a1a1afa2d526930df9b724ede9b937e73926fb6f0b5e56f618037080808080818cc9b0913264c983003be6160606060e060df6cd8b061c3861ddc9b0b172e5cb87003bd5150505050d0c06f1c1c1c1c1c3cc89b84848484840cfaa6a1a1a1a1df1206fc1e030303030307c46360606060e059cee33bf458f1291fe3df788c253f701ff9f80e3d56dcca7e3ddb6ff8512295fcc07ddcc777e8b1e2db7c5cb661c30eeef1c2d5575fb870033d2aa856ada0a0811f1d5cbb7670f0208f09a953272464d0c786d6ad1b5af7fdfbbdfd7e65a550b54ff9f686dadf787bada8dc0fdcb778fb0ebdadf66dbe45080818ccdb09534f3d61c20cf89681356b06060ef6ed86adb7deb06107f7f6c2d5575fb87003bd5550ad5a414103bf7570eddac1c183bc4d489d3a212183be6d68ddbaa1df228106f7bd0b575f7de1c20d0eefc2d5575fb870839b77e1eaab2f5cb8c1f15db8faea0b176e4bbe65e586adb7deb06107f7eec2d5575fb87003bd5350ad5a414103bf7370eddac1c183bc4b489d3a212183be6b68ddbaa1dfe207fa9e826ad50a0a1a084f41b56a05050d344f41b56a05050dc4a7a05ab58282ce6a9ffedad35d41cffbf451abd45f7bba63fabfd7d33d1dcbfaeaabafbefaceeb49b56ad5aa55ebbc9f5cbb76eddab5cfe72975ead4a953e77c9f5ab76eddba65dfebeff9fbb3fe7ed972a676e9e7cf9f3b8f67d4a851a3468df3f33cf5d4534f3df59ce7336bd6ac59b3e6f97dde7aebadb7de7acfdff3d5575f7df5d5775ecfaa55ab56ad5ae7fdecdab56bd7ae7d3ecfa953a74e9d3ae7fbdcba75ebd6fd66c9723edf4b9d3a75ead4391fbcd4a953a74e9df399973a1ecec9c9c9791cbee4e4e4e4e43ccebee4e4e4e4e43ccebde4e4e4e4e4ace4790db3b2b2b2b21efbc5d9d9d9d9d98ff3929c9c9c9c9cc77d696e6e6eeef3eb2b8ffbbde6e6e6e6e63e2e5e73737373731f775e73737373731f97afb9b9b9b9b98fbbafb9b9b9b9b98f7bafb9b9b9b9b98fabd7dcdcdcdcdcc7f56b6e6e6e6eeee3e63537373737f771fb9a9b9b9b9bbb20777ffcc996f7f1dd107a1fdfe7fbf8aeb4bc8feff306dfc7793d17441b07000000ace76067e330180c06b39e57978d03411004d71357b1a92f168bc562d7b370b059cb381c0e875be966db42100441eb289b372d0a8661185ec7e7ba69c7088220c83ab0c7cdde83a228ba914f05be07000000006b14891b07000000ac435bd838000000601d29c3c6010000008bcdc6010000006b049d1b07000000ac4386da38000000601d81d4c6010000006b08d21b07000000ac839ed838000000a098ef6130180c06530c1e0683c160306bb8551b87c160309862f830180c06835983c0da380c0683c1acd1516d1c0683c1607ad20d67088220a8f0c3188661182ef23079aa37b8c8d78c3deefcb23a4a3cd55e3e725e8aaefa167d98be2867144537b7eb0a7e0f7caebfbc727ebff455f892efed4ee792eb10115f503e15c4039f2b30af9cd7d843bebcbddde9425d9c81621e38180c068329f84082200882c53e70b1582c165bdc030f87c3e1702bddd4178220082afc40c3300cc3451e18044110a4e8038ba228bab9cfa9d8ef615fac7cc262b1d862f1b0582c168b5d0bd8dcae7bb11e8bc5628be5c362b1582cb6d87d582c168bc5167b0f8bc562b1d8de74535f088220a8f0c31a8661182ef2b0411004418a3e6c51144537f78717f73ddc8bbbee84c3e170c5e1e170381c0e57dc3c1c0e87c3e18ae3c3e170381caeb87d381c0e87c315770f87c3e170b8beb069c710044150e187330cc3305ce4e182200882147db8a2288a6e1eab2bf43de8856ed741100415c283200882a042f320088220a8101f0441100415da074110044185ee41100441502b6cd63204411074e307b5e90f20f904411054280f822008820af541100441d0012af97cdbbef07d4e300cc30b0bf7053803000000c53c7830180c0673c30705eb0fe000c330bcc08437b7eb601886e18581be79acee85e5130cc3703bddac65088220e8c60fcad71fc00186617881c86fee0f8761188697ed8b4d806118868b7c0f411004418ae0210882204891790882200852840f411004418aec431004419005b7b5d1237891eb4e08822047bad9b6100441d08d1f54b83f40e413822048913c0441100429d28720088220c51ef253188661182e1c0ac3300cc38551188661182e9c0ac3300cc3854b61188661b8702b0cc3300cb7c386330683c1606e56a108fe4138c0300c173e85611886e1c25618866178a31b5ef09e88f491af199be907cdf97d9e7c7a816e78c10b11e90bd7d8143ed30ece08448178000000b849a11b1ee9235f3336d3655e9c91c89b12bae191be708d4de11f366714eaa6856e78a48f7ccdd8b8f3cbb196d1e8956e386330180ce666856e78a42fe73536e4cbdb5b9f2ed4b77597a28bf3cd09ddf0c811aeb121ffb039e3703716bae1913e7fcdd84c67dac119dec8a7229e0804028140141122100804025104221008040251448a40201008c4aadcc6211008046241f56e1c028140203ad24d7d31180c0673b342373cd297f31a9bc267da515f2cf6e6846e78e4c8f97dd157bce47bebd3b9e4c1197763a11b1ee9235f3336d3655e9ce18d7c2a78020000000521000000b0e0ac370e000040410a000000149400000040410b00000034e9a6be180c0683b959a11b1ee9cb798d0df9f2f6d6a70b7571c6de9cd00d070000508005000080827c020000404186000000509008000000059902000040419600000050902d0000007c21d34d3bc6603018cccd0a0f0000a0204f00000028480b00000005f504000080820a010000a059c0463ea1502814aaa8148542a150a8a24a140a8542a18a6a5128140a85ea4a376b1983c16030c58a5a2c168bc5de9cd00d0700005050160000000afa09000000051d02000040412300000014740a000000055d0200004041b7000000f085f64f7c2ff93c7fa99c2ef9be54bd7fd78c8fc55da8c7dbb9e41fb81467bd58be79b1d8bcd84f4f6064f792cff3aa2b0e970ff7a98556786f38153ed62f0c6767ffdd794227bc379ce7aecccff93e45c9ee215fe2b1b473c983efa72160b27bc9a7c247402072203e45e883f786f3bc020019b0d24d5d73229139919f96d005ef259fe7b57e51a85ca84f5b6882f78653e1832f1a9d1b5d8c98c983c1e4c1142b66f362b179b1c589b97c385c3e5c6131ce86e1ec8d2c2af689cd8bc5e6c5161b62f362b179b1c522362f169b17db9b6e7c4e243227b228b1950b85ca852a5a6ce746a373a38b113b7930983c9862c56e5e2c362fb638b1970f87cb872b2cd6d9309cbdf1c53d71f970b87cb8e2425c3e1c2e1fae38c4e5c3e1f2e10ebf59bf3991c89cc8a2c4552e142a17aa68719d1b8dce8d2e46dce4c160f2608a15b779b1d8bcd8e2c45d3e1c2e1faeb03867c370f6e63a51e1279c0dc3d970e110ce86e16cb830c2d9309c0db7fdc6e7442273228b12ae5c28542e54d1c29d1b8dce8d2e4678f260307930c50a6f5e2c362fb638e1cb87c3e5c3151676360c673fbd6df68f3ed787fffef9fadb5f3ff9fec74185fcf3104a955aa3d5c9c380e8182243e7f011ba8756d03bec80b649fe0e73f59da6dcbbcd9cf79a006f9bc7ee301ddd695ab9dbf470af69deb6e9da0ed3ae9da64fbb4d83fef1aa4e65d3921da6177f9f3215d8634aefdba96dfaadc3345aa7e9b06e135bbda6a8da269b3a4c1b7d4b6d99e539ccd7fcaba7b5eee942872e75a56b99a1f8763a9b50e83035d009c9df0d5ddf0bf13e86429f80099f84d09e86979e855e1ec3124f40f64ec2d94e43bdcec2a08e214227e03327a125a76117672109c7707d13507693306fd31068b3f06063e8ac0958a949c8a56938a259a89e318ccd04c4cb24fcc93434c8d7156cc6185262026e61128a60ba9bfe6c17f671f7ee89aecf93dd82a7bbccce76271d77b59ce88638d9456fbafbda6cd7ae71b7a7892e4193dd65a6bb92cc76b31877419850cfff9af280ae4f63ddb3c8f318079e40652731d269c4f2eb0a3f1ca37913d8da24d2358d3bcda240634c66022199c42ba6d183d9587e1c594fc4b99351e7740c381b918de3a3896865327698b6e4672debb1a53b6179feca129cb6cc662da5b1e5326149fc4ab24f4bda59c93796441392e15723f5f4c8393b928d47968996feab9637dd12664be6cfb6f23de50be543f952f94af95af946f956f94ef9ac8ca78c5006ca48659472f3fccf1e65ac324e1956f294841294a49252d24a46c92a392556e65366280bcebf2b9559ca6c658e325799a74c2beb292b9485726bfbcf2865b5b24659abac539695fd941dca46d9a9ec52762b7b948bd6ff6f1802e0946d55cd5fffa2e69f7cf8f8e97ffffcffbd2eff0b4701f8e1ebdffe3dff299febc3f7fffef7f3ef5ffff7fd771f3e7efae57fb55100debffb1c', '2026-11-15T07:04:46.969Z', '2026-11-15T07:04:46.969Z');
INSERT INTO "flight_tracks" VALUES (5, 2, 'gpx', null, x'1b210000c46d6c7db742ada075c5d958153212c506c87dac5dacd07d1aaa4f9300', '2026-11-15T07:04:47.247Z', '2026-11-15T07:04:47.247Z');
INSERT INTO "flight_values" VALUES (1, 1, '"007"');
INSERT INTO "flight_values" VALUES (1, 2, '"Tab\t, quote \", backslash \\, line\nbreak, é, 漢字, 🛫, ' || char(8232) || ', , ﻿, : # - {} [] & * ! | > % @ `"');
INSERT INTO "flight_values" VALUES (1, 3, '1e+21');
INSERT INTO "flight_values" VALUES (1, 4, 'false');
INSERT INTO "flight_values" VALUES (1, 5, '"2025-01-02"');
INSERT INTO "flight_values" VALUES (1, 6, '"none"');
INSERT INTO "flight_values" VALUES (1, 7, '["null","sun"]');
INSERT INTO "flight_values" VALUES (1, 8, '11');
INSERT INTO "flight_values" VALUES (1, 9, '4');
INSERT INTO "flight_values" VALUES (1, 10, '3');
INSERT INTO "flight_values" VALUES (1, 11, '"null"');
INSERT INTO "flight_values" VALUES (1, 12, '"no"');
INSERT INTO "flight_values" VALUES (1, 13, '"1"');
INSERT INTO "flight_values" VALUES (1, 14, '"false"');
INSERT INTO "flight_values" VALUES (1, 15, '"010"');
INSERT INTO "flight_values" VALUES (1, 16, '"1e5"');
INSERT INTO "flight_values" VALUES (1, 17, '"0x1f"');
INSERT INTO "flight_values" VALUES (1, 18, '"~"');
INSERT INTO "flight_values" VALUES (1, 19, '"kept although inactive"');
INSERT INTO "flights" VALUES (1, '2025-05-03', 'day', '2025-05-03T10:20:00.123Z', '2025-05-03T13:15:00.000Z', '2025-05-03T10:15:00.000Z', '2025-05-03T13:10:00.000Z', '2025-05-03T10:30:00.000Z', '2025-05-03T10:31:00.000Z', '2025-05-03T13:00:00.000Z', '2025-05-03T13:01:00.000Z', 1, '', 'no', '1e3', '~', 'lx 20-84', 'HB-JCA', 'Tab	, quote ", backslash \, line' || char(10) || 'break, é, 漢字, 🛫, ' || char(8232) || ', , ﻿, : # - {} [] & * ! | > % @ `', 1, 2, 2, 1, 1723077.557647938, 1746278100000, '2026-11-15T07:04:46.969Z', '2026-11-15T07:04:46.969Z');
INSERT INTO "flights" VALUES (2, '2020-02-01', 'month', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 7, 6, 3, null, 7089337.585372559, 1582973999999, '2026-11-15T07:04:47.206Z', '2026-11-15T07:04:47.206Z');
INSERT INTO "flights" VALUES (3, '1999-01-01', 'year', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 6, 7, 1, null, 7089337.585372559, 946720799999, '2026-11-15T07:04:47.226Z', '2026-11-15T07:04:47.226Z');
INSERT INTO "flights" VALUES (4, '0001-01-01', 'day', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, '', 8, 8, null, null, 0, -62135641984000, '2026-11-15T07:04:47.233Z', '2026-11-15T07:04:47.233Z');
INSERT INTO "flights" VALUES (5, '2024-07-01', 'day', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 10, 1, null, 2, 6824844.836104058, 1719771300000, '2026-11-15T07:04:47.247Z', '2026-11-15T07:04:47.247Z');
INSERT INTO "flights" VALUES (6, '2024-07-02', 'day', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 11, 1, 4, 3, 14673351.00749485, 1719857700000, '2026-11-15T07:04:47.253Z', '2026-11-15T07:04:47.253Z');
INSERT INTO "flights" VALUES (7, '2023-03-03', 'day', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 4, 3, null, null, 979614.3565474469, 1677798000000, '2026-11-15T07:04:47.274Z', '2026-11-15T07:04:47.274Z');
INSERT INTO "flights" VALUES (8, '2023-03-03', 'day', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 4, 3, null, null, 979614.3565474469, 1677798000000, '2026-11-15T07:04:47.291Z', '2026-11-15T07:04:47.291Z');
INSERT INTO "oauth_access_tokens" VALUES ('o7i0kkeaecnlrmzalpnkn3oc', 1, 1794729887494, null);
INSERT INTO "oauth_clients" VALUES ('client_SFWCQkj32_8en0P0Kmvj56Cu', 'Trip board', '["https://board.example/cb"]', 'none', null, 1794726287394, 1794726287394);
INSERT INTO "oauth_codes" VALUES (x'6339690e27f20191914b93883097b51f0814a5921d263265d5aaffe3e5529afc', 1, 'https://board.example/cb', '["flight.read.own"]', 'M2Pmd6JISbTIEx81kL8Da3NRuPbhsd9PeriKNXkorOw', 1794726347465, 1794726287494, 1);
INSERT INTO "oauth_families" VALUES (1, 1, 1794726287494, null);
INSERT INTO "oauth_grants" VALUES (1, 'client_SFWCQkj32_8en0P0Kmvj56Cu', 'gx9mjov3ng07q1s', 'http://localhost:3000/api/v1', '["flight.read.own"]', 'board.example', 1794726287465, null);
INSERT INTO "oauth_refresh_tokens" VALUES (x'095d6f79b05f4ff5d7253800b91647db9b016fbcc8fed5bb87f353ed5b9ec50c', 1, '["flight.read.own"]', 1794726287494, 1797318287494, null, null, null);
INSERT INTO "oauth_requests" VALUES ('q', 'client_SFWCQkj32_8en0P0Kmvj56Cu', '', '', '[]', null, '', x'05', 'gx9mjov3ng07q1s', 0);
INSERT INTO "passenger_values" VALUES (2, 20, '-0.5');
INSERT INTO "passenger_values" VALUES (2, 21, '4');
INSERT INTO "passenger_values" VALUES (2, 22, '"fish"');
INSERT INTO "passenger_values" VALUES (4, 20, '5e-7');
INSERT INTO "passengers" VALUES (1, 1, 'x7r4zbna5f26s6u', null, 'pilot', '0A', 'private', 'crew', '2025-05-03');
INSERT INTO "passengers" VALUES (2, 1, 'gx9mjov3ng07q1s', null, 'window', null, null, null, '2025-05-03');
INSERT INTO "passengers" VALUES (3, 1, null, 'Noor', null, null, null, null, '2025-05-03');
INSERT INTO "passengers" VALUES (4, 1, null, 'Ådél (2)', null, null, 'economy+', null, '2025-05-03');
INSERT INTO "passengers" VALUES (5, 2, 'gx9mjov3ng07q1s', null, null, null, null, null, '2020-02-01');
INSERT INTO "passengers" VALUES (6, 3, 'pkge5p02yu636ej', null, null, null, null, null, '1999-01-01');
INSERT INTO "passengers" VALUES (7, 3, 'gx9mjov3ng07q1s', null, null, null, null, null, '1999-01-01');
INSERT INTO "passengers" VALUES (8, 4, null, 'Only a guest', null, null, null, null, '0001-01-01');
INSERT INTO "passengers" VALUES (9, 5, '68kmsbx3ij0jlob', null, null, null, null, null, '2024-07-01');
INSERT INTO "passengers" VALUES (10, 6, 'gx9mjov3ng07q1s', null, null, null, null, null, '2024-07-02');
INSERT INTO "passengers" VALUES (11, 7, 'gx9mjov3ng07q1s', null, null, null, null, null, '2023-03-03');
INSERT INTO "passengers" VALUES (12, 8, 'gx9mjov3ng07q1s', null, null, null, null, null, '2023-03-03');
INSERT INTO "preferences" VALUES ('gx9mjov3ng07q1s', '', '', '', '', '', '', '', '');
INSERT INTO "roles" VALUES ('role-user', 'User', 'user', null, '["flight.read.own","flight.create.own","flight.update.own","flight.delete.own","flight.import.own","flight.export.own","flight.passengers.manage.own","flight.share.own","users.directory.read"]', 1, 1794726285383, 1794726285383);
INSERT INTO "roles" VALUES ('role-administrator', 'Administrator', 'administrator', null, '["flight.read.any","flight.create.any","flight.update.any","flight.delete.any","flight.import.any","flight.export.any","flight.passengers.manage.any","flight.share.own","users.directory.read","users.create","users.update","users.delete","users.roles.assign","data.airports.manage","data.aircraft.manage","data.airlines.manage","custom_fields.manage"]', 0, 1794726285383, 1794726285383);
INSERT INTO "sessions" VALUES (x'01', 'gx9mjov3ng07q1s', 0, 0);
INSERT INTO "settings" VALUES ('reference_generation', '4');
INSERT INTO "settings" VALUES ('a', 'b');
INSERT INTO "shares" VALUES (1, 'gx9mjov3ng07q1s', 'ppgkjv8503fi', null, null, null, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1794726287564);
INSERT INTO "signing_keys" VALUES ('5tyhkukqlf52mvt', '{}', 1794726287527);
INSERT INTO "users" VALUES ('68kmsbx3ij0jlob', 'boss', 'The Boss', 'none', null, 1, 1794726285522, 1794726285522);
INSERT INTO "users" VALUES ('gx9mjov3ng07q1s', 'mira', 'Mira "M" Å', 'none', 'role-user', 0, 1794726285522, 1794726285522);
INSERT INTO "users" VALUES ('x7r4zbna5f26s6u', 'Noor', 'Noor', 'none', 'role-user', 0, 1794726285522, 1794726285522);
INSERT INTO "users" VALUES ('pkge5p02yu636ej', 'jon', 'Jón Þór 🛩', 'none', 'role-user', 0, 1794726285522, 1794726285522);
INSERT INTO "visited_countries" VALUES (1, 'gx9mjov3ng07q1s', 'NO', 'visited', null);
