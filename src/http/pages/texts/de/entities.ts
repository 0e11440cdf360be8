import type { entities as source } from '../en/entities.ts'
import { plural, type Translation } from '../message.ts'

/** Pages of one airport, airline, aircraft type, registration or route. */
export const entities: Translation<typeof source> = {
  flights: 'Flüge',
  city: 'Stadt',
  country: 'Land',
  iataCode: 'IATA-Code',
  icaoCode: 'ICAO-Code',
  timeZone: 'Zeitzone',
  firstFlight: 'Erster Flug',
  lastFlight: 'Letzter Flug',
  flight: '{date}, {from} – {to}',
  noFlights: 'Keine Flüge in Ihrem Flugbuch.',
  departures: plural({ one: 'Abflug', other: 'Abflüge' }),
  arrivals: plural({ one: 'Ankunft', other: 'Ankünfte' }),
  distance: 'Distanz',
  fastest: 'Kürzeste Flugzeit',
  routes: 'Routen',
  mostFlownRoutes: plural({ other: 'Die {count} meistgeflogenen Routen' }),
  route: '{from} – {to}',
  flightCount: plural({ one: '{count} Flug', other: '{count} Flüge' }),
}
