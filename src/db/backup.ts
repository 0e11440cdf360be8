import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { flushFile, flushFolder } from '../lib/flush.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from './connection.ts'

function requireSound(file: string): void {
  const copy = new Database(file, { readonly: true })
  try {
    const verdict = copy.pragma('integrity_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Refusal(`The copy is damaged (${verdict}) and was removed.`)
    const dangling = copy.pragma('foreign_key_check') as unknown[]
    if (dangling.length > 0) throw new Refusal('The copy holds rows that point nowhere and was removed.')
  } finally {
    copy.close()
  }
}

/** Copies one moment of the database, checks the copy, and only then gives it its name. Returns its size. */
export function backUpTo(db: Db, file: string): number {
  if (existsSync(file)) throw new Refusal(`${file} exists already: choose another name, nothing is overwritten.`)
  const partial = `${file}.partial`
  try {
    rmSync(partial, { force: true })
    // SQLite fills an empty file without changing its mode: a copy holds password hashes and is nobody else's business.
    writeFileSync(partial, '', { mode: 0o600 })
    db.$client.prepare('vacuum into ?').run(partial)
    requireSound(partial)
    flushFile(partial)
    renameSync(partial, file)
    // The name itself must survive a power cut too.
    flushFolder(dirname(file))
  } catch (cause) {
    rmSync(partial, { force: true })
    if (cause instanceof Refusal) throw cause
    throw new Refusal(`The backup ${file} could not be written: ${(cause as Error).message}.`, { cause })
  }
  return statSync(file).size
}
