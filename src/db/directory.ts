import { accessSync, chmodSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { flushFolder } from '../lib/flush.ts'
import { OWN_FOLDER } from '../lib/own-file.ts'
import { Refusal } from '../lib/refusal.ts'

export const databasePath = (dataDir: string) => join(dataDir, 'paxlog.db')

/** File systems on which SQLite's locks or shared memory cannot be trusted, by the number that statfs gives them. */
const NETWORK_FILE_SYSTEMS: Record<number, string> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  16914839: '9P',
  1397113167: 'AFS',
  1799439955: 'AFS',
  1937076805: 'Coda',
  12805120: 'Ceph',
}

/** The number arrives with a sign on some machines. */
export const networkFileSystem = (type: number): string | undefined => NETWORK_FILE_SYSTEMS[type >>> 0]

function requireLocal(dataDir: string): void {
  const name = networkFileSystem(statfsSync(dataDir).type)
  if (!name) return
  throw new Refusal(
    `DATA_DIR ${dataDir} lies on a network file system (${name}), where SQLite can lose data: choose a directory on a local disk.`,
  )
}

function owner(): string {
  const uid = process.getuid?.() ?? 'unknown'
  return `${uid}:${process.getgid?.() ?? uid}`
}

function requireAccess(path: string, dataDir: string, wanted: number): void {
  try {
    accessSync(path, wanted)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EROFS') {
      throw new Refusal(`${path} lies on a read-only file system: choose a DATA_DIR that can be written to.`, { cause })
    }
    const [uid] = owner().split(':')
    throw new Refusal(
      `${path} is not writable for uid ${uid}: give it to that user with "chown -R ${owner()} ${resolve(dataDir)}".`,
      { cause },
    )
  }
}

/** Refuses a directory in which the database could not live; changes nothing. */
export function requireUsable(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (!found) throw new Refusal(`DATA_DIR ${dataDir} does not exist: "paxlog serve" makes it.`)
  if (!found.isDirectory()) throw new Refusal(`DATA_DIR ${dataDir} is a file, not a directory.`)
  requireLocal(dataDir)
  requireAccess(dataDir, dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  const file = databasePath(dataDir)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path)) requireAccess(path, dataDir, constants.R_OK | constants.W_OK)
  }
}

/** Makes one directory, unless another process has made it in the meantime. */
function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: OWN_FOLDER })
    // A umask may have taken away what its owner needs.
    chmodSync(path, OWN_FOLDER)
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}

/**
 * SQLite flushes the names inside the directory; that of the directory itself, and of those above it, must survive too.
 * One by one: where nothing can be made, such as below /proc, `recursive` tries for ever.
 */
function makeDirectory(dataDir: string): void {
  const missing: string[] = []
  for (let path = resolve(dataDir); !existsSync(path); path = dirname(path)) missing.unshift(path)
  for (const path of missing) {
    makeOne(path)
    flushFolder(dirname(path))
  }
}

/** Makes the directory when it is missing; nobody else on the machine may look into a new one. */
export function prepareDirectory(dataDir: string): void {
  if (!existsSync(dataDir)) {
    try {
      makeDirectory(dataDir)
    } catch (cause) {
      const [uid] = owner().split(':')
      throw new Refusal(
        `DATA_DIR ${dataDir} cannot be created by uid ${uid} (${(cause as Error).message}): make it and give it to that user with "chown -R ${owner()} ${resolve(dataDir)}".`,
        { cause },
      )
    }
  }
  requireUsable(dataDir)
}
