import type { punctuality as source } from '../en/punctuality.ts'
import { plural, type Translation } from '../message.ts'

export const punctuality: Translation<typeof source> = {
  title: 'Pontualidade',
  departure: 'Partidas',
  arrival: 'Chegadas',
  flights: 'Voos',
  early: 'Adiantados',
  onTime: 'No horário',
  late: 'Atraso de 15 minutos ou mais',
  median: 'Mediana',
  average: 'Média',
  delayLate: '{time} de atraso',
  delayEarly: '{time} de antecedência',
  noDelay: 'no horário',
  largestDelay: 'Maior atraso: <link>{from} → {to}</link> em {day}, {delay}.',
  basedOn: plural({ one: 'Com base em {count} voo.', other: 'Com base em {count} voos.' }),
  lost: 'Seus atrasos na chegada somam {time}.',
}
