import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { writeInWorker } from '../../db/write.ts'
import { mutex } from '../../lib/mutex.ts'
import type { RequestKey } from '../idempotency/answers.ts'
import type { ImportOrder, ImportReport } from './contract.ts'
import type { ImportWork, Steps } from './import-work.ts'
import type { ImportPreview } from './preview.ts'

export type ImportService = ReturnType<typeof importService>

/** Called while a long import runs. */
export type Progress = Steps['progress']

/** Up to this size an import takes a few milliseconds, and less than starting a thread for it. */
const SMALL_BYTES = 16 * 1024
const LONGEST_WAIT_MS = 30_000

interface Dependencies {
  db: Db
  /** On the connection that everybody shares. */
  here: ImportWork
  /** In a thread and on a connection of its own, where there is one. */
  elsewhere: ImportWork | undefined
}

export function importService({ db, here, elsewhere }: Dependencies) {
  const inLine = mutex(LONGEST_WAIT_MS, 'Another import is running; try again in a minute.')

  const perform = (
    caller: Caller,
    content: Buffer,
    query: ImportOrder,
    told: Pick<Steps, 'progress' | 'key' | 'preview'>,
  ): Promise<ImportReport> =>
    inLine(() => {
      // The form of a request is judged before its conditional scopes (contract 1.4, steps 5 and 7).
      const wasRead = () => authorize(caller, 'importFlights', { restore: query.mode === 'restore' })
      if (!elsewhere || content.length <= SMALL_BYTES) {
        return here(caller, content, query, { wasRead, alone: (commit) => commit(), ...told })
      }
      const alone: Steps['alone'] = (commit) => writeInWorker(db, commit)
      return elsewhere(caller, content, query, { wasRead, alone, ...told })
    })

  const run = (
    caller: Caller,
    content: Buffer,
    query: ImportOrder,
    progress: Progress = () => undefined,
    key?: RequestKey,
  ): Promise<ImportReport> => perform(caller, content, query, { progress, key })

  /** What would become of a file, row by row, and what it looks like. Nothing is kept. */
  async function look(caller: Caller, content: Buffer, query: Omit<ImportOrder, 'dryRun'>) {
    let preview: ImportPreview | undefined
    const report = await perform(
      caller,
      // A worker takes the bytes away, and the file is kept for the import itself.
      Buffer.from(content),
      { ...query, dryRun: true },
      {
        progress: () => undefined,
        preview: (seen) => {
          preview = seen
        },
      },
    )
    return { report, preview: preview! }
  }

  return { run, look }
}
