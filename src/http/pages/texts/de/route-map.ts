import type { routeMap as source } from '../en/route-map.ts'
import { plural, type Translation } from '../message.ts'

export const routeMap: Translation<typeof source> = {
  title: plural({ one: 'Karte mit {count} Route', other: 'Karte mit {count} Routen' }),
  description: '{routes} zwischen {airports} auf einer Weltkarte.',
  routes: plural({ one: '{count} Route', other: '{count} Routen' }),
  airports: plural({ one: '{count} Flughafen', other: '{count} Flughäfen' }),
  mostFlown: plural({
    one: 'Meistgeflogen: {from} – {to}, {count}-mal.',
    other: 'Meistgeflogen: {from} – {to}, {count}-mal.',
  }),
  onlyMostFlown: 'Zeigt die {drawn} meistgeflogenen.',
  legend: 'Kartenlegende',
  route: 'Route',
  /** The widths of lines. */
  counts: { 1: '1 Flug', 2: '2–3 Flüge', 3: '4–7 Flüge', 4: '8–15 Flüge', 5: '16+ Flüge' },
  planned: 'Geplant',
  track: 'Aufgezeichneter Track',
  altitude: { m: 'Höhe (m):', ft: 'Höhe (ft):' },
  below: 'unter {altitude}',
  from: '{altitude}+',
  listRoutes: 'Routen auflisten',
}
