import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Detail } from '../../src/http/pages/map/frame.ts'
import { landsIn } from '../../src/http/pages/map/land-file.ts'

export const landFile = (detail: Detail) =>
  readFileSync(join(import.meta.dirname, `../../src/http/pages/map/data/land-${detail}.bin`))

/** Every piece of land that is shipped. */
export function shippedLand(detail: Detail) {
  const bytes = landFile(detail)
  const numbers = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  return landsIn(numbers)
}
