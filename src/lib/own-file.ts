import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/** For its owner alone, whatever the umask. */
export const OWN_FILE = 0o600
export const OWN_FOLDER = 0o700

/** A new and empty file that nobody else may read, not even before something is written into it. */
export function ownFile(path: string): void {
  closeSync(openSync(path, 'wx', OWN_FILE))
  chmodSync(path, OWN_FILE)
}

/** Takes a file that is there away from everybody else; one that is not ours to change stays as it is. */
export function makeOwn(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & 0o077) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch {
    // Of another owner, or on a file system without modes: whoever set it up so decides.
  }
}
