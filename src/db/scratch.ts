import { unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { ownFile } from '../lib/own-file.ts'
import { newId } from '../lib/secret.ts'
import type { Db } from './connection.ts'
import type { Engine } from './engine.ts'
import { fileOf } from './sqlite.ts'

/** Pages that SQLite holds in memory; the rest is in the file. */
const CACHE_KIB = 1024

/** A private database in a temporary file, which is gone once it is closed or the process ends. */
export function openScratch(db: Db): Pick<Engine, 'exec' | 'prepare' | 'close'> {
  // In a container only the data directory may be writable, and its temporary folder may be memory.
  const folder = fileOf(db) ? dirname(db.$client.name) : tmpdir()
  const path = join(folder, `scratch-${newId(16)}.tmp`)
  ownFile(path)
  try {
    const client = new Database(path)
    client.pragma('journal_mode = off')
    client.pragma('synchronous = off')
    client.pragma('locking_mode = exclusive')
    client.pragma(`cache_size = -${CACHE_KIB}`)
    // Without a commit nothing is written but pages that do not fit into the cache.
    client.exec('begin exclusive')
    return client
  } finally {
    unlinkSync(path)
  }
}
