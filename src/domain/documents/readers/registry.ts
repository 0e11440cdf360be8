import { type DocumentFlight, MAX_FOUND } from '../document-flight.ts'
import { NOTHING_FOUND, unreadable } from '../unreadable.ts'
import { boardingPass } from './boarding-pass.ts'
import { calendar } from './calendar.ts'
import { mail } from './mail.ts'
import { contentOf, type Reader } from './reader.ts'
import { json, webPage } from './structured-data.ts'
import { walletPass } from './wallet-pass.ts'

/** In the order of recognition by content. Another format is another row. */
const readers: readonly Reader[] = [boardingPass, walletPass, calendar, json, webPage, mail]

/** For the content type of a request. `text/plain` may be anything. */
export const documentTypes = ['text/plain', ...readers.flatMap(({ types }) => types), 'application/octet-stream']

/** Enough for the headers of a mail that other servers have added. */
const START_BYTES = 16 * 1024

function readerOf(bytes: Buffer, contentType = ''): Reader {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  const start = bytes
    .subarray(0, START_BYTES)
    .toString('latin1')
    .replace(/^(?:\xEF\xBB\xBF)?\s+|^\xEF\xBB\xBF/, '')
  const reader = readers.find(({ types }) => types.includes(type)) ?? readers.find(({ matches }) => matches(start))
  if (!reader) throw unreadable(NOTHING_FOUND)
  return reader
}

export interface TravelDocument {
  /** Transferred to the worker: unusable afterwards. */
  content: Buffer
  contentType?: string | undefined
  /** The reference day. */
  date: string
}

export type ReadDocument = (document: TravelDocument) => Promise<DocumentFlight[]>

export const readDocument: ReadDocument = async ({ content, contentType, date }) => {
  const flights = await readerOf(content, contentType).read(contentOf(content), date)
  if (flights.length === 0) throw unreadable(NOTHING_FOUND)
  return flights.slice(0, MAX_FOUND)
}

export const needsWorker = ({ content, contentType }: TravelDocument): boolean =>
  readerOf(content, contentType).needsWorker
