import { Busy } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
import { isUnavailableCode, type WireError } from '../../workers/postgres/protocol.ts'

/** An error of the server or the connection. The code is its SQLSTATE, or `unreachable`. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError'
  readonly code: string
  readonly constraint: string | undefined

  constructor({ code, message, constraint }: WireError) {
    super(message)
    this.code = code
    this.constraint = constraint
  }
}

export class DatabaseUnavailable extends Busy {}

export class DatabaseUnreachable extends DatabaseUnavailable {
  constructor(cause?: unknown) {
    super(english.busy.databaseUnreachable, { cause })
    this.name = 'DatabaseUnreachable'
  }
}

/** The connection broke during a commit, so its outcome is unknown. */
export class CommitUnknown extends DatabaseUnavailable {
  constructor(cause: unknown) {
    super(english.busy.commitUnknown, { cause })
    this.name = 'CommitUnknown'
  }
}

/** An earlier statement was too slow or got no answer, and no probe has succeeded since. */
export class DatabaseRefused extends DatabaseUnavailable {
  constructor() {
    super(english.busy.databaseTooSlow)
    this.name = 'DatabaseRefused'
  }
}

/** Another process is writing; nothing was changed. */
export class TurnTaken extends DatabaseUnavailable {
  constructor(cause: unknown) {
    super(english.busy.databaseLocked, { cause })
    this.name = 'TurnTaken'
  }
}

export class StatementTooSlow extends DatabaseUnavailable {
  constructor(cause: unknown) {
    super(english.busy.databaseTooSlow, { cause })
    this.name = 'StatementTooSlow'
  }
}

export class TooManyConflicts extends Busy {
  constructor(cause: unknown) {
    super(english.busy.conflicts, { cause })
    this.name = 'TooManyConflicts'
  }
}

export const CONFLICT = '40001'

/** A serialization failure or deadlock: nothing was written, and the transaction can be retried. */
export const isConflict = (error: unknown): boolean =>
  error instanceof PostgresError && (error.code === CONFLICT || error.code === '40P01')

/** A prepared statement returns other types since the schema changed. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof PostgresError && error.code === '0A000' && error.message.startsWith('cached plan')

export const isUniqueViolation = (error: unknown): boolean => error instanceof PostgresError && error.code === '23505'

export function toError(error: WireError): Error {
  const cause = new PostgresError(error)
  if (isUnavailableCode(error.code)) return new DatabaseUnreachable(cause)
  return error.code === '57014' || error.code === '55P03' ? new StatementTooSlow(cause) : cause
}

const REPLACEMENTS: readonly (readonly [RegExp, (message: string) => string])[] = [
  [/^Invalid URL$/, () => 'the URL is invalid; encode # / ? : @ % in user and password as %23 %2F %3F %3A %40 %25'],
  [/client password must be/, () => 'the server requires a password; set it in the URL or in PGPASSWORD'],
  [
    /self-signed certificate|unable to (verify|get)/,
    (message) => `${message.split(';')[0]}; set sslrootcert=FILE in the URL to the CA of the server`,
  ],
  [/does not support SSL/, () => 'the server has no TLS; enable it, or set sslmode=disable in the URL'],
  [/no encryption$/, (message) => `${message}; set sslmode=require or better verify-full in the URL`],
  [/^permission denied for (schema|table)/, (message) => `${message}; run "paxlog doctor" for advice`],
]

function simplify(message: string): string {
  const [, replace] = REPLACEMENTS.find(([pattern]) => pattern.test(message)) ?? []
  return replace ? replace(message) : message
}

/** Undefined for errors that do not come from the server or the network. */
export function describeReason(error: unknown): string | undefined {
  if (error instanceof PostgresError) return simplify(error.message)
  if (!(error instanceof DatabaseUnavailable)) return undefined
  return simplify(error.cause instanceof Error ? error.cause.message : error.message)
}
