import type { figures as source } from '../en/figures.ts'
import { plural, type Translation } from '../message.ts'

export const figures: Translation<typeof source> = {
  flights: 'Vuelos',
  distance: 'Distancia',
  timeInAir: 'Tiempo de vuelo',
  airports: 'Aeropuertos',
  /** Below or after a number. */
  words: {
    distance: 'de recorrido',
    flights: plural({ one: 'vuelo', other: 'vuelos' }),
    time: 'en el aire',
    airports: plural({ one: 'aeropuerto', other: 'aeropuertos' }),
    countries: plural({ one: 'país', other: 'países' }),
    routes: plural({ one: 'ruta', other: 'rutas' }),
  },
}
