import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'

const quietly = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe', encoding: 'utf8' })

/** Two kinds of disk of their own: one in memory, and one with a journal, in a file. */
const kinds = {
  memory: (_folder: string, place: string, megabytes: number) =>
    quietly('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', place),
  ext4: (folder: string, place: string, megabytes: number) => {
    const image = join(folder, 'image')
    writeFileSync(image, '')
    truncateSync(image, megabytes * 1024 ** 2)
    quietly('mkfs.ext4', '-q', '-F', image)
    quietly('mount', '-o', 'loop,errors=remount-ro', image, place)
  },
}
type Kind = keyof typeof kinds

function mount(kind: Kind, megabytes: number): { place: string; unmount: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-disk-'))
  const place = join(folder, 'disk')
  mkdirSync(place)
  const tidy = () => rmSync(folder, { recursive: true, force: true })
  try {
    kinds[kind](folder, place, megabytes)
  } catch (error) {
    tidy()
    throw error
  }
  const unmount = () => {
    // A server that was just killed may still have its files open for a moment.
    quietly('umount', '--lazy', place)
    tidy()
  }
  return { place, unmount }
}

/** Says why, where a disk of this kind cannot be had. */
export function diskMissing(kind: Kind): string | false {
  try {
    mount(kind, 8).unmount()
    return false
  } catch (error) {
    const [reason] = (error as Error).message.split('\n').slice(-2)
    return `a file system of the kind ${kind} cannot be mounted here (${reason})`
  }
}

/** A file system of its own for one test. */
export function disk(kind: Kind, megabytes: number): string {
  const { place, unmount } = mount(kind, megabytes)
  onTestFinished(unmount)
  return place
}

/** Lets the file system find a fault of its own, after which it takes nothing more; false where it cannot be asked to. */
export function breakDisk(place: string): boolean {
  const device = quietly('findmnt', '--noheadings', '--output', 'SOURCE', place).trim()
  const trigger = `/sys/fs/ext4/${basename(device)}/trigger_fs_error`
  if (!existsSync(trigger)) return false
  writeFileSync(trigger, '1')
  try {
    writeFileSync(join(place, 'one-more'), '')
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}
