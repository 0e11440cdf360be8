-- Of a new flight, and of who comes aboard, the program itself tells the feed (domain/flights/feed-entries.ts).
DROP TRIGGER flight_created;
--> statement-breakpoint
DROP TRIGGER passenger_added;
--> statement-breakpoint
-- As before, and whatever other hands put into these tables is in the feed from its next change on.
DROP TRIGGER flight_changed;
--> statement-breakpoint
CREATE TRIGGER flight_changed AFTER UPDATE OF updated_at, distance_meters, airline_id, aircraft_id ON flights BEGIN
  INSERT INTO change_positions (at, tag) VALUES (CAST(unixepoch('subsec') * 1000 AS integer), randomblob(8));
  DELETE FROM flight_changes
    WHERE seq = new.last_change
      AND user_id IN (SELECT '' UNION ALL SELECT user_id FROM passengers WHERE flight_id = new.id AND user_id IS NOT NULL);
  INSERT INTO flight_changes (user_id, seq, flight_id)
    SELECT user_id, (SELECT max(seq) FROM change_positions), new.id
    FROM (SELECT '' AS user_id UNION ALL SELECT user_id FROM passengers WHERE flight_id = new.id AND user_id IS NOT NULL);
  UPDATE flights SET last_change = (SELECT max(seq) FROM change_positions) WHERE id = new.id;
END;
