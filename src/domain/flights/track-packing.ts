import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { type ColumnName, columns, type TrackWrite } from './track-contract.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** Good compression at a speed that a hundred thousand points do not feel. */
const QUALITY = 4

export interface PackedTrack {
  pointCount: number
  sourceFormat: TrackWrite['sourceFormat']
  sourceName: string | null
  /** The lists as JSON text: `"coordinates":[…],"times":[…]`. */
  lists: string
  points: Buffer
}

/**
 * A track is kept as the compressed text of its lists. Reading it back needs neither a parser nor a serializer,
 * and the compression runs beside the event loop.
 */
export async function packTrack(track: TrackWrite): Promise<PackedTrack> {
  const parts: string[] = []
  for (const name of ['coordinates', ...(Object.keys(columns) as ColumnName[])] as const) {
    if (track[name] === undefined) continue
    // The body was parsed in this turn, and each list may be long: others get theirs in between.
    await nextTurn()
    parts.push(`"${name}":${JSON.stringify(track[name])}`)
  }
  const lists = parts.join(',')
  const points = await compress(lists, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
  const { sourceFormat, sourceName } = track
  return { pointCount: (track.coordinates as unknown[]).length, sourceFormat, sourceName, lists, points }
}

export const unpackLists = async (points: Buffer): Promise<string> => (await decompress(points)).toString()
