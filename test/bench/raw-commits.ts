/** The yardstick of durable writes: commits of one small row by the driver alone, for some seconds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

const seconds = Number(process.argv[2])
const folder = mkdtempSync(join(tmpdir(), 'paxlog-raw-'))
const db = new Database(join(folder, 'raw.db'))
db.pragma('journal_mode = wal')
db.pragma('synchronous = full')
db.exec('create table rows (id integer primary key autoincrement, text text) strict')
const insert = db.prepare('insert into rows (text) values (?)')
const start = performance.now()
let commits = 0
while (performance.now() - start < seconds * 1000) {
  insert.run('one small row')
  commits++
}
process.stdout.write(String(commits / ((performance.now() - start) / 1000)))
db.close()
rmSync(folder, { recursive: true })
