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

const uid = process.getuid?.() ?? 'unknown'
const chown = (dataDir: string) => `"chown -R ${uid}:${process.getgid?.() ?? uid} ${resolve(dataDir)}"`

function requireAccess(path: string, dataDir: string, mode: number): void {
  try {
    accessSync(path, mode)
  } catch (cause) {
    const isReadOnly = (cause as NodeJS.ErrnoException).code === 'EROFS'
    const reason = isReadOnly
      ? 'is on a read-only file system. Use a writable DATA_DIR.'
      : `is not writable for uid ${uid}. Run ${chown(dataDir)}.`
    throw new StartupError(`${path} ${reason}`, { cause })
  }
}

export function requireUsable(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (!found) throw new StartupError(`DATA_DIR ${dataDir} does not exist. "paxlog serve" creates it.`)
  if (!found.isDirectory()) throw new StartupError(`DATA_DIR ${dataDir} is a file, not a directory.`)
  const network = networkFileSystem(statfsSync(dataDir).type)
  if (network)
    throw new StartupError(
      `DATA_DIR ${dataDir} is on a network file system (${network}), where SQLite can lose data. Use a directory on a local disk.`,
    )
  requireAccess(dataDir, dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  const file = databasePath(dataDir)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path)) requireAccess(path, dataDir, constants.R_OK | constants.W_OK)
  }
}

/** Not `recursive`, which never returns where nothing can be created, such as below /proc. */
function makeDirectory(dataDir: string): void {
  const missing: string[] = []
  for (let path = resolve(dataDir); !existsSync(path); path = dirname(path)) missing.unshift(path)
  for (const path of missing) {
    try {
      mkdirSync(path, { mode: PRIVATE_FOLDER_MODE })
      // The umask may have removed bits of the owner.
      chmodSync(path, PRIVATE_FOLDER_MODE)
    } catch (error) {
      // Another process may create it at the same time.
      if (!existsSync(path)) throw error
    }
    // SQLite does not flush the names of directories.
    flushFolder(dirname(path))
  }
}

export function prepareDirectory(dataDir: string): void {
  if (!existsSync(dataDir)) {
    try {
      makeDirectory(dataDir)
    } catch (cause) {
      const reason = (cause as Error).message
      throw new StartupError(
        `DATA_DIR ${dataDir} cannot be created by uid ${uid} (${reason}). Create it and run ${chown(dataDir)}.`,
        { cause },
      )
    }
  }
  requireUsable(dataDir)
}
