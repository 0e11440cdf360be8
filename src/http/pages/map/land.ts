import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GeoContext, geoPath } from 'd3-geo'
import { packageRoot } from '../../../lib/package-root.ts'
import type { Detail, Frame } from './frame.ts'
import { type Land, landsIn, ringsOf } from './land-file.ts'
import { angleBetween } from './sphere.ts'
import { turns } from './turns.ts'

async function read(detail: Detail): Promise<Land[]> {
  const { buffer, byteOffset, byteLength } = await readFile(
    join(packageRoot, `src/http/pages/assets/land-${detail}.bin`),
  )
  return landsIn(new Int16Array(buffer, byteOffset, byteLength / Int16Array.BYTES_PER_ELEMENT))
}

const files: Partial<Record<Detail, Promise<Land[]>>> = {}

/** The land in sight; a file is read when the first map needs it, and never before. */
async function landIn({ detail, centre, radius }: Frame): Promise<Land[]> {
  files[detail] ??= read(detail)
  const lands = await files[detail]
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
