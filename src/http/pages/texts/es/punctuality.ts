import type { punctuality as source } from '../en/punctuality.ts'
import { plural, type Translation } from '../message.ts'

export const punctuality: Translation<typeof source> = {
  title: 'Puntualidad',
  departure: 'Salidas',
  arrival: 'Llegadas',
  flights: 'Vuelos',
  early: 'Con adelanto',
  onTime: 'A tiempo',
  late: '15 minutos de retraso o más',
  median: 'Mediana',
  average: 'Media',
  delayLate: '{time} de retraso',
  delayEarly: '{time} de adelanto',
  noDelay: 'a tiempo',
  largestDelay: 'Mayor retraso: <link>{from} → {to}</link> el {day}, {delay}.',
  basedOn: plural({ one: 'Según {count} vuelo.', other: 'Según {count} vuelos.' }),
  lost: 'Tus llegadas con retraso suman {time}.',
}
