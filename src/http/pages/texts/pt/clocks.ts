import type { clocks as source } from '../en/clocks.ts'
import { plural, type Translation } from '../message.ts'

/** Times of a flight. */
export const clocks: Translation<typeof source> = {
  yourTime: 'seu horário',
  arrivesDayBefore: 'Chega no dia anterior, {day}.',
  arrivesSameDay: 'Chega no mesmo dia, {day}.',
  arrivesNextDay: 'Chega no dia seguinte, {day}.',
  arrivesEarlier: plural({ one: 'Chega {count} dia antes, {day}.', other: 'Chega {count} dias antes, {day}.' }),
  arrivesLater: plural({ one: 'Chega {count} dia depois, {day}.', other: 'Chega {count} dias depois, {day}.' }),
}
