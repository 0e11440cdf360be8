import type { figures as source } from '../en/figures.ts'
import { plural, type Translation } from '../message.ts'

export const figures: Translation<typeof source> = {
  flights: 'Voos',
  distance: 'Distância',
  timeInAir: 'Tempo de voo',
  airports: 'Aeroportos',
  /** Below or after a number. */
  words: {
    distance: 'de voo',
    flights: plural({ one: 'voo', other: 'voos' }),
    time: 'no ar',
    airports: plural({ one: 'aeroporto', other: 'aeroportos' }),
    countries: plural({ one: 'país', other: 'países' }),
    routes: plural({ one: 'rota', other: 'rotas' }),
  },
}
