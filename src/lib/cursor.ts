import { hash } from 'node:crypto'
import { english } from '../messages/english.ts'
import { isCalendarDay } from './dates.ts'
import { AppError } from './errors.ts'

export type Position = readonly [date: string, id: number]

export type ListOrder = 'newest' | 'oldest'

// Rejects cursors that were truncated or edited.
const checksum = (text: string) => hash('sha256', `paxlog cursor ${text}`, 'base64url').slice(0, 6)

export const sealCursor = (text: string): string => Buffer.from(`${text}.${checksum(text)}`).toString('base64url')

/** The text of a cursor, or undefined for one that was truncated or edited. */
export function openCursor(cursor: string): string | undefined {
  const [, text] = /^(.{1,100})\.[^.]+$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return text !== undefined && sealCursor(text) === cursor ? text : undefined
}

/** A cursor is valid for one order only; the default order is not encoded. */
export function encodeCursor([date, id]: Position, order: ListOrder = 'newest'): string {
  return sealCursor(`${date}.${id}${order === 'newest' ? '' : `.${order}`}`)
}

export function decodeCursor(cursor: string, order: ListOrder = 'newest'): Position {
  const [, date = '', id = ''] =
    /^(\d{4}-\d\d-\d\d)\.(\d{1,16})\./.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!isCalendarDay(date) || encodeCursor([date, Number(id)], order) !== cursor) {
    throw new AppError('bad_request', english.filter.cursor)
  }
  return [date, Number(id)]
}
