import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { writeInWorker } from '../../db/write.ts'
import { mutex } from '../../lib/mutex.ts'
import type { RequestKey } from '../idempotency/service.ts'
import type { ImportOrder, ImportReport } from './contract.ts'
import type { ImportWork, Steps } from './import-work.ts'
import type { ImportPreview } from './preview.ts'

export type ImportService = ReturnType<typeof importService>

export type Progress = Steps['progress']

/** Up to this size an import takes a few milliseconds, which is less than the start of a worker. */
const MAX_INLINE_BYTES = 16 * 1024
const MAX_WAIT_MS = 30_000

interface Dependencies {
  db: Db
  runInline: ImportWork
  /** Without it every import runs inline. */
  runInWorker: ImportWork | undefined
}

export function importService({ db, runInline, runInWorker }: Dependencies) {
  const takeTurn = mutex(MAX_WAIT_MS, 'Another import is running; try again in a minute.')

  const perform = (
    caller: Caller,
    content: Buffer,
    query: ImportOrder,
    steps: Pick<Steps, 'progress' | 'key' | 'preview'>,
  ): Promise<ImportReport> =>
    takeTurn(() => {
      // The file is validated before the conditional scopes are checked (contract 1.4, steps 5 and 7).
      const wasRead = () => authorize(caller, 'importFlights', { restore: query.mode === 'restore' })
      if (!runInWorker || content.length <= MAX_INLINE_BYTES) {
        return runInline(caller, content, query, { wasRead, alone: (commit) => commit(), ...steps })
      }
      const alone: Steps['alone'] = (commit) => writeInWorker(db, commit)
      return runInWorker(caller, content, query, { wasRead, alone, ...steps })
    })

  /** The caller cannot use the content afterwards: its memory may move to a worker. */
  const run = (
    caller: Caller,
    content: Buffer,
    query: ImportOrder,
    progress: Progress = () => undefined,
    key?: RequestKey,
  ): Promise<ImportReport> => perform(caller, content, query, { progress, key })

  /** A dry run with a preview. */
  async function look(caller: Caller, content: Buffer, query: Omit<ImportOrder, 'dryRun'>) {
    let preview: ImportPreview | undefined
    const report = await perform(
      caller,
      // A copy, since the caller still needs the file.
      Buffer.from(content),
      { ...query, dryRun: true },
      {
        progress: () => undefined,
        preview: (found) => {
          preview = found
        },
      },
    )
    return { report, preview: preview! }
  }

  return { run, look }
}
