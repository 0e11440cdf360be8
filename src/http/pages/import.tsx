import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { toErrorDetails } from '../../contract/issues.ts'
import { ImportQuery } from '../../domain/transfer/contract.ts'
import type { PageContext } from './context.ts'
import { formOf } from './form.ts'
import { type Faults, faultsOf, readForm } from './forms.ts'
import { importCheckPage } from './import-check.tsx'
import { CHECK_PATH, faultsOfFile, IMPORT_PATH, type ImportNote, lookedAt, noChoices } from './import-steps.ts'
import { cookieOf, requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { acceptFiles, FileTooLarge, fileLimitOf, readUpload } from './upload.ts'
import { type FileEntries, fileSpecs, ImportPage } from './views/import.tsx'
import { sendPage } from './views/layout.tsx'

const SWEEP_MS = 5 * 60_000

interface Shown {
  status?: number
  entries?: FileEntries
  faults?: Faults
}

const FormatChoice = ImportQuery.pick({ format: true })

/** The first step: a file of another log, or a backup, is sent and looked at. */
export async function importPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, importFiles } = context
  const { frame, requireForm } = signedInPages(context)
  const limit = fileLimitOf(app)
  const sweep = setInterval(() => importFiles.sweep().catch((error) => app.log.warn(error)), SWEEP_MS).unref()
  app.addHook('onReady', importFiles.clear)
  app.addHook('onClose', async () => clearInterval(sweep))
  await acceptFiles(app)

  async function show(request: FastifyRequest, reply: FastifyReply, caller: Caller, shown: Shown) {
    const by = { userId: caller.userId, session: cookieOf(request, 'session')! }
    const found = await importFiles.find<ImportNote>(by)
    return sendPage(
      reply,
      shown.status ?? 200,
      <ImportPage
        {...frame(request, caller)}
        entries={shown.entries ?? { file: '', format: 'auto' }}
        faults={shown.faults ?? {}}
        waits={found !== undefined && found.note.done === undefined}
      />,
    )
  }

  function requireImporter(request: FastifyRequest): Caller {
    const caller = requireCaller(request, basePath + IMPORT_PATH)
    authorize(caller, 'importFlights', { restore: false })
    return caller
  }

  // Where this page was in the first release.
  app.get('/flights/import', async (_request, reply) => reply.redirect(basePath + IMPORT_PATH, 303))

  app.get(IMPORT_PATH, async (request, reply) => show(request, reply, requireImporter(request), {}))

  app.post(IMPORT_PATH, async (request, reply) => {
    const caller = requireImporter(request)
    const again = (status: number, faults: Faults) =>
      show(request, reply, caller, { status, faults, entries: readForm(fileSpecs, formOf(request)) })
    try {
      const judge = () => requireForm(request, IMPORT_PATH)
      const file = await readUpload({ request, reply, userId: caller.userId }, limit, judge)
      const { format } = readForm(fileSpecs, formOf(request))
      const chosen = FormatChoice.safeParse({ format: format || undefined })
      if (!chosen.success) return await again(422, faultsOf(toErrorDetails(chosen.error)))
      if (!file || file.length === 0) return await again(422, { file: 'Choose a file that is not empty.' })
      const note = await lookedAt(context, caller, file, { ...chosen.data, choices: noChoices, airports: {} })
      await importFiles.keep({ userId: caller.userId, session: cookieOf(request, 'session')! }, file, note)
      return reply.redirect(basePath + CHECK_PATH, 303)
    } catch (error) {
      if (error instanceof FileTooLarge) return again(413, { file: error.message })
      const faults = faultsOfFile(error)
      if (!faults || !request.body) throw error
      return again(422, faults)
    }
  })

  importCheckPage(app, context)
}
