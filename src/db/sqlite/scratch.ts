import { unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { createPrivateFile } from '../../lib/private-file.ts'
import { newId } from '../../lib/secret.ts'
import type { Db } from '../connection.ts'
import type { Engine } from '../engine.ts'
import { sqliteOf } from './sqlite.ts'

const CACHE_KIB = 1024

/** A private temporary database that disappears when it is closed or the process ends. */
export function openScratch(db: Db): Pick<Engine, 'exec' | 'prepare' | 'close'> {
  // In a container, only the data directory may be writable, and /tmp may be in memory.
  const folder = sqliteOf(db) ? dirname(db.$client.name) : tmpdir()
  const path = join(folder, `scratch-${newId(16)}.tmp`)
  createPrivateFile(path)
  try {
    const client = new Database(path)
    client.pragma('journal_mode = off')
    client.pragma('synchronous = off')
    client.pragma('locking_mode = exclusive')
    client.pragma(`cache_size = -${CACHE_KIB}`)
    // Without a commit, only pages that exceed the cache are written.
    client.exec('begin exclusive')
    return client
  } finally {
    unlinkSync(path)
  }
}
