DROP INDEX `flights_by_airline`;--> statement-breakpoint
DROP INDEX `flights_by_aircraft`;--> statement-breakpoint
CREATE INDEX `flights_by_airline` ON `flights` (`airline_id`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `flights_by_aircraft` ON `flights` (`aircraft_id`,`date`,`id`);