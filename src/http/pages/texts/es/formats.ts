import type { formats as source } from '../en/formats.ts'
import { plural, type Translation } from '../message.ts'

export const formats: Translation<typeof source> = {
  date: '{day} {month} {year}',
  dateMonthFirst: '{day} {month} {year}',
  month: '{month} {year}',
  am: '{time}\u00a0a.\u00a0m.',
  pm: '{time}\u00a0p.\u00a0m.',
  moment: '{day}, {time} UTC',
  distance: { km: '{distance}\u00a0km', mi: '{distance}\u00a0mi', nm: '{distance}\u00a0nm' },
  minutes: '{minutes}\u00a0min',
  hours: '{hours}\u00a0h {minutes}\u00a0min',
  wholeHours: '{hours}\u00a0h',
  notKnown: 'sin datos',
  flights: plural({ one: '{count} vuelo', other: '{count} vuelos' }),
}
