import { plural } from '../message.ts'

export const home = {
  title: 'Flights',
  titleOfPage: 'Flights, page {page}',
  nextFlight: 'Next flight',
  cities: '{from} to {to}',
  noAccess: 'Your role does not include reading flights. Ask an administrator to change it.',
  map: 'Map',
  yourFlights: 'Your flights',
  mostFlown: 'Most flown',
  airport: 'Airport',
  route: 'Route',
  airline: 'Airline',
  aircraft: 'Aircraft',
  times: plural({ one: '{count} time', other: '{count} times' }),
  noFlights: 'No flights yet. Add one and watch your map grow.',
  addFlight: 'Add a flight',
  addFirst: 'Add your first flight',
  importHint: 'Coming from another service? <link>Import a file</link>.',
  import: 'Import',
  useApiHint: 'Programs can add flights with <link>your own API key</link>.',
} as const
