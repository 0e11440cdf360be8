import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../../lib/package-root.ts'
import { type Land, landsIn } from './land-file.ts'
import { angleBetween, type Point } from './sphere.ts'

/** Natural Earth in two scales: for the world, and for a part of it. */
export type Detail = 'coarse' | 'fine'

/** Pieces of land, and the file that they are in. */
export interface Atlas {
  numbers: Int16Array
  lands: Land[]
}

async function read(detail: Detail): Promise<Atlas> {
  const { buffer, byteOffset, byteLength } = await readFile(
    join(packageRoot, `src/http/pages/assets/land-${detail}.bin`),
  )
  const numbers = new Int16Array(buffer, byteOffset, byteLength / Int16Array.BYTES_PER_ELEMENT)
  return { numbers, lands: landsIn(numbers) }
}

const atlases: Partial<Record<Detail, Promise<Atlas>>> = {}

/** The land around a place; a file is read when the first map needs it, and never before. */
export async function landAround(detail: Detail, centre: Point, radius: number): Promise<Atlas> {
  atlases[detail] ??= read(detail)
  const { numbers, lands } = await atlases[detail]
  return { numbers, lands: lands.filter((land) => angleBetween(centre, land.centre) < land.radius + radius) }
}
