import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GeoContext, geoPath } from 'd3-geo'
import { packageRoot } from '../../../lib/package-root.ts'
import { angleBetween } from '../../../lib/sphere.ts'
import { turns } from '../../../lib/turns.ts'
import type { Detail, Frame } from './frame.ts'
import { type Land, landsIn, ringsOf } from './land-file.ts'

const file = (name: string) => join(packageRoot, 'src/http/pages/map/data', name)

async function read(detail: Detail): Promise<Land[]> {
  const { buffer, byteOffset, byteLength } = await readFile(file(`land-${detail}.bin`))
  return landsIn(new Int16Array(buffer, byteOffset, byteLength / Int16Array.BYTES_PER_ELEMENT))
}

const files: Partial<Record<Detail, Promise<Land[]>>> = {}

/** A file is read when the first map needs it, and never before. */
function landsOf(detail: Detail): Promise<Land[]> {
  files[detail] ??= read(detail)
  return files[detail]
}

/** The land of each country, by its code, in the detail of a map of the world; small ones are only in the other file. */
export async function landByCountry(): Promise<Map<string, Land[]>> {
  const owners = JSON.parse(await readFile(file('land-countries.json'), 'utf8')) as Record<Detail, string>
  const countries = new Map<string, Land[]>()
  for (const detail of ['coarse', 'fine'] as const) {
    const lands = await landsOf(detail)
    const known = new Set(countries.keys())
    for (const [index, code] of owners[detail].split(' ').entries()) {
      if (!known.has(code)) countries.set(code, [...(countries.get(code) ?? []), lands[index]!])
    }
  }
  return countries
}

/** The land in sight. */
async function landIn({ detail, centre, radius }: Frame): Promise<Land[]> {
  const lands = await landsOf(detail)
  return lands.filter((land) => angleBetween(centre, land.centre) < land.radius + radius)
}

/** Tens of thousands of points, a piece of land at a time. */
export async function drawLand(frame: Frame, pen: GeoContext): Promise<void> {
  const draw = geoPath(frame.outlines, pen)
  const turn = turns()
  for (const land of await landIn(frame)) {
    draw({ type: 'Polygon', coordinates: ringsOf(land) })
    if (turn.isOver()) await turn.end()
  }
}
