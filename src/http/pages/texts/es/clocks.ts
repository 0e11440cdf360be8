import type { clocks as source } from '../en/clocks.ts'
import { plural, type Translation } from '../message.ts'

export const clocks: Translation<typeof source> = {
  yourTime: 'tu hora',
  arrivesDayBefore: 'Llega el día anterior, {day}.',
  arrivesSameDay: 'Llega el mismo día, {day}.',
  arrivesNextDay: 'Llega al día siguiente, {day}.',
  arrivesEarlier: plural({ one: 'Llega {count} día antes, {day}.', other: 'Llega {count} días antes, {day}.' }),
  arrivesLater: plural({ one: 'Llega {count} día después, {day}.', other: 'Llega {count} días después, {day}.' }),
}
