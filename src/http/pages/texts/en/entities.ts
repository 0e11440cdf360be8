import { plural } from '../message.ts'

/** Pages of one airport, airline, aircraft type, registration or route. */
export const entities = {
  flights: 'Flights',
  city: 'City',
  country: 'Country',
  iataCode: 'IATA code',
  icaoCode: 'ICAO code',
  timeZone: 'Time zone',
  firstFlight: 'First flight',
  lastFlight: 'Last flight',
  flight: '{date}, {from} to {to}',
  noFlights: 'No flights in your log.',
  departures: plural({ one: 'departure', other: 'departures' }),
  arrivals: plural({ one: 'arrival', other: 'arrivals' }),
  distance: 'Distance',
  fastest: 'Shortest time',
  routes: 'Routes',
  mostFlownRoutes: plural({ other: 'The {count} most flown routes' }),
  route: '{from} to {to}',
  flightCount: plural({ one: '{count} flight', other: '{count} flights' }),
} as const
