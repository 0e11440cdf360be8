CREATE INDEX `flights_by_origin` ON `flights` (`from_id`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `flights_by_destination` ON `flights` (`to_id`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `flights_by_airline` ON `flights` (`airline_id`,`date`,`id`) WHERE airline_id is not null;--> statement-breakpoint
CREATE INDEX `flights_by_aircraft` ON `flights` (`aircraft_id`,`date`,`id`) WHERE aircraft_id is not null;--> statement-breakpoint
CREATE INDEX `flights_by_number` ON `flights` (replace(replace(upper(flight_number), ' ', ''), '-', ''),`date`,`id`) WHERE flight_number is not null;--> statement-breakpoint
CREATE INDEX `flights_by_registration` ON `flights` (replace(replace(upper(aircraft_reg), ' ', ''), '-', ''),`date`,`id`) WHERE aircraft_reg is not null;