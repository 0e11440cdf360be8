import type { clocks as source } from '../en/clocks.ts'
import { plural, type Translation } from '../message.ts'

/** Times of a flight. */
export const clocks: Translation<typeof source> = {
  yourTime: 'Ihre Zeit',
  arrivesDayBefore: 'Ankunft am Vortag, {day}.',
  arrivesSameDay: 'Ankunft am selben Tag, {day}.',
  arrivesNextDay: 'Ankunft am nächsten Tag, {day}.',
  arrivesEarlier: plural({ one: 'Ankunft {count} Tag früher, {day}.', other: 'Ankunft {count} Tage früher, {day}.' }),
  arrivesLater: plural({ one: 'Ankunft {count} Tag später, {day}.', other: 'Ankunft {count} Tage später, {day}.' }),
}
