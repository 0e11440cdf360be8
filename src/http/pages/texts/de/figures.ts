import type { figures as source } from '../en/figures.ts'
import { plural, type Translation } from '../message.ts'

export const figures: Translation<typeof source> = {
  flights: 'Flüge',
  distance: 'Distanz',
  timeInAir: 'Flugzeit',
  airports: 'Flughäfen',
  /** Below or after a number. */
  words: {
    distance: 'geflogen',
    flights: plural({ one: 'Flug', other: 'Flüge' }),
    time: 'in der Luft',
    airports: plural({ one: 'Flughafen', other: 'Flughäfen' }),
    countries: plural({ one: 'Land', other: 'Länder' }),
    routes: plural({ one: 'Route', other: 'Routen' }),
  },
}
