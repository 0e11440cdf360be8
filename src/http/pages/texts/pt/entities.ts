import type { entities as source } from '../en/entities.ts'
import { plural, type Translation } from '../message.ts'

/** Pages of one airport, airline, aircraft type, registration or route. */
export const entities: Translation<typeof source> = {
  flights: 'Voos',
  city: 'Cidade',
  country: 'País',
  iataCode: 'Código IATA',
  icaoCode: 'Código ICAO',
  timeZone: 'Fuso horário',
  firstFlight: 'Primeiro voo',
  lastFlight: 'Último voo',
  flight: '{date}, {from} – {to}',
  noFlights: 'Nenhum voo no seu diário.',
  departures: plural({ one: 'partida', other: 'partidas' }),
  arrivals: plural({ one: 'chegada', other: 'chegadas' }),
  distance: 'Distância',
  fastest: 'Menor tempo',
  routes: 'Rotas',
  mostFlownRoutes: plural({ other: 'As {count} rotas mais frequentes' }),
  route: '{from} – {to}',
  flightCount: plural({ one: '{count} voo', other: '{count} voos' }),
}
