import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { closedDatabase } from '../support/database.ts'
import { dist, objects, run, start } from '../support/process.ts'

test('paxlog reference update changes nothing when it is killed', async () => {
  const { dataDir } = closedDatabase()
  const args = [dist('cli.js'), 'reference', 'update', '--data-dir', dataDir]
  const child = start(args)
  const ended = once(child, 'exit')
  // Kill it as soon as the write-ahead log holds a part of the data.
  while (
    child.exitCode === null &&
    (statSync(join(dataDir, 'paxlog.db-wal'), { throwIfNoEntry: false })?.size ?? 0) < 1e6
  ) {
    await wait(1)
  }
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  // SQLite discards uncommitted frames of the log when the file is opened again.
  expect(readdirSync(dataDir).filter((name) => !/^paxlog\.db(-wal|-shm)?$/.test(name))).toEqual([])
  const count = () => {
    const db = new Database(join(dataDir, 'paxlog.db'))
    const rows = db.prepare('select (select count(*) from airports), (select count(*) from airlines)').raw().get()
    db.close()
    return rows
  }
  expect(count()).toEqual([0, 0])
  const [airports, airlines] = objects(await run(args))
  expect(count()).toEqual([airports.inserted, airlines.inserted])
  expect(airports.inserted).toBeGreaterThan(50_000)
  expect(readdirSync(dataDir)).toEqual(['paxlog.db'])
})
