import { plural } from '../message.ts'

export const routeMap = {
  title: plural({ one: 'Map of {count} route', other: 'Map of {count} routes' }),
  description: '{routes} between {airports} on a map of the earth.',
  routes: plural({ one: '{count} route', other: '{count} routes' }),
  airports: plural({ one: '{count} airport', other: '{count} airports' }),
  mostFlown: plural({
    one: 'Most flown: {from} – {to}, {count} time.',
    other: 'Most flown: {from} – {to}, {count} times.',
  }),
  onlyMostFlown: 'Shows the {drawn} most flown.',
  legend: 'Map legend',
  route: 'Route',
  /** The widths of lines. */
  counts: { 1: '1 flight', 2: '2–3 flights', 3: '4–7 flights', 4: '8–15 flights', 5: '16+ flights' },
  planned: 'Planned',
  track: 'Recorded track',
  altitude: { m: 'Altitude (m):', ft: 'Altitude (ft):' },
  below: 'below {altitude}',
  from: '{altitude}+',
  listRoutes: 'List routes',
} as const
