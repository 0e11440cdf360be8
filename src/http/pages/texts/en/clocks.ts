import { plural } from '../message.ts'

/** Times of a flight. */
export const clocks = {
  yourTime: 'your time',
  arrivesDayBefore: 'Arrives the day before, {day}.',
  arrivesSameDay: 'Arrives the same day, {day}.',
  arrivesNextDay: 'Arrives the next day, {day}.',
  arrivesEarlier: plural({ one: 'Arrives {count} day earlier, {day}.', other: 'Arrives {count} days earlier, {day}.' }),
  arrivesLater: plural({ one: 'Arrives {count} day later, {day}.', other: 'Arrives {count} days later, {day}.' }),
} as const
