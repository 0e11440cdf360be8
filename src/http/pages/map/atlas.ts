import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { packageRoot } from '../../../lib/package-root.ts'
import { type Land, landsIn, ringsAt } from './land-file.ts'
import { angleBetween, type Point } from './sphere.ts'

/** Natural Earth in two scales: for the world, and for a part of it. */
export type Detail = 'coarse' | 'fine'

interface Atlas {
  numbers: Int16Array
  lands: Land[]
}

const decompress = promisify(brotliDecompress)

async function read(detail: Detail): Promise<Atlas> {
  const file = await readFile(join(packageRoot, `src/http/pages/assets/land-${detail}.bin.br`))
  const { buffer, byteOffset, byteLength } = await decompress(file)
  const numbers = new Int16Array(buffer.slice(byteOffset, byteOffset + byteLength))
  return { numbers, lands: landsIn(numbers) }
}

const atlases: Partial<Record<Detail, Promise<Atlas>>> = {}

/** The land around a place, piece by piece; a file is read when the first map needs it, and never before. */
export async function landAround(detail: Detail, centre: Point, radius: number): Promise<Point[][][]> {
  atlases[detail] ??= read(detail)
  const { numbers, lands } = await atlases[detail]
  return lands
    .filter((land) => angleBetween(centre, land.centre) < land.radius + radius)
    .map(({ start }) => ringsAt(numbers, start).rings)
}
