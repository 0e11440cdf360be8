import type { entities as source } from '../en/entities.ts'
import { plural, type Translation } from '../message.ts'

export const entities: Translation<typeof source> = {
  flights: 'Vuelos',
  city: 'Ciudad',
  country: 'País',
  iataCode: 'Código IATA',
  icaoCode: 'Código OACI',
  timeZone: 'Zona horaria',
  firstFlight: 'Primer vuelo',
  lastFlight: 'Último vuelo',
  flight: '{date}, de {from} a {to}',
  noFlights: 'No hay vuelos en tu registro.',
  departures: plural({ one: 'salida', other: 'salidas' }),
  arrivals: plural({ one: 'llegada', other: 'llegadas' }),
  distance: 'Distancia',
  fastest: 'Menor duración',
  routes: 'Rutas',
  mostFlownRoutes: plural({ other: 'Las {count} rutas más frecuentes' }),
  route: 'De {from} a {to}',
  flightCount: plural({ one: '{count} vuelo', other: '{count} vuelos' }),
}
