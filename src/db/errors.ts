import Database from 'better-sqlite3'
import { english } from '../messages/english.ts'
import { DatabaseUnavailable, isConflict, PostgresError } from './postgres/errors.ts'

const messages: Record<string, string> = {
  SQLITE_BUSY: 'Another program is using the database. Try again when it is done.',
  SQLITE_FULL: 'The disk is full, so nothing was changed. Free some space and try again.',
  SQLITE_READONLY: 'The database is not writable, so nothing was changed. Run "paxlog doctor" to find the cause.',
}

export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** Another program, an import or a long write holds the write lock; nothing was changed. */
export class DatabaseLocked extends DatabaseUnavailable {
  constructor(cause?: unknown) {
    super(english.busy.databaseLocked, { cause })
    this.name = 'DatabaseLocked'
  }
}

export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof PostgresError
    ? error.code === '23503'
    : error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'

function describePostgresError(error: PostgresError): string | undefined {
  // Insufficient resources, system error or internal error.
  if (/^(53|58|XX)/.test(error.code)) return `PostgreSQL failed (${error.code}): ${error.message}.`
  // Only a transaction that spans a whole command is not retried.
  if (isConflict(error)) return 'Another process changed the same data, so nothing was changed. Try again.'
  return undefined
}

export function describeDatabaseError(error: unknown): string | undefined {
  if (error instanceof PostgresError) return describePostgresError(error)
  if (error instanceof DatabaseLocked) return error.message
  if (error instanceof DatabaseUnavailable)
    return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
  if (!(error instanceof Database.SqliteError)) return undefined
  const [, kind = ''] = /^(SQLITE_[A-Z]+)/.exec(error.code) ?? []
  // A violated constraint is a bug and needs its stack.
  if (kind === 'SQLITE_CONSTRAINT' || kind === 'SQLITE_ERROR') return undefined
  return messages[kind] ?? `The database failed (${error.code}): ${error.message}.`
}
