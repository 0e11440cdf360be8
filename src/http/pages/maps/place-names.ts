import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Language } from '../../../lib/languages.ts'
import { packageRoot } from '../../../lib/package-root.ts'
import { angleBetween } from '../../../lib/sphere.ts'
import type { Frame } from './frame.ts'
import { type Box, isFreeOf, textWidth } from './labels.ts'
import type { MapLabels } from './map-labels.ts'
import { tenth } from './path.ts'

type Kind = 'ocean' | 'sea' | 'country' | 'capital' | 'city'

/** A name with the middle of its baseline; those of cities start at their dot. */
export interface PlaceName {
  kind: Kind
  x: number
  y: number
  text: string
}

/** As in `map.css`. */
const FONT_SIZES: Readonly<Record<Kind, number>> = { ocean: 15, sea: 12, country: 13, capital: 11, city: 11 }
const OCEAN_SPACING = 0.12

/** The zoom from which seas and cities of a rank have a name. */
const SEA_ZOOMS = [0, 2.4, 3.2, 4.2, 5] as const
const CITY_ZOOMS = [3.2, 3.7, 4.2, 4.7, 5.2] as const
const CAPITAL_ZOOM = 3.2

/** Natural Earth counts zooms for tiles of 256 pixels, the map for tiles of 512. */
const COUNTRY_ZOOM_OFFSET = -0.8

/** Names near the outline of a globe would be distorted on the interactive map. */
const MAX_VISIBLE_ANGLE = 0.68

const MAX_NAMES = 60

interface Candidate extends PlaceName {
  zoom: number
}

function candidatesIn({ seas, countries, cities }: MapLabels): Candidate[] {
  return [
    ...seas.map(([text, x, y, rank]): Candidate => {
      const kind = rank === 0 ? 'ocean' : 'sea'
      return { kind, text, x, y, zoom: SEA_ZOOMS[rank] ?? Infinity }
    }),
    ...countries.map(
      ([text, x, y, minZoom]): Candidate => ({ kind: 'country', text, x, y, zoom: minZoom + COUNTRY_ZOOM_OFFSET }),
    ),
    ...cities.map(([text, x, y, rank, isCapital]): Candidate => {
      const zoom = CITY_ZOOMS[rank] ?? Infinity
      const kind = isCapital ? 'capital' : 'city'
      return { kind, text, x, y, zoom: isCapital ? Math.min(zoom, CAPITAL_ZOOM) : zoom }
    }),
  ]
}

const files: Partial<Record<Language, Promise<Candidate[]>>> = {}

function readCandidates(language: Language): Promise<Candidate[]> {
  const name = join(packageRoot, 'src/http/pages/maps/data', `labels-${language}.json`)
  files[language] ??= readFile(name, 'utf8').then(
    (text) => candidatesIn(JSON.parse(text) as MapLabels),
    (error) => {
      // The next request reads it again.
      delete files[language]
      throw error
    },
  )
  return files[language]
}

function boxOf({ kind, text, x, y }: PlaceName): Box {
  const size = FONT_SIZES[kind]
  const width = textWidth(text) * size + (kind === 'ocean' ? text.length * OCEAN_SPACING * size : 0)
  const isCity = kind === 'city' || kind === 'capital'
  const left = isCity ? x - 4 : x - width / 2
  return { left, right: left + width + (isCity ? 8 : 0), top: y - size, bottom: y + size * 0.3 }
}

/** Names of oceans, countries and cities that have room beside the labels of airports. */
export async function placeNames(
  { width, height, projection, view, radius, limb = Infinity }: Frame,
  language: Language,
  taken: readonly Box[],
): Promise<PlaceName[]> {
  const zoom = Math.log2((2 * Math.PI * view.scale) / 512)
  const maxAngle = view.projection === 'globe' ? radius * MAX_VISIBLE_ANGLE : 180
  const boxes = [...taken]
  const names: PlaceName[] = []
  for (const { zoom: minZoom, ...candidate } of await readCandidates(language)) {
    if (minZoom > zoom || angleBetween(view.centre, [candidate.x, candidate.y]) > maxAngle) continue
    const spot = projection([candidate.x, candidate.y])
    if (!spot) continue
    const size = FONT_SIZES[candidate.kind]
    const name = { ...candidate, x: tenth(spot[0]), y: tenth(spot[1] + size * 0.35) }
    const box = boxOf(name)
    const isInside = box.left > 4 && box.right < width - 4 && box.top > 4 && box.bottom < height - 4
    const reach = Math.max(Math.abs(box.left - width / 2), Math.abs(box.right - width / 2))
    if (!isInside || Math.hypot(reach, name.y - height / 2) > limb || !isFreeOf(box, boxes)) continue
    boxes.push(box)
    names.push(name)
    if (names.length >= MAX_NAMES) break
  }
  return names
}
