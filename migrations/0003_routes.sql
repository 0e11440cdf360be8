CREATE TABLE `route_blocks` (
	`airline` text NOT NULL,
	`first_number` integer NOT NULL,
	`packed` blob NOT NULL,
	PRIMARY KEY(`airline`, `first_number`)
) STRICT;
