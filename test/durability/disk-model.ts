import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Random } from '../support/random.ts'
import type { Event } from './system-calls.ts'

const SECTOR = 512

/** A write or resize that is not flushed yet. */
type Change = { number: number; at: number; data: Buffer } | { number: number; size: number }

interface Content {
  bytes: Buffer
  size: number
}

interface Inode {
  isFolder: boolean
  durable: Content
  pending: Change[]
}

type Names = Map<string, Inode>

/** Name changes that are applied atomically, such as a rename. */
interface NameChange {
  number: number
  folder: string
  names: [path: string, inode: Inode | undefined][]
}

function applyChange(content: Content, what: Change): void {
  const end = 'size' in what ? what.size : what.at + what.data.length
  if (end > content.bytes.length) {
    const bytes = Buffer.alloc(end * 2)
    content.bytes.copy(bytes, 0, 0, content.size)
    content.bytes = bytes
  }
  if ('size' in what) {
    // Bytes after the end are zero if the file grows again.
    content.bytes.fill(0, Math.min(what.size, content.size), content.size)
    content.size = what.size
  } else {
    what.data.copy(content.bytes, what.at)
    content.size = Math.max(content.size, end)
  }
}

/** The content of a file with the given pending changes; by default with all of them. */
function contentOf({ durable: { bytes, size }, pending }: Inode, changes: readonly Change[] = pending): Buffer {
  const content = { bytes: Buffer.from(bytes), size }
  for (const what of changes) applyChange(content, what)
  return content.bytes.subarray(0, content.size)
}

/** Splits a write into sectors, which a disk writes atomically. */
function sectorsOf(what: Change): Change[] {
  if ('size' in what) return [what]
  const pieces: Change[] = []
  for (let from = 0; from < what.data.length; ) {
    const to = Math.min(what.data.length, from + SECTOR - ((what.at + from) % SECTOR))
    pieces.push({ number: what.number, at: what.at + from, data: what.data.subarray(from, to) })
    from = to
  }
  return pieces
}

/** Selects which unflushed changes survive a power cut. */
export const survivors = {
  /** None are written. */
  none: (): Change[] => [],
  /** A random subset is written. */
  some: (pending: readonly Change[], random: Random) => pending.filter(() => random.chance(0.5)),
  /** They are written in order until the middle of one. */
  torn: (pending: readonly Change[], random: Random) => {
    const whole = random.between(0, pending.length)
    const sectors = pending.slice(whole, whole + 1).flatMap(sectorsOf)
    return [...pending.slice(0, whole), ...sectors.slice(0, random.between(0, sectors.length))]
  },
  /** A random subset of sectors is written. */
  sectors: (pending: readonly Change[], random: Random) => pending.flatMap(sectorsOf).filter(() => random.chance(0.5)),
  /** All are written. */
  all: (pending: readonly Change[]) => [...pending],
}

export type SurvivalMode = keyof typeof survivors

export interface Survival {
  contents: SurvivalMode
  names: 'none' | 'some' | 'all'
}

/**
 * A disk with the weakest guarantees that POSIX allows: flushing a file makes its content durable, and only flushing its
 * folder makes its name durable.
 */
export function diskModel(folder: string) {
  const root: Inode = { isFolder: true, durable: { bytes: Buffer.alloc(0), size: 0 }, pending: [] }
  /** The files as programs see them; `durable` has those that survive a power cut. */
  const visible: Names = new Map([[folder, root]])
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    const isFolder = statSync(path).isDirectory()
    const bytes = isFolder ? Buffer.alloc(0) : readFileSync(path)
    visible.set(path, { isFolder, durable: { bytes, size: bytes.length }, pending: [] })
  }
  const durable: Names = new Map(visible)
  let pendingNames: NameChange[] = []

  function inodeOf(path: string): Inode {
    const inode = visible.get(path)
    if (!inode) throw new Error(`The disk model has no ${path}.`)
    return inode
  }

  function rename(number: number, ...names: NameChange['names']): void {
    const [path] = names[0]!
    if (names.some(([other]) => dirname(other) !== dirname(path)))
      throw new Error(`The disk model does not support moving ${path} to another folder.`)
    for (const [name, inode] of names) set(visible, name, inode)
    pendingNames.push({ number, folder: dirname(path), names })
  }

  function create(number: number, path: string, isFolder: boolean): void {
    if (!visible.has(path))
      rename(number, [path, { isFolder, durable: { bytes: Buffer.alloc(0), size: 0 }, pending: [] }])
  }

  function flush(path: string, startedAt: number): void {
    const inode = inodeOf(path)
    const isCovered = ({ number }: { number: number }) => number < startedAt
    for (const pending of inode.pending.filter(isCovered)) applyChange(inode.durable, pending)
    inode.pending = inode.pending.filter((pending) => !isCovered(pending))
    const covered = (names: NameChange) => names.folder === path && isCovered(names)
    for (const { names } of pendingNames.filter(covered)) for (const [name, kept] of names) set(durable, name, kept)
    pendingNames = pendingNames.filter((names) => !covered(names))
  }

  function apply(event: Event): void {
    const { number } = event
    if (event.kind === 'write') inodeOf(event.path).pending.push({ number, at: event.at, data: event.data })
    if (event.kind === 'resize') inodeOf(event.path).pending.push({ number, size: event.size })
    if (event.kind === 'copy') inodeOf(event.to).pending.push({ number, at: 0, data: contentOf(inodeOf(event.path)) })
    if (event.kind === 'create') create(number, event.path, false)
    if (event.kind === 'create-folder') create(number, event.path, true)
    if (event.kind === 'remove') rename(number, [event.path, undefined])
    if (event.kind === 'link') rename(number, [event.to, inodeOf(event.path)])
    if (event.kind === 'rename') rename(number, [event.to, inodeOf(event.path)], [event.path, undefined])
    if (event.kind === 'flush') flush(event.path, event.startedAt)
  }

  /** Writes the files as they are after a power cut. */
  function restore(target: string, random: Random, { contents, names }: Survival): void {
    const restored: Names = new Map(durable)
    for (const pending of pendingNames) {
      if (names === 'all' || (names === 'some' && random.chance(0.5)))
        for (const [name, inode] of pending.names) set(restored, name, inode)
    }
    const written = new Map<Inode, Buffer>()
    const isReachable = (path: string): boolean =>
      path === folder || (restored.get(dirname(path))?.isFolder === true && isReachable(dirname(path)))
    for (const [path, inode] of [...restored].sort(([a], [b]) => a.length - b.length)) {
      if (!isReachable(path)) continue
      const destination = join(target, relative(folder, path))
      // The -shm file is shared memory and does not survive.
      if (inode.isFolder) mkdirSync(destination, { recursive: true })
      else if (!path.endsWith('-shm')) {
        const content = written.get(inode) ?? contentOf(inode, survivors[contents](inode.pending, random))
        written.set(inode, content)
        writeFileSync(destination, content)
      }
    }
  }
  return { apply, restore }
}

function set(names: Names, path: string, inode: Inode | undefined): void {
  if (inode) names.set(path, inode)
  else names.delete(path)
}

export type DiskModel = ReturnType<typeof diskModel>
