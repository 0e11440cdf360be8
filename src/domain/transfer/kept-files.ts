import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../../lib/private-file.ts'
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
  note: unknown
}

const nameOf = (text: string) => digest(text).toString('hex')

interface Place {
  folder: string
  /** Other machines may keep their files there too. */
  isShared?: boolean
  clock: Clock
}

/** The files of one upload share a name of their own, so that deleting one upload cannot touch another. */
interface Upload {
  /** `user.time.id`, without an ending. */
  name: string
  user: string
  /** Milliseconds. */
  at: number
  files: string[]
}

const UPLOAD_FILE = /^(([0-9a-f]{32})\.(\d+)\.\w+)\.(?:file|json)(?:\.\w+)?$/

/** Oldest first. */
const byAge = (one: Upload, other: Upload) => one.at - other.at || (one.name < other.name ? -1 : 1)

/** Files between the two steps of an import, beside the database: bounded, for their owner alone, and soon gone. */
export function keptFiles({ folder, isShared = false, clock }: Place) {
  const userKey = (userId: string) => nameOf(userId).slice(0, 32)
  const pathOf = ({ name }: Pick<Upload, 'name'>, end: 'file' | 'json') => join(folder, `${name}.${end}`)
  const sessionMark = ({ session }: KeptBy) => nameOf(`import ${session}`)

  const namesInFolder = (): Promise<string[]> => readdir(folder).catch(() => [])

  /** Complete and partial ones, oldest first. */
  async function uploads(): Promise<Upload[]> {
    const found = new Map<string, Upload>()
    for (const file of await namesInFolder()) {
      const [, name, user, at] = UPLOAD_FILE.exec(file) ?? []
      if (name === undefined || user === undefined) continue
      const upload = found.get(name) ?? { name, user, at: Number(at), files: [] }
      upload.files.push(join(folder, file))
      found.set(name, upload)
    }
    return [...found.values()].sort(byAge)
  }

  async function write(path: string, content: Buffer | string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE })
    // A reader never sees a file that is only half written.
    const part = `${path}.${newId(8)}`
    await writeFile(part, content, { mode: PRIVATE_FILE_MODE, flag: 'wx' })
    await rename(part, path)
  }

  const remove = async (...paths: string[]): Promise<void> => {
    for (const path of paths) await rm(path, { force: true })
  }

  async function removeUploads(isUnwanted: (upload: Upload) => boolean): Promise<void> {
    for (const upload of await uploads()) if (isUnwanted(upload)) await remove(...upload.files)
  }

  /** The clock may have been set back, and those of several machines differ a little. */
  const isOver = ({ at }: Upload) => Math.abs(clock() - at) >= KEPT_MS

  const isComplete = (upload: Upload) => upload.files.includes(pathOf(upload, 'json'))

  async function envelope(upload: Upload): Promise<Envelope | undefined> {
    try {
      return JSON.parse(await readFile(pathOf(upload, 'json'), 'utf8')) as Envelope
    } catch {
      // Deleted since the folder was listed.
      return undefined
    }
  }

  /** An upload without a note may still be in progress, so that its age decides too. */
  const sweep = (): Promise<void> => removeUploads(isOver)

  async function bytesOf({ files }: Upload): Promise<number> {
    const sizes = await Promise.all(files.map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0))
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  async function makeRoom(bytes: number): Promise<void> {
    await sweep()
    const left = await Promise.all((await uploads()).map(async (each) => ({ ...each, bytes: await bytesOf(each) })))
    let used = left.reduce((sum, upload) => sum + upload.bytes, bytes)
    for (const upload of left.filter(isComplete)) {
      if (used <= MOST_BYTES) return
      await remove(...upload.files)
      used -= upload.bytes
    }
  }

  /** Called after every upload. One that finishes after a later upload deletes its own files here. */
  async function keepLatest(user: string): Promise<void> {
    const complete = (await uploads()).filter((each) => each.user === user && isComplete(each))
    for (const upload of complete.slice(0, -1)) await remove(...upload.files)
  }

  const writeNote = <Note>(upload: Pick<Upload, 'name'>, by: KeptBy, note: Note): Promise<void> =>
    write(pathOf(upload, 'json'), JSON.stringify({ session: sessionMark(by), note } satisfies Envelope))

  return {
    /** In place of the file that the same user sent before. */
    async keep<Note>(by: KeptBy, content: Buffer, note: Note): Promise<void> {
      const user = userKey(by.userId)
      const earlier = (await uploads()).findLast((each) => each.user === user)
      // The clock of another machine may have been ahead when it took the earlier one.
      const at = Math.max(clock(), (earlier?.at ?? 0) + 1)
      const upload: Upload = { name: `${user}.${at}.${newId(8)}`, user, at, files: [] }
      await removeUploads((each) => each.user === user && isComplete(each) && byAge(each, upload) < 0)
      await makeRoom(content.length)
      await write(pathOf(upload, 'file'), content)
      await writeNote(upload, by, note)
      await keepLatest(user)
    },

    /** The note of the file that this sign-in sent, or undefined when there is none any more. */
    async find<Note>(by: KeptBy) {
      const user = userKey(by.userId)
      const upload = (await uploads()).findLast((each) => each.user === user && isComplete(each))
      const found = upload && !isOver(upload) ? await envelope(upload) : undefined
      if (!upload || found?.session !== sessionMark(by)) return undefined
      return {
        note: found.note as Note,
        until: upload.at + KEPT_MS,
        /** Undefined once it was imported. */
        content: (): Promise<Buffer | undefined> => readFile(pathOf(upload, 'file')).catch(() => undefined),
        replaceNote: (note: Note) => writeNote(upload, by, note),
        dropContent: () => remove(pathOf(upload, 'file')),
      }
    },

    async drop({ userId }: Pick<KeptBy, 'userId'>): Promise<void> {
      const user = userKey(userId)
      await removeUploads((upload) => upload.user === user)
    },
    sweep,
    /** At start: nobody goes on where an earlier process ended, unless others were there all the while. */
    clear: async (): Promise<void> => {
      if (!isShared) return rm(folder, { recursive: true, force: true })
      // Names of an earlier release, which no sweep would find.
      const foreign = (await namesInFolder()).filter((name) => !UPLOAD_FILE.test(name))
      await remove(...foreign.map((name) => join(folder, name)))
      await sweep()
    },
  }
}
