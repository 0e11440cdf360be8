import type { Point } from '../../../../lib/sphere.ts'

/** What Natural Earth shows without a code of ISO: as the airports there are counted. */
const named: Readonly<Record<string, string>> = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' }

type Box = [west: number, south: number, east: number, north: number]

/** Parts that Natural Earth shows as their country, while ISO gives them a code of their own. */
const apart: readonly [within: string, code: string, box: Box][] = [
  ['FR', 'GF', [-55, 1, -51, 7]],
  ['FR', 'GP', [-62, 15.7, -60.9, 16.7]],
  ['FR', 'MQ', [-61.4, 14.2, -60.6, 15.1]],
  ['FR', 'RE', [55, -22, 56, -20]],
  ['FR', 'YT', [44.8, -13.2, 45.5, -12.4]],
  ['NO', 'SJ', [-10, 70, 40, 82]],
  ['NO', 'BV', [3, -55, 4, -54]],
  ['NL', 'BQ', [-69, 11.5, -62.5, 18]],
  ['NZ', 'TK', [-173, -10, -171, -8]],
  ['', 'CX', [105, -11, 106, -10]],
  ['', 'CC', [96, -13, 98, -11]],
]

/** A mainland that reaches into a box is never wholly in it. */
const isWithin = (outline: readonly Point[], [west, south, east, north]: Box) =>
  outline.every(([x, y]) => x >= west && x <= east && y >= south && y <= north)

/** The code of the country to which a piece of land belongs; empty where none is known. */
export function countryOf(id: string | number | undefined, name: string, outline: readonly Point[]): string {
  // The runtime knows the numbers of ISO as other names of its codes.
  const numbered = id === undefined ? '' : Intl.getCanonicalLocales(`und-${String(id).padStart(3, '0')}`)[0]!.slice(4)
  const code = named[name] ?? numbered
  const own = apart.find(([within, , box]) => within === code && isWithin(outline, box))
  return own ? own[1] : code
}
