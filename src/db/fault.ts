import Database from 'better-sqlite3'
import { DatabaseUnavailable, isConflict, PostgresFault } from './postgres/fault.ts'

const sentences: Record<string, string> = {
  SQLITE_BUSY: 'Another program holds the database: try again when it is done.',
  SQLITE_FULL: 'The disk is full, so nothing was changed: make room and try again.',
  SQLITE_READONLY: 'The database cannot be written to, so nothing was changed: "paxlog doctor" tells why.',
}

/** Somebody else holds a lock: nothing is wrong with the file. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** The write lock is held by another program, or by an import or a long write of this one; nothing was changed. */
export class DatabaseLocked extends DatabaseUnavailable {
  constructor(cause?: unknown) {
    super('Another program is writing to the database, so nothing was changed: try again in a moment.', { cause })
    this.name = 'DatabaseLocked'
  }
}

/** A row points at one that is not there, or is pointed at by one that is. */
export const breaksReference = (error: unknown): boolean =>
  error instanceof PostgresFault
    ? error.code === '23503'
    : error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'

function postgresFault(error: PostgresFault): string | undefined {
  // The disk, the memory or the number of connections of the server; a failure of its own.
  if (/^(53|58|XX)/.test(error.code)) return `PostgreSQL failed (${error.code}): ${error.message}.`
  // Whatever can be done again has been; a transaction that a command keeps open is not.
  if (isConflict(error)) return 'Others wrote the same meanwhile, so nothing was changed: try again.'
  return undefined
}

/** For the operator, what the network or the server said. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message
}

/** What an operator can do about a failure of the database itself; undefined for any other failure. */
export function databaseFault(error: unknown): string | undefined {
  if (error instanceof PostgresFault) return postgresFault(error)
  if (error instanceof DatabaseLocked) return error.message
  if (error instanceof DatabaseUnavailable) return reasonOf(error)
  if (!(error instanceof Database.SqliteError)) return undefined
  const [, kind = ''] = /^(SQLITE_[A-Z]+)/.exec(error.code) ?? []
  // A broken rule is a defect of ours and needs its stack.
  if (kind === 'SQLITE_CONSTRAINT' || kind === 'SQLITE_ERROR') return undefined
  return sentences[kind] ?? `The database failed (${error.code}): ${error.message}.`
}
