import { join } from 'node:path'
import Database from 'better-sqlite3'

/** The smallest durable write: one row in a table without an index, flushed with each commit. */
export function smallRows(folder: string) {
  const db = new Database(join(folder, 'small-rows.db'))
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.exec('create table rows (id integer primary key autoincrement, text text) strict')
  const insert = db.prepare('insert into rows (text) values (?)')
  return { add: () => insert.run('one small row'), close: () => db.close() }
}
