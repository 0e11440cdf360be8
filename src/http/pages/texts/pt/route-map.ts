import type { routeMap as source } from '../en/route-map.ts'
import { plural, type Translation } from '../message.ts'

export const routeMap: Translation<typeof source> = {
  title: plural({ one: 'Mapa com {count} rota', other: 'Mapa com {count} rotas' }),
  description: '{routes} entre {airports} em um mapa-múndi.',
  routes: plural({ one: '{count} rota', other: '{count} rotas' }),
  airports: plural({ one: '{count} aeroporto', other: '{count} aeroportos' }),
  mostFlown: plural({
    one: 'Mais frequente: {from} – {to}, {count} vez.',
    other: 'Mais frequente: {from} – {to}, {count} vezes.',
  }),
  onlyMostFlown: 'Mostra as {drawn} mais frequentes.',
  legend: 'Legenda do mapa',
  route: 'Rota',
  /** The widths of lines. */
  counts: { 1: '1 voo', 2: '2–3 voos', 3: '4–7 voos', 4: '8–15 voos', 5: '16+ voos' },
  planned: 'Planejado',
  track: 'Trajeto gravado',
  altitude: { m: 'Altitude (m):', ft: 'Altitude (ft):' },
  below: 'abaixo de {altitude}',
  from: '{altitude}+',
  listRoutes: 'Listar rotas',
}
