import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Refusal } from '../lib/refusal.ts'

export const databasePath = (dataDir: string) => join(dataDir, 'paxlog.db')

/** File systems on which SQLite's locks or shared memory cannot be trusted (statfs magic numbers). */
const NETWORK_FILE_SYSTEMS: Record<number, string> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  16914839: '9P',
  1397113167: 'AFS',
  1937076805: 'Coda',
  12805120: 'Ceph',
}

function requireLocal(dataDir: string): void {
  const name = NETWORK_FILE_SYSTEMS[statfsSync(dataDir).type >>> 0]
  if (!name) return
  throw new Refusal(
    `DATA_DIR ${dataDir} lies on a network file system (${name}), where SQLite can lose data: choose a directory on a local disk.`,
  )
}

function requireWritable(path: string, dataDir: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (cause) {
    const uid = process.getuid?.() ?? 'unknown'
    const gid = process.getgid?.() ?? uid
    throw new Refusal(
      `${path} is not writable for uid ${uid}: give it to that user with "chown -R ${uid}:${gid} ${resolve(dataDir)}".`,
      { cause },
    )
  }
}

/** Makes the directory when it is missing, and refuses one in which the database could not live. */
export function prepareDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch (cause) {
    const uid = process.getuid?.() ?? 'unknown'
    throw new Refusal(
      `DATA_DIR ${dataDir} cannot be created by uid ${uid} (${(cause as Error).message}): make it and give it to that user with "chown -R ${uid} ${resolve(dataDir)}".`,
      { cause },
    )
  }
  requireLocal(dataDir)
  requireWritable(dataDir, dataDir)
  const file = databasePath(dataDir)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) requireWritable(path, dataDir)
}
