import type { punctuality as source } from '../en/punctuality.ts'
import { plural, type Translation } from '../message.ts'

export const punctuality: Translation<typeof source> = {
  title: 'Ponctualité',
  departure: 'Départs',
  arrival: 'Arrivées',
  flights: 'Vols',
  early: 'En avance',
  onTime: 'À l’heure',
  late: '15 minutes de retard ou plus',
  median: 'Médiane',
  average: 'Moyenne',
  delayLate: '{time} de retard',
  delayEarly: '{time} d’avance',
  noDelay: 'à l’heure',
  largestDelay: 'Plus gros retard\u00a0: <link>{from} → {to}</link> le {day}, {delay}.',
  basedOn: plural({ one: 'D’après {count} vol.', other: 'D’après {count} vols.' }),
  lost: 'Les retards à l’arrivée vous ont coûté {time} au total.',
}
