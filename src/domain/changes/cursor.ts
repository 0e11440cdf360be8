import { AppError } from '../../lib/errors.ts'
import type { Position } from './store.ts'

export interface FeedPosition {
  /** Changes up to here were sent. */
  after: number
  /** Removals up to here are of flights that the client never received. */
  beganAt: number
  /** The newest position when the page was read; it must still exist unchanged. */
  seen: Position
}

export function encodePosition({ after, beganAt, seen }: FeedPosition): string {
  return Buffer.from(`${after}.${beganAt}.${seen.seq}.${seen.tag}`).toString('base64url')
}

export function decodePosition(cursor: string): FeedPosition {
  const text = cursor.length > 200 ? '' : Buffer.from(cursor, 'base64url').toString()
  const [, after, beganAt, seq, tag] = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})\.([0-9a-f]*)$/.exec(text) ?? []
  const position = { after: Number(after), beganAt: Number(beganAt), seen: { seq: Number(seq), tag: tag ?? '' } }
  const isOurs = tag !== undefined && encodePosition(position) === cursor
  if (!isOurs || position.after > position.seen.seq || position.beganAt > position.seen.seq) {
    throw new AppError('bad_request', 'The cursor is not one that this feed gave out; start again without a cursor.')
  }
  return position
}
