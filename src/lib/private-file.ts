import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/** Applied with chmod because the umask may remove bits. */
export const PRIVATE_FILE_MODE = 0o600
export const PRIVATE_FOLDER_MODE = 0o700

export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', PRIVATE_FILE_MODE))
  chmodSync(path, PRIVATE_FILE_MODE)
}

export function chmodPrivate(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & 0o077) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch {
    // Another owner, or a file system without modes.
  }
}
