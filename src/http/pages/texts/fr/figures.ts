import type { figures as source } from '../en/figures.ts'
import { plural, type Translation } from '../message.ts'

export const figures: Translation<typeof source> = {
  flights: 'Vols',
  distance: 'Distance',
  timeInAir: 'Temps de vol',
  airports: 'Aéroports',
  /** Below or after a number. */
  words: {
    distance: 'parcourus',
    flights: plural({ one: 'vol', other: 'vols' }),
    time: 'en vol',
    airports: plural({ one: 'aéroport', other: 'aéroports' }),
    countries: plural({ one: 'pays', other: 'pays' }),
    routes: plural({ one: 'liaison', other: 'liaisons' }),
  },
}
