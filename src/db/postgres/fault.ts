import { Busy } from '../../lib/errors.ts'
import { isAwayCode } from './away.ts'
import type { Fault } from './worker.ts'

/** What PostgreSQL, or the way to it, has said. The code is its SQLSTATE, or `away`. */
export class PostgresFault extends Error {
  override readonly name = 'PostgresFault'
  readonly code: string
  readonly constraint: string | undefined

  constructor({ code, message, constraint }: Fault) {
    super(message)
    this.code = code
    this.constraint = constraint
  }
}

/** The database itself could not do it at this moment; the cause is what it said, or the way to it. */
export class DatabaseUnavailable extends Busy {}

/** The server cannot be reached, does not answer, is going down or coming up: a later request may go through. */
export class DatabaseAway extends DatabaseUnavailable {
  constructor(cause?: unknown) {
    super('The database cannot be reached at this moment: try again in a moment.', { cause })
    this.name = 'DatabaseAway'
  }
}

/** The connection broke while a commit was on its way, so nobody here knows what became of it. */
export class CommitUnknown extends DatabaseUnavailable {
  constructor(cause: unknown) {
    super('The database went away while this was being saved: look whether it was, before you send it again.', {
      cause,
    })
    this.name = 'CommitUnknown'
  }
}

/** A statement took too long, or waited too long for a lock. */
class StatementTooSlow extends DatabaseUnavailable {
  constructor(cause: unknown) {
    super('The database took too long, so nothing was changed: try again in a moment.', { cause })
    this.name = 'StatementTooSlow'
  }
}

/** Others wrote the same again and again. */
export class TooManyConflicts extends Busy {
  constructor(cause: unknown) {
    super('Too many write the same at this moment, so nothing was changed: try again in a moment.', { cause })
    this.name = 'TooManyConflicts'
  }
}

/** Another process wrote what this transaction read, or each waited for the other. Nothing was written: it is done again. */
export const isConflict = (error: unknown): boolean =>
  error instanceof PostgresFault && (error.code === '40001' || error.code === '40P01')

/** What only one connection had, such as its own tables, went with it. */
export const isGoneWithConnection = (error: unknown): boolean =>
  error instanceof PostgresFault && error.code === '42P01'

/** A row like this is there already. */
export const isTaken = (error: unknown): boolean => error instanceof PostgresFault && error.code === '23505'

export function errorOf(fault: Fault): Error {
  const said = new PostgresFault(fault)
  if (isAwayCode(fault.code)) return new DatabaseAway(said)
  return fault.code === '57014' || fault.code === '55P03' ? new StatementTooSlow(said) : said
}

/** What the driver says in words that only its authors understand, and what can be done about it. */
const PLAIN: readonly (readonly [RegExp, (said: string) => string])[] = [
  [
    /^Invalid URL$/,
    () => 'it is no URL that can be read; in its user and password # / ? : @ % are written as %23 %2F %3F %3A %40 %25',
  ],
  [/client password must be/, () => 'the server wants a password, and there is none in the URL or in PGPASSWORD'],
  [
    /self-signed certificate|unable to (verify|get)/,
    (said) => `${said.split(';')[0]}; name the authority of the server with sslrootcert=FILE in the URL`,
  ],
  [/does not support SSL/, () => 'the server has no TLS: turn it on there, or set sslmode=disable in the URL'],
  [/no encryption$/, (said) => `${said}; set sslmode=require or better verify-full in the URL`],
  [/^permission denied for (schema|table)/, (said) => `${said}; "paxlog doctor" says what to do`],
]

function inPlainWords(said: string): string {
  const [, say] = PLAIN.find(([pattern]) => pattern.test(said)) ?? []
  return say ? say(said) : said
}

/** What went wrong, in the words of the server or the network; undefined for anything else. */
export function databaseReason(error: unknown): string | undefined {
  if (error instanceof PostgresFault) return inPlainWords(error.message)
  if (!(error instanceof DatabaseUnavailable)) return undefined
  return inPlainWords(error.cause instanceof Error ? error.cause.message : error.message)
}
