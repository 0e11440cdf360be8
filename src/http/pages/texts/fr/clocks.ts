import type { clocks as source } from '../en/clocks.ts'
import { plural, type Translation } from '../message.ts'

/** Times of a flight. */
export const clocks: Translation<typeof source> = {
  yourTime: 'votre heure',
  arrivesDayBefore: 'Arrivée la veille, le {day}.',
  arrivesSameDay: 'Arrivée le jour même, le {day}.',
  arrivesNextDay: 'Arrivée le lendemain, le {day}.',
  arrivesEarlier: plural({
    one: 'Arrivée {count} jour plus tôt, le {day}.',
    other: 'Arrivée {count} jours plus tôt, le {day}.',
  }),
  arrivesLater: plural({
    one: 'Arrivée {count} jour plus tard, le {day}.',
    other: 'Arrivée {count} jours plus tard, le {day}.',
  }),
}
