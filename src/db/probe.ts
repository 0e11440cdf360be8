import type { Db } from './open.ts'
import { requiredPragmas } from './open.ts'

const PATIENCE_MS = 2_000

/** Reads, then takes and releases the write lock without writing; throws when either fails. */
export function databaseProbe(db: Db): () => void {
  const client = db.$client
  const read = client.prepare('select count(*) from settings').pluck()
  const lock = client.prepare('begin immediate')
  const release = client.prepare('rollback')
  return () => {
    read.get()
    client.pragma(`busy_timeout = ${PATIENCE_MS}`)
    try {
      lock.run()
      release.run()
    } finally {
      client.pragma(`busy_timeout = ${requiredPragmas.busy_timeout}`)
    }
  }
}
