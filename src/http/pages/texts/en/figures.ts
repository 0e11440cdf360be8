import { plural } from '../message.ts'

export const figures = {
  flights: 'Flights',
  distance: 'Distance',
  timeInAir: 'Time in the air',
  airports: 'Airports',
  /** Below or after a number. */
  words: {
    distance: 'flown',
    flights: plural({ one: 'flight', other: 'flights' }),
    time: 'in the air',
    airports: plural({ one: 'airport', other: 'airports' }),
    countries: plural({ one: 'country', other: 'countries' }),
    routes: plural({ one: 'route', other: 'routes' }),
  },
} as const
