import type { figures as source } from '../en/figures.ts'
import { plural, type Translation } from '../message.ts'

export const figures: Translation<typeof source> = {
  flights: 'フライト',
  distance: '飛行距離',
  timeInAir: '飛行時間',
  airports: '空港',
  /** Below or after a number. */
  words: {
    distance: '飛行距離',
    flights: plural({ other: 'フライト' }),
    time: '飛行時間',
    airports: plural({ other: '空港' }),
    countries: plural({ other: '国・地域' }),
    routes: plural({ other: '路線' }),
  },
}
