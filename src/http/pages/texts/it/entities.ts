import type { entities as source } from '../en/entities.ts'
import { plural, type Translation } from '../message.ts'

export const entities: Translation<typeof source> = {
  flights: 'Voli',
  city: 'Città',
  country: 'Paese',
  iataCode: 'Codice IATA',
  icaoCode: 'Codice ICAO',
  timeZone: 'Fuso orario',
  firstFlight: 'Primo volo',
  lastFlight: 'Ultimo volo',
  flight: '{date}, {from} – {to}',
  noFlights: 'Nessun volo nel tuo diario.',
  departures: plural({ one: 'partenza', other: 'partenze' }),
  arrivals: plural({ one: 'arrivo', other: 'arrivi' }),
  distance: 'Distanza',
  fastest: 'Tempo più breve',
  routes: 'Rotte',
  mostFlownRoutes: plural({ other: 'Le {count} rotte più frequenti' }),
  route: '{from} – {to}',
  flightCount: plural({ one: '{count} volo', other: '{count} voli' }),
}
