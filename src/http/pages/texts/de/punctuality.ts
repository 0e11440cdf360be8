import type { punctuality as source } from '../en/punctuality.ts'
import { plural, type Translation } from '../message.ts'

export const punctuality: Translation<typeof source> = {
  title: 'Pünktlichkeit',
  departure: 'Abflüge',
  arrival: 'Ankünfte',
  flights: 'Flüge',
  early: 'Verfrüht',
  onTime: 'Pünktlich',
  late: 'Ab 15 Minuten verspätet',
  median: 'Median',
  average: 'Durchschnitt',
  delayLate: '{time} verspätet',
  delayEarly: '{time} früher',
  noDelay: 'pünktlich',
  largestDelay: 'Größte Verspätung: <link>{from} → {to}</link> am {day}, {delay}.',
  basedOn: plural({ one: 'Basis: {count} Flug.', other: 'Basis: {count} Flüge.' }),
  lost: 'Verspätete Ankünfte haben Sie insgesamt {time} gekostet.',
}
