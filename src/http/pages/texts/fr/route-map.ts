import type { routeMap as source } from '../en/route-map.ts'
import { plural, type Translation } from '../message.ts'

export const routeMap: Translation<typeof source> = {
  title: plural({ one: 'Carte de {count} liaison', other: 'Carte de {count} liaisons' }),
  description: '{routes} entre {airports} sur une carte du monde.',
  routes: plural({ one: '{count} liaison', other: '{count} liaisons' }),
  airports: plural({ one: '{count} aéroport', other: '{count} aéroports' }),
  mostFlown: plural({
    one: 'La plus fréquente\u00a0: {from} – {to}, {count} fois.',
    other: 'La plus fréquente\u00a0: {from} – {to}, {count} fois.',
  }),
  onlyMostFlown: 'Seules les {drawn} plus fréquentes sont affichées.',
  legend: 'Légende de la carte',
  route: 'Liaison',
  /** The widths of lines. */
  counts: { 1: '1 vol', 2: '2–3 vols', 3: '4–7 vols', 4: '8–15 vols', 5: '16 vols ou plus' },
  planned: 'À venir',
  track: 'Trace enregistrée',
  altitude: { m: 'Altitude (m)\u00a0:', ft: 'Altitude (ft)\u00a0:' },
  below: 'moins de {altitude}',
  from: '{altitude} et plus',
  listRoutes: 'Liste des liaisons',
}
