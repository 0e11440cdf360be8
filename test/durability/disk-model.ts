import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Random } from '../support/random.ts'
import type { Event } from './system-calls.ts'

const SECTOR = 512

/** One write or change of length that was asked for, but not flushed yet. */
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

/** Names that come and go together; a rename is one of them. */
interface NameChange {
  number: number
  folder: string
  names: [path: string, inode: Inode | undefined][]
}

function change(content: Content, what: Change): void {
  const end = 'size' in what ? what.size : what.at + what.data.length
  if (end > content.bytes.length) {
    const bytes = Buffer.alloc(end * 2)
    content.bytes.copy(bytes, 0, 0, content.size)
    content.bytes = bytes
  }
  if ('size' in what) {
    // What is beyond the end is zero when the file grows again.
    content.bytes.fill(0, Math.min(what.size, content.size), content.size)
    content.size = what.size
  } else {
    what.data.copy(content.bytes, what.at)
    content.size = Math.max(content.size, end)
  }
}

/** The content of a file with some of what was not flushed, or all of it, as programs see it. */
function contentOf({ durable: { bytes, size }, pending }: Inode, some: readonly Change[] = pending): Buffer {
  const content = { bytes: Buffer.from(bytes), size }
  for (const what of some) change(content, what)
  return content.bytes.subarray(0, content.size)
}

/** A write in pieces that a disk takes as a whole. */
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

/** What becomes of the changes that were not flushed when the power goes. */
export const fates = {
  /** The disk had written none of them. */
  none: (): Change[] => [],
  /** It had written some of them, in an order of its own. */
  some: (pending: readonly Change[], random: Random) => pending.filter(() => random.chance(0.5)),
  /** It wrote them in order, and the power went in the middle of one. */
  torn: (pending: readonly Change[], random: Random) => {
    const whole = random.between(0, pending.length)
    const sectors = pending.slice(whole, whole + 1).flatMap(sectorsOf)
    return [...pending.slice(0, whole), ...sectors.slice(0, random.between(0, sectors.length))]
  },
  /** Every sector was written or not, whatever write it belongs to. */
  sectors: (pending: readonly Change[], random: Random) => pending.flatMap(sectorsOf).filter(() => random.chance(0.5)),
  /** All of them had been written, although nobody had asked for it. */
  all: (pending: readonly Change[]) => [...pending],
}

export type Fate = keyof typeof fates

export interface Fates {
  contents: Fate
  names: 'none' | 'some' | 'all'
}

/**
 * A disk that keeps what it was told to flush, and of the rest whatever it likes. It is as hostile as POSIX allows: a flush
 * keeps the content of one file, but not its name; a name is kept by a flush of its folder, and by nothing else.
 */
export function diskModel(folder: string) {
  const root: Inode = { isFolder: true, durable: { bytes: Buffer.alloc(0), size: 0 }, pending: [] }
  /** What a program sees, and what is there after the power went if nothing else was written. */
  const seen: Names = new Map([[folder, root]])
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    const isFolder = statSync(path).isDirectory()
    const bytes = isFolder ? Buffer.alloc(0) : readFileSync(path)
    seen.set(path, { isFolder, durable: { bytes, size: bytes.length }, pending: [] })
  }
  const durable: Names = new Map(seen)
  let pendingNames: NameChange[] = []

  function inodeOf(path: string): Inode {
    const inode = seen.get(path)
    if (!inode) throw new Error(`The model of the disk has no ${path}.`)
    return inode
  }

  function rename(number: number, ...names: NameChange['names']): void {
    const [path] = names[0]!
    if (names.some(([other]) => dirname(other) !== dirname(path))) throw new Error(`${path} changes its folder.`)
    for (const [name, inode] of names) set(seen, name, inode)
    pendingNames.push({ number, folder: dirname(path), names })
  }

  function create(number: number, path: string, isFolder: boolean): void {
    if (!seen.has(path)) rename(number, [path, { isFolder, durable: { bytes: Buffer.alloc(0), size: 0 }, pending: [] }])
  }

  function flush(path: string, begun: number): void {
    const inode = inodeOf(path)
    const isCovered = ({ number }: { number: number }) => number < begun
    for (const pending of inode.pending.filter(isCovered)) change(inode.durable, pending)
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
    if (event.kind === 'flush') flush(event.path, event.begun)
  }

  /** Makes the files as they are found when the power is back. */
  function restore(target: string, random: Random, { contents, names }: Fates): void {
    const found: Names = new Map(durable)
    for (const pending of pendingNames) {
      if (names === 'all' || (names === 'some' && random.chance(0.5)))
        for (const [name, inode] of pending.names) set(found, name, inode)
    }
    const written = new Map<Inode, Buffer>()
    const isReachable = (path: string): boolean =>
      path === folder || (found.get(dirname(path))?.isFolder === true && isReachable(dirname(path)))
    for (const [path, inode] of [...found].sort(([a], [b]) => a.length - b.length)) {
      if (!isReachable(path)) continue
      const place = join(target, relative(folder, path))
      // Shared memory is no memory of the disk.
      if (inode.isFolder) mkdirSync(place, { recursive: true })
      else if (!path.endsWith('-shm')) {
        const content = written.get(inode) ?? contentOf(inode, fates[contents](inode.pending, random))
        written.set(inode, content)
        writeFileSync(place, content)
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
