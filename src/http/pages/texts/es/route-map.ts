import type { routeMap as source } from '../en/route-map.ts'
import { plural, type Translation } from '../message.ts'

export const routeMap: Translation<typeof source> = {
  title: plural({ one: 'Mapa de {count} ruta', other: 'Mapa de {count} rutas' }),
  description: '{routes} entre {airports} en un mapa del mundo.',
  routes: plural({ one: '{count} ruta', other: '{count} rutas' }),
  airports: plural({ one: '{count} aeropuerto', other: '{count} aeropuertos' }),
  mostFlown: plural({
    one: 'La más frecuente: {from} – {to}, {count} vez.',
    other: 'La más frecuente: {from} – {to}, {count} veces.',
  }),
  onlyMostFlown: 'Se muestran las {drawn} más frecuentes.',
  legend: 'Leyenda del mapa',
  route: 'Ruta',
  /** The widths of lines. */
  counts: { 1: '1 vuelo', 2: '2–3 vuelos', 3: '4–7 vuelos', 4: '8–15 vuelos', 5: '16 o más vuelos' },
  planned: 'Planificados',
  track: 'Trayectoria registrada',
  altitude: { m: 'Altitud (m):', ft: 'Altitud (ft):' },
  below: 'menos de {altitude}',
  from: '{altitude}+',
  listRoutes: 'Ver lista de rutas',
}
