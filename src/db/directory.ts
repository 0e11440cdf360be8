import { accessSync, chmodSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { flushFolder } from '../lib/flush.ts'
import { PRIVATE_FOLDER_MODE } from '../lib/private-file.ts'
import { StartupError } from '../lib/startup-error.ts'

export const databasePath = (dataDir: string) => join(dataDir, 'paxlog.db')

/** File systems without reliable locks or shared memory, by their statfs type. */
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

/** The type is signed on some machines. */
export const networkFileSystem = (type: number): string | undefined => NETWORK_FILE_SYSTEMS[type >>> 0]

function requireLocal(dataDir: string): void {
  const name = networkFileSystem(statfsSync(dataDir).type)
  if (!name) return
  throw new StartupError(
    `DATA_DIR ${dataDir} is on a network file system (${name}), where SQLite can lose data. Use a directory on a local disk.`,
  )
}

function processOwner(): string {
  const uid = process.getuid?.() ?? 'unknown'
  return `${uid}:${process.getgid?.() ?? uid}`
}

function requireAccess(path: string, dataDir: string, mode: number): void {
  try {
    accessSync(path, mode)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EROFS') {
      throw new StartupError(`${path} is on a read-only file system. Use a writable DATA_DIR.`, {
        cause,
      })
    }
    const [uid] = processOwner().split(':')
    throw new StartupError(
      `${path} is not writable for uid ${uid}. Run "chown -R ${processOwner()} ${resolve(dataDir)}".`,
      { cause },
    )
  }
}

export function requireUsable(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (!found) throw new StartupError(`DATA_DIR ${dataDir} does not exist. "paxlog serve" creates it.`)
  if (!found.isDirectory()) throw new StartupError(`DATA_DIR ${dataDir} is a file, not a directory.`)
  requireLocal(dataDir)
  requireAccess(dataDir, dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  const file = databasePath(dataDir)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path)) requireAccess(path, dataDir, constants.R_OK | constants.W_OK)
  }
}

/** Another process may create it at the same time. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER_MODE })
    // The umask may have removed bits of the owner.
    chmodSync(path, PRIVATE_FOLDER_MODE)
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}

/**
 * SQLite does not flush the names of the directory and its parents. Not `recursive`, which never returns where nothing
 * can be created, such as below /proc.
 */
function makeDirectory(dataDir: string): void {
  const missing: string[] = []
  for (let path = resolve(dataDir); !existsSync(path); path = dirname(path)) missing.unshift(path)
  for (const path of missing) {
    makeFolder(path)
    flushFolder(dirname(path))
  }
}

export function prepareDirectory(dataDir: string): void {
  if (!existsSync(dataDir)) {
    try {
      makeDirectory(dataDir)
    } catch (cause) {
      const [uid] = processOwner().split(':')
      throw new StartupError(
        `DATA_DIR ${dataDir} cannot be created by uid ${uid} (${(cause as Error).message}). Create it and run "chown -R ${processOwner()} ${resolve(dataDir)}".`,
        { cause },
      )
    }
  }
  requireUsable(dataDir)
}
