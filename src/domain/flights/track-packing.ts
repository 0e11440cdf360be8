import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib'
import { type ColumnName, columns, type TrackWrite } from './track-contract.ts'
import { packLine } from './track-line.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** Good compression at a speed that a hundred thousand points do not feel. */
const QUALITY = 4

/** In the order in which they are kept. */
const listNames = ['coordinates', ...(Object.keys(columns) as ColumnName[])] as const

/** After writing such a list others get their turn. */
const LONG_LIST = 256 * 1024

export interface PackedTrack {
  pointCount: number
  sourceFormat: TrackWrite['sourceFormat']
  sourceName: string | null
  points: Buffer
  /** What is drawn of it. */
  line: Buffer
}

/**
 * A track is kept as the compressed text of its lists, `"coordinates":[…],"times":[…]`. Reading it back needs neither a
 * parser nor a serializer, and the compression runs beside the event loop.
 */
export async function packTrack(track: TrackWrite): Promise<{ packed: PackedTrack; lists: Buffer }> {
  const members: string[] = []
  for (const name of listNames) {
    if (track[name] === undefined) continue
    members.push(`"${name}":${JSON.stringify(track[name])}`)
    if (members[0]!.length > LONG_LIST) await nextTurn()
  }
  const lists = Buffer.from(members.join())
  const points = await compress(lists, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
  const { sourceFormat, sourceName } = track
  const coordinates = track.coordinates as number[][]
  const line = packLine(coordinates)
  return { packed: { pointCount: coordinates.length, sourceFormat, sourceName, points, line }, lists }
}

/** Up to this size unpacking takes less time than handing it to another thread. */
const SMALL_BYTES = 8 * 1024

// By default each would take 16 KB for what mostly needs less than one.
const small = { chunkSize: 2 * 1024 }

/** The text of the lists, as it was packed. */
export const unpackLists = async (points: Buffer): Promise<Buffer> =>
  points.length <= SMALL_BYTES ? brotliDecompressSync(points, small) : await decompress(points)

const LIST = /,?"(\w+)":\[/y
/** Parsed before others get their turn: a few milliseconds. */
const PARSED_AT_ONCE = 128 * 1024

/** The items of a list from the text between its brackets, cut between two items, which `between` stands for. */
async function itemsIn(text: string, between: ',' | '],['): Promise<unknown[]> {
  if (text.length <= PARSED_AT_ONCE) return JSON.parse(`[${text}]`) as unknown[]
  const items: unknown[] = []
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf(between, from + PARSED_AT_ONCE)
    // Of `],[` the first bracket belongs to what is behind it.
    const end = at < 0 ? text.length : at + between.indexOf(',')
    for (const item of JSON.parse(`[${text.slice(from, end)}]`) as unknown[]) items.push(item)
    from = end + 1
    await nextTurn()
  }
  return items
}

/** The lists as values, a part at a time: all of a long track at once would hold up everybody. */
async function parseLists(lists: Buffer): Promise<Record<string, unknown>> {
  const text = lists.toString('latin1')
  const parsed: Record<string, unknown> = {}
  for (let position = 0; position < text.length; ) {
    LIST.lastIndex = position
    const [start, name] = LIST.exec(text)!
    const from = position + start.length
    const isNested = text[from] === '['
    const end = isNested ? text.indexOf(']]', from) + 1 : text.indexOf(']', from)
    parsed[name!] = await itemsIn(text.slice(from, end), isNested ? '],[' : ',')
    position = end + 1
  }
  return parsed
}

const unpackAndParse = async (points: Buffer) => parseLists(await unpackLists(points))

/** The last long track that somebody waits for. */
let last: Promise<unknown> = Promise.resolve()

/** Long tracks one after the other: their texts at the same time would take ten times the memory of one. */
export function listsOf(points: Buffer): Promise<Record<string, unknown>> {
  if (points.length <= SMALL_BYTES) return unpackAndParse(points)
  const lists = last.then(() => unpackAndParse(points))
  // Whoever comes next waits for this one, whether it went well or not.
  last = lists.catch(() => undefined)
  return lists
}
