import type { entities as source } from '../en/entities.ts'
import { plural, type Translation } from '../message.ts'

/** Pages of one airport, airline, aircraft type, registration or route. */
export const entities: Translation<typeof source> = {
  flights: 'Vols',
  city: 'Ville',
  country: 'Pays',
  iataCode: 'Code IATA',
  icaoCode: 'Code OACI',
  timeZone: 'Fuseau horaire',
  firstFlight: 'Premier vol',
  lastFlight: 'Dernier vol',
  flight: '{date}, {from} – {to}',
  noFlights: 'Aucun vol dans votre carnet.',
  departures: plural({ one: 'départ', other: 'départs' }),
  arrivals: plural({ one: 'arrivée', other: 'arrivées' }),
  distance: 'Distance',
  fastest: 'Durée la plus courte',
  routes: 'Liaisons',
  mostFlownRoutes: plural({ other: 'Les {count} liaisons les plus fréquentes' }),
  route: '{from} – {to}',
  flightCount: plural({ one: '{count} vol', other: '{count} vols' }),
}
