import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../../lib/private-file.ts'
import { digest, newId } from '../../lib/secret.ts'

const TTL_MS = 30 * 60_000

export type PendingUploads = ReturnType<typeof pendingUploads>

/** A user has one pending upload, and only the session that sent it can use it. */
interface Owner {
  userId: string
  /** The secret of the session, stored as a digest. */
  session: string
}

interface Envelope {
  session: string
  file: string
  until: number
  note: unknown
}

interface Options {
  folder: string
  /** Whether other servers use the folder too. */
  isShared?: boolean
  clock: Clock
}

const hexDigest = (text: string) => digest(text).toString('hex')

/** Uploaded files between the two steps of an import: an envelope for each user, which names the file with the content. */
export function pendingUploads({ folder, isShared = false, clock }: Options) {
  const userKey = (userId: string) => hexDigest(userId).slice(0, 32)
  const sessionMark = ({ session }: Owner) => hexDigest(`import ${session}`)
  const pathOf = (name: string) => join(folder, name)
  const envelopeOf = (userId: string) => `${userKey(userId)}.json`
  const filesInFolder = (): Promise<string[]> => readdir(folder).catch(() => [])
  const remove = (name: string) => rm(pathOf(name), { force: true })

  /** Writes a temporary file first, so that readers never see half a file. */
  async function write(name: string, content: Buffer | string): Promise<void> {
    const draft = pathOf(`${name}.${newId(8)}`)
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE })
    await writeFile(draft, content, { mode: PRIVATE_FILE_MODE, flag: 'wx' })
    await utimes(draft, clock() / 1000, clock() / 1000)
    await rename(draft, pathOf(name))
  }

  const writeEnvelope = (userId: string, envelope: Envelope) => write(envelopeOf(userId), JSON.stringify(envelope))

  async function readEnvelope(userId: string): Promise<Envelope | undefined> {
    const text = await readFile(pathOf(envelopeOf(userId)), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : (JSON.parse(text) as Envelope)
  }

  /** Removes expired files. The clock may have been set back. */
  async function sweep(): Promise<void> {
    for (const name of await filesInFolder()) {
      const found = await stat(pathOf(name)).catch(() => undefined)
      if (found && Math.abs(clock() - found.mtime.getTime()) >= TTL_MS) await remove(name)
    }
  }

  return {
    async keep<Note>(owner: Owner, content: Buffer, note: Note): Promise<void> {
      const { userId } = owner
      const file = `${userKey(userId)}.${newId(8)}.file`
      await write(file, content)
      const earlier = await readEnvelope(userId)
      await writeEnvelope(userId, { session: sessionMark(owner), file, until: clock() + TTL_MS, note })
      if (earlier) await remove(earlier.file)
    },

    async find<Note>(owner: Owner) {
      const found = await readEnvelope(owner.userId)
      if (found?.session !== sessionMark(owner) || found.until <= clock()) return undefined
      const { file, until } = found
      return {
        note: found.note as Note,
        until,
        /** Undefined after the import. */
        content: (): Promise<Buffer | undefined> => readFile(pathOf(file)).catch(() => undefined),
        /** Does nothing if a newer upload has replaced this one. */
        async replaceNote(note: Note): Promise<void> {
          const current = await readEnvelope(owner.userId)
          if (current?.file === file) await writeEnvelope(owner.userId, { ...current, note })
        },
        removeContent: () => remove(file),
      }
    },

    async remove(userId: string): Promise<void> {
      for (const name of await filesInFolder()) if (name.startsWith(userKey(userId))) await remove(name)
    },
    sweep,
    /** At the start: a server with its own folder has no pending uploads. */
    clear: (): Promise<void> => (isShared ? sweep() : rm(folder, { recursive: true, force: true })),
  }
}
