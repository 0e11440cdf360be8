import type { clocks as source } from '../en/clocks.ts'
import { plural, type Translation } from '../message.ts'

export const clocks: Translation<typeof source> = {
  yourTime: 'la tua ora',
  arrivesDayBefore: 'Arriva il giorno prima, {day}.',
  arrivesSameDay: 'Arriva lo stesso giorno, {day}.',
  arrivesNextDay: 'Arriva il giorno dopo, {day}.',
  arrivesEarlier: plural({ one: 'Arriva {count} giorno prima, {day}.', other: 'Arriva {count} giorni prima, {day}.' }),
  arrivesLater: plural({ one: 'Arriva {count} giorno dopo, {day}.', other: 'Arriva {count} giorni dopo, {day}.' }),
}
