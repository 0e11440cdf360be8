import type { FastifyInstance } from 'fastify'
import { authorize } from '../../../../access/authorize.ts'
import type { Steps } from '../../../../domain/transfer/import-work.ts'
import type { PageContext } from '../../framework/context.ts'
import { useScriptTexts } from '../../framework/localization.ts'
import { signedInPages } from '../../framework/signed-in.ts'

const PROGRESS_PATH = '/import/progress'

interface Progress {
  done: number
  rows: number
}

export type TrackProgress = <Result>(
  userId: string,
  work: (progress: NonNullable<Steps['progress']>) => Promise<Result>,
) => Promise<Result>

/** The page that sent a form polls the progress of its import until the response arrives. */
export function importProgress(app: FastifyInstance, context: PageContext): TrackProgress {
  const running = new Map<string, Progress>()

  signedInPages(app, context).get(PROGRESS_PATH, ({ caller, reply }) => {
    authorize(caller, 'importFlights', { restore: false })
    return reply.header('cache-control', 'no-store').send(running.get(caller.userId) ?? {})
  })

  return async (userId, work) => {
    let own: Progress | undefined
    try {
      return await work((done, rows) => {
        own = { done, rows }
        running.set(userId, own)
      })
    } finally {
      if (running.get(userId) === own) running.delete(userId)
    }
  }
}

/** Shown by the script. */
export function ProgressBar({ basePath }: { basePath: string }) {
  return (
    <div
      class="progress"
      hidden
      data-import-progress={basePath + PROGRESS_PATH}
      data-texts={useScriptTexts('importProgress')}
    >
      <progress id="import-progress" aria-labelledby="import-progress-label" />
      <span id="import-progress-label" role="status" />
    </div>
  )
}
