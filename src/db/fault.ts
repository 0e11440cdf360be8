import Database from 'better-sqlite3'

const sentences: Record<string, string> = {
  SQLITE_BUSY: 'Another program has held the database for more than five seconds: try again when it is done.',
  SQLITE_FULL: 'The disk is full, so nothing was changed: make room and try again.',
  SQLITE_READONLY: 'The database cannot be written to, so nothing was changed: "paxlog doctor" tells why.',
}

/** Somebody else holds a lock: nothing is wrong with the file. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** What an operator can do about a failure of the database itself; undefined for any other failure. */
export function databaseFault(error: unknown): string | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined
  const [, kind = ''] = /^(SQLITE_[A-Z]+)/.exec(error.code) ?? []
  // A broken rule is a defect of ours and needs its stack.
  if (kind === 'SQLITE_CONSTRAINT' || kind === 'SQLITE_ERROR') return undefined
  return sentences[kind] ?? `The database failed (${error.code}): ${error.message}.`
}
