import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib'
import { type ColumnName, columns, type TrackWrite } from './contract.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

const BROTLI_QUALITY = 4

const listNames = ['coordinates', ...(Object.keys(columns) as ColumnName[])] as const

const LONG_LIST_BYTES = 256 * 1024

const MAX_LINE_POINTS = 5_000
const POINT_BYTES = 16
const ALTITUDE_BYTES = 4

export type LinePoint = [longitude: number, latitude: number, altitudeMetres?: number]

export interface PackedTrack {
  pointCount: number
  sourceFormat: TrackWrite['sourceFormat']
  sourceName: string | null
  points: Buffer
  line: Buffer
}

/** All indexes of a list, or every n-th and the last one. */
function sampledIndexes(count: number, max: number): number[] {
  const step = count <= max ? 1 : Math.ceil(count / (max - 1))
  const indexes: number[] = []
  for (let index = 0; index < count - 1; index += step) indexes.push(index)
  return count === 0 ? indexes : [...indexes, count - 1]
}

/**
 * The points of the line, then their altitudes if any is known, then a byte that is 1 if there are altitudes. Early
 * releases stored points only, so their lines have an even length.
 */
export function packLine(coordinates: readonly (readonly number[])[]): Buffer {
  const points = sampledIndexes(coordinates.length, MAX_LINE_POINTS).map((index) => coordinates[index]!)
  const hasAltitudes = points.some(([, , altitude]) => altitude !== undefined)
  const altitudesStart = points.length * POINT_BYTES
  const bytes = Buffer.alloc(altitudesStart + (hasAltitudes ? points.length * ALTITUDE_BYTES : 0) + 1)
  for (const [index, [longitude = 0, latitude = 0, altitude = Number.NaN]] of points.entries()) {
    bytes.writeDoubleLE(longitude, index * POINT_BYTES)
    bytes.writeDoubleLE(latitude, index * POINT_BYTES + 8)
    if (hasAltitudes) bytes.writeFloatLE(altitude, altitudesStart + index * ALTITUDE_BYTES)
  }
  bytes.writeUInt8(hasAltitudes ? 1 : 0, bytes.length - 1)
  return bytes
}

/** False for a line of an early release: its altitudes are only in the track. */
export const mayHaveAltitudes = (line: Buffer) => line.length % 2 === 1

export function unpackLine(bytes: Buffer, maxPoints: number): LinePoint[] {
  const hasAltitudes = mayHaveAltitudes(bytes) && bytes.at(-1) === 1
  const count = Math.floor(bytes.length / (POINT_BYTES + (hasAltitudes ? ALTITUDE_BYTES : 0)))
  return sampledIndexes(count, maxPoints).map((index) => {
    const point: LinePoint = [bytes.readDoubleLE(index * POINT_BYTES), bytes.readDoubleLE(index * POINT_BYTES + 8)]
    const altitude = hasAltitudes ? bytes.readFloatLE(count * POINT_BYTES + index * ALTITUDE_BYTES) : Number.NaN
    if (!Number.isNaN(altitude)) point.push(altitude)
    return point
  })
}

/** Stores the lists as compressed JSON text, `"coordinates":[…],"times":[…]`, which responses contain unparsed. */
export async function packTrack(track: TrackWrite): Promise<{ packed: PackedTrack; lists: Buffer }> {
  const members: string[] = []
  for (const name of listNames) {
    if (track[name] === undefined) continue
    members.push(`"${name}":${JSON.stringify(track[name])}`)
    if (members[0]!.length > LONG_LIST_BYTES) await nextTurn()
  }
  const lists = Buffer.from(members.join())
  const points = await compress(lists, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
  const { sourceFormat, sourceName } = track
  const coordinates = track.coordinates as number[][]
  const line = packLine(coordinates)
  return { packed: { pointCount: coordinates.length, sourceFormat, sourceName, points, line }, lists }
}

/** Decompressing less takes less time than starting a thread. */
const MAX_SYNC_BYTES = 8 * 1024

// The default chunk of 16 KB is more than most tracks need.
const smallChunks = { chunkSize: 2 * 1024 }

export const unpackLists = async (points: Buffer): Promise<Buffer> =>
  points.length <= MAX_SYNC_BYTES ? brotliDecompressSync(points, smallChunks) : await decompress(points)

async function unpackAndParse(points: Buffer): Promise<Record<string, unknown>> {
  const text = (await unpackLists(points)).toString('latin1')
  const parsed: Record<string, unknown> = {}
  // One list at a time bounds the event-loop delay. The only quotation marks are those of the names.
  for (const member of text.slice(1).split(',"')) {
    Object.assign(parsed, JSON.parse(`{"${member}}`))
    if (member.length > LONG_LIST_BYTES) await nextTurn()
  }
  return parsed
}

let lastLongTrack: Promise<unknown> = Promise.resolve()

/** Long tracks are parsed one after the other, to bound the memory. */
export function listsOf(points: Buffer): Promise<Record<string, unknown>> {
  if (points.length <= MAX_SYNC_BYTES) return unpackAndParse(points)
  const lists = lastLongTrack.then(() => unpackAndParse(points))
  lastLongTrack = lists.catch(() => undefined)
  return lists
}
