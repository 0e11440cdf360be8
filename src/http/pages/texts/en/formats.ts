import { plural } from '../message.ts'

/** Dates, times and quantities. The names of months come from the language. */
export const formats = {
  date: '{day} {month} {year}',
  dateMonthFirst: '{month} {day}, {year}',
  month: '{month} {year}',
  am: '{time}\u00a0am',
  pm: '{time}\u00a0pm',
  moment: '{day}, {time} UTC',
  distance: { km: '{distance}\u00a0km', mi: '{distance}\u00a0mi', nm: '{distance}\u00a0nm' },
  minutes: '{minutes}\u00a0min',
  hours: '{hours}\u00a0h {minutes}\u00a0min',
  wholeHours: '{hours}\u00a0h',
  notKnown: 'not known',
  flights: plural({ one: '{count} flight', other: '{count} flights' }),
} as const
