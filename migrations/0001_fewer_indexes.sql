DROP INDEX `flights_from`;--> statement-breakpoint
DROP INDEX `flights_to`;--> statement-breakpoint
DROP INDEX `flights_airline`;--> statement-breakpoint
DROP INDEX `flights_aircraft`;--> statement-breakpoint
DROP INDEX `passengers_flight`;--> statement-breakpoint
DROP INDEX `passengers_one_user`;--> statement-breakpoint
DROP INDEX `passengers_one_guest`;--> statement-breakpoint
CREATE UNIQUE INDEX `passengers_once` ON `passengers` (`flight_id`,case when user_id is null then ' ' || guest_name else user_id end);