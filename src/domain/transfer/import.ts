import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { writeInWorker } from '../../db/write.ts'
import { mutex } from '../../lib/mutex.ts'
import { english } from '../../messages/english.ts'
import type { ImportOrder, ImportReport } from './contract.ts'
import type { ImportWork, Steps } from './import-work.ts'
import type { ImportPreview } from './preview.ts'

export type ImportService = ReturnType<typeof importService>

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
  const takeTurn = mutex(MAX_WAIT_MS, english.busy.import)

  /** The caller cannot use the content afterwards: its memory may move to a worker. */
  const run = (
    caller: Caller,
    content: Buffer,
    query: ImportOrder,
    options: Pick<Steps, 'key' | 'progress' | 'preview'> = {},
  ): Promise<ImportReport> =>
    takeTurn(() => {
      const steps = {
        ...options,
        // The file is validated before the conditional scopes are checked (contract 1.4, steps 5 and 7).
        authorize: () => authorize(caller, 'importFlights', { restore: query.mode === 'restore' }),
      }
      return !runInWorker || content.length <= MAX_INLINE_BYTES
        ? runInline(caller, content, query, { ...steps, exclusively: (commit) => commit() })
        : runInWorker(caller, content, query, { ...steps, exclusively: (commit) => writeInWorker(db, commit) })
    })

  /** A dry run with a preview, on a copy of the content. */
  async function look(
    caller: Caller,
    content: Buffer,
    query: Omit<ImportOrder, 'dryRun'>,
    progress?: Steps['progress'],
  ) {
    let found: ImportPreview | undefined
    const preview = (shown: ImportPreview) => {
      found = shown
    }
    const report = await run(
      caller,
      Buffer.from(content),
      { ...query, dryRun: true },
      { preview, ...(progress && { progress }) },
    )
    return { report, preview: found! }
  }

  return { run, look }
}
