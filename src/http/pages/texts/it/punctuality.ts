import type { punctuality as source } from '../en/punctuality.ts'
import { plural, type Translation } from '../message.ts'

export const punctuality: Translation<typeof source> = {
  title: 'Puntualità',
  departure: 'Partenze',
  arrival: 'Arrivi',
  flights: 'Voli',
  early: 'In anticipo',
  onTime: 'In orario',
  late: 'Almeno 15 minuti di ritardo',
  median: 'Mediana',
  average: 'Media',
  delayLate: '{time} di ritardo',
  delayEarly: '{time} di anticipo',
  noDelay: 'in orario',
  largestDelay: 'Ritardo maggiore: <link>{from} → {to}</link> ({day}), {delay}.',
  basedOn: plural({ one: 'In base a {count} volo.', other: 'In base a {count} voli.' }),
  lost: 'Gli arrivi in ritardo ti sono costati in tutto {time}.',
}
