import { parse } from 'secure-json-parse'
import { toErrorDetails } from '../../../../contract/issues.ts'
import { scanJsonFile } from '../../../../lib/json-limits.ts'
import { isObject } from '../../../../lib/objects.ts'
import { english } from '../../../../messages/english.ts'
import { TrackWrite } from '../contract.ts'
import { type PackedTrack, packTrack } from '../packing.ts'
import { readCsv } from './csv.ts'
import { readGpx } from './gpx.ts'
import { readKml } from './kml.ts'
import { columnsOf, type FilePoint, unreadable } from './points.ts'
import { type Ends, readReadsb } from './readsb.ts'

function textOf(bytes: Buffer): string {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) throw unreadable(english.tracks.kmz)
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw unreadable(english.tracks.gzip)
  const text = bytes.toString('utf8')
  if (text.includes('\0')) throw unreadable(english.tracks.notText)
  return text
}

/** A few bytes of JSON can take a hundred bytes of memory, so limits are checked before parsing. */
function jsonIn(bytes: Buffer): Record<string, unknown> {
  scanJsonFile(bytes)
  let json: unknown
  try {
    json = parse(bytes.toString('utf8'), { protoAction: 'remove', constructorAction: 'remove' })
  } catch {
    throw unreadable(english.files.notJson)
  }
  if (!isObject(json)) throw unreadable(english.tracks.otherJson)
  return isObject(json.data) ? json.data : json
}

type Read = Pick<TrackWrite, 'sourceFormat'> & { points: FilePoint[] }

function readXml(text: string): Read {
  const [, root] = /<(?:[A-Za-z_][\w.-]*:)?(gpx|kml)[\s>]/.exec(text.slice(0, 10_000)) ?? []
  if (root === 'gpx') return { sourceFormat: 'gpx', points: readGpx(text) }
  if (root === 'kml') return { sourceFormat: 'kml', points: readKml(text) }
  throw unreadable(english.tracks.otherXml)
}

/** Reads GPX, KML, CSV, a trace of readsb or tar1090, or a track of the API. */
export function readTrackFile(bytes: Buffer, name: string, ends: Ends): TrackWrite {
  const text = textOf(bytes)
  const start = text.slice(0, 1000).trimStart()
  const sourceName = [...name.slice(0, 510)].slice(0, 255).join('').replaceAll('\0', '').toWellFormed() || null
  let read: Read
  if (start.startsWith('<')) read = readXml(text)
  else if (start.startsWith('{') || start.startsWith('[')) {
    const json = jsonIn(bytes)
    if (Array.isArray(json.coordinates)) return requireValid({ sourceName, ...json })
    if (!Array.isArray(json.trace)) throw unreadable(english.tracks.otherJson)
    const trace = { timestamp: json.timestamp, trace: json.trace as unknown[] }
    read = { sourceFormat: 'readsb', points: readReadsb(trace, ends) }
  } else read = { sourceFormat: 'csv', points: readCsv(text) }
  return requireValid({ ...columnsOf(read.points), sourceFormat: read.sourceFormat, sourceName })
}

/** A stored track must be valid as a body of the API: a backup that contains it is checked like one. */
function requireValid(track: Record<string, unknown>): TrackWrite {
  const parsed = TrackWrite.safeParse(track)
  if (!parsed.success) throw unreadable(english.tracks.notValid({ problem: toErrorDetails(parsed.error)[0]!.message }))
  return parsed.data
}

export interface TrackFile {
  /** Transferred to the worker: unusable afterwards. */
  content: Buffer
  name: string
  ends: Ends
}

export type ReadTrackFile = (file: TrackFile) => Promise<PackedTrack>

/** Reading a file of this size takes less time than starting a worker. */
const MAX_INLINE_BYTES = 32 * 1024

export const packTrackFile: ReadTrackFile = async ({ content, name, ends }) =>
  (await packTrack(readTrackFile(content, name, ends))).packed

/** Reads small files inline and others in a worker, if there is one. */
export const trackFileReader =
  (runInWorker: ReadTrackFile = packTrackFile): ReadTrackFile =>
  (file) =>
    file.content.length <= MAX_INLINE_BYTES ? packTrackFile(file) : runInWorker(file)
