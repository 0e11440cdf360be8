import type { routeMap as source } from '../en/route-map.ts'
import { plural, type Translation } from '../message.ts'

export const routeMap: Translation<typeof source> = {
  title: plural({ one: 'Mappa di {count} rotta', other: 'Mappa di {count} rotte' }),
  description: '{routes} tra {airports} su una mappa del mondo.',
  routes: plural({ one: '{count} rotta', other: '{count} rotte' }),
  airports: plural({ one: '{count} aeroporto', other: '{count} aeroporti' }),
  mostFlown: plural({
    one: 'Rotta più frequente: {from} – {to}, {count} volta.',
    other: 'Rotta più frequente: {from} – {to}, {count} volte.',
  }),
  onlyMostFlown: 'Sono mostrate le {drawn} più frequenti.',
  legend: 'Legenda della mappa',
  route: 'Rotta',
  /** The widths of lines. */
  counts: { 1: '1 volo', 2: '2–3 voli', 3: '4–7 voli', 4: '8–15 voli', 5: '16+ voli' },
  planned: 'In programma',
  track: 'Traccia registrata',
  altitude: { m: 'Altitudine (m):', ft: 'Altitudine (ft):' },
  below: 'meno di {altitude}',
  from: '{altitude}+',
  listRoutes: 'Elenca rotte',
}
