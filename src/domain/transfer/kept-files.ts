import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { OWN_FILE, OWN_FOLDER } from '../../lib/own-file.ts'
import { digest, newId } from '../../lib/secret.ts'

/** As long as somebody may look at a file before it is imported. */
const KEPT_MS = 30 * 60_000
/** Of all users together; the oldest files make room. */
const MOST_BYTES = 256 * 1024 * 1024

export type KeptFiles = ReturnType<typeof keptFiles>

/** Whose file it is: one for each user, and only for the sign-in that sent it. */
export interface KeptBy {
  userId: string
  /** The secret of the sign-in, of which only a digest is written. */
  session: string
}

interface Envelope {
  session: string
  at: number
  note: unknown
}

const nameOf = (text: string) => digest(text).toString('hex')

interface Place {
  folder: string
  /** Other machines may keep their files there too. */
  isShared?: boolean
  clock: Clock
}

/** Files between the two steps of an import, beside the database: bounded, for their owner alone, and soon gone. */
export function keptFiles({ folder, isShared = false, clock }: Place) {
  const pathOf = (userId: string, end: 'file' | 'json') => join(folder, `${nameOf(userId).slice(0, 32)}.${end}`)
  const sessionMark = ({ session }: KeptBy) => nameOf(`import ${session}`)

  async function write(path: string, content: Buffer | string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: OWN_FOLDER })
    // Two that send at once each write a file of their own; the later one stays.
    const part = `${path}.${newId(8)}`
    await writeFile(part, content, { mode: OWN_FILE, flag: 'wx' })
    await rename(part, path)
  }

  const remove = async (...paths: string[]): Promise<void> => {
    for (const path of paths) await rm(path, { force: true })
  }

  const drop = ({ userId }: Pick<KeptBy, 'userId'>) => remove(pathOf(userId, 'json'), pathOf(userId, 'file'))

  const isOver = ({ at }: Envelope) => at + KEPT_MS <= clock() || at > clock()

  async function envelope(path: string): Promise<Envelope | undefined> {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as Envelope
    } catch {
      // Not there, or only half written when the server went down: nothing is kept.
      return undefined
    }
  }

  /** Deletes what is too old, or what a crash has left without its note, and tells what stays. */
  async function sweep(): Promise<{ userFiles: string[]; at: number; bytes: number }[]> {
    const byUser = new Map<string, string[]>()
    for (const name of await readdir(folder).catch(() => [])) {
      const [user = ''] = name.split('.', 1)
      byUser.set(user, [...(byUser.get(user) ?? []), join(folder, name)])
    }
    const left: { userFiles: string[]; at: number; bytes: number }[] = []
    for (const [user, userFiles] of byUser) {
      const found = await envelope(join(folder, `${user}.json`))
      if (!found || isOver(found)) {
        await remove(...userFiles)
        continue
      }
      const sizes = await Promise.all(
        userFiles.map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0),
      )
      left.push({ userFiles, at: found.at, bytes: sizes.reduce((sum, size) => sum + size, 0) })
    }
    return left
  }

  async function makeRoom(bytes: number): Promise<void> {
    const left = (await sweep()).sort((a, b) => a.at - b.at)
    let used = left.reduce((sum, file) => sum + file.bytes, bytes)
    for (const file of left) {
      if (used <= MOST_BYTES) return
      await remove(...file.userFiles)
      used -= file.bytes
    }
  }

  /** Writes a note beside the file; its time stays that of the file. */
  async function note<Note>(by: KeptBy, text: Note, at: number): Promise<void> {
    const kept: Envelope = { session: sessionMark(by), at, note: text }
    await write(pathOf(by.userId, 'json'), JSON.stringify(kept))
  }

  return {
    /** In place of the file that the same user sent before. */
    async keep<Note>(by: KeptBy, content: Buffer, text: Note): Promise<void> {
      await drop(by)
      await makeRoom(content.length)
      // The note first: a file without one would be swept away.
      await note(by, text, clock())
      await write(pathOf(by.userId, 'file'), content)
    },

    /** The note of the file that this sign-in sent, or undefined when there is none any more. */
    async find<Note>(by: KeptBy) {
      const found = await envelope(pathOf(by.userId, 'json'))
      if (!found || isOver(found) || found.session !== sessionMark(by)) return undefined
      return {
        note: found.note as Note,
        until: found.at + KEPT_MS,
        /** Undefined once it was imported. */
        content: (): Promise<Buffer | undefined> => readFile(pathOf(by.userId, 'file')).catch(() => undefined),
        replaceNote: (text: Note) => note(by, text, found.at),
        dropContent: () => remove(pathOf(by.userId, 'file')),
      }
    },

    drop,
    sweep: async (): Promise<void> => void (await sweep()),
    /** At start: nobody goes on where an earlier process ended, unless others were there all the while. */
    clear: async (): Promise<void> => {
      if (isShared) await sweep()
      else await rm(folder, { recursive: true, force: true })
    },
  }
}
