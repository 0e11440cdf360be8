import type { figures as source } from '../en/figures.ts'
import { plural, type Translation } from '../message.ts'

export const figures: Translation<typeof source> = {
  flights: 'Voli',
  distance: 'Distanza',
  timeInAir: 'Tempo in volo',
  airports: 'Aeroporti',
  /** Below or after a number. */
  words: {
    distance: 'di distanza',
    flights: plural({ one: 'volo', other: 'voli' }),
    time: 'in volo',
    airports: plural({ one: 'aeroporto', other: 'aeroporti' }),
    countries: plural({ one: 'paese', other: 'paesi' }),
    routes: plural({ one: 'rotta', other: 'rotte' }),
  },
}
