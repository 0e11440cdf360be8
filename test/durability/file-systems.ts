import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe', encoding: 'utf8' })

/** A file system in memory, and one with a journal in an image file. */
const kinds = {
  memory: (_folder: string, mountPoint: string, megabytes: number) =>
    run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', mountPoint),
  ext4: (folder: string, mountPoint: string, megabytes: number) => {
    const image = join(folder, 'image')
    writeFileSync(image, '')
    truncateSync(image, megabytes * 1024 ** 2)
    run('mkfs.ext4', '-q', '-F', image)
    run('mount', '-o', 'loop,errors=remount-ro', image, mountPoint)
  },
}
type Kind = keyof typeof kinds

function mount(kind: Kind, megabytes: number): { mountPoint: string; unmount: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-disk-'))
  const mountPoint = join(folder, 'disk')
  mkdirSync(mountPoint)
  const cleanUp = () => rmSync(folder, { recursive: true, force: true })
  try {
    kinds[kind](folder, mountPoint, megabytes)
  } catch (error) {
    cleanUp()
    throw error
  }
  const unmount = () => {
    // A killed server may still have open files for a moment.
    run('umount', '--lazy', mountPoint)
    cleanUp()
  }
  return { mountPoint, unmount }
}

/** The reason why this file system cannot be mounted, or false. */
export function diskMissing(kind: Kind): string | false {
  try {
    mount(kind, 8).unmount()
    return false
  } catch (error) {
    const [reason] = (error as Error).message.split('\n').slice(-2)
    return `a file system of type ${kind} cannot be mounted here (${reason})`
  }
}

/** Mounts a file system for the current test. */
export function disk(kind: Kind, megabytes: number): string {
  const { mountPoint, unmount } = mount(kind, megabytes)
  onTestFinished(unmount)
  return mountPoint
}

/** Triggers a file system error, after which it is read-only. Returns false if the kernel does not support it. */
export function breakDisk(mountPoint: string): boolean {
  const device = run('findmnt', '--noheadings', '--output', 'SOURCE', mountPoint).trim()
  const trigger = `/sys/fs/ext4/${basename(device)}/trigger_fs_error`
  if (!existsSync(trigger)) return false
  writeFileSync(trigger, '1')
  try {
    writeFileSync(join(mountPoint, 'one-more'), '')
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}
