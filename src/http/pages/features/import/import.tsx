import type { FastifyInstance } from 'fastify'
import { authorize } from '../../../../access/authorize.ts'
import { toErrorDetails } from '../../../../contract/issues.ts'
import { ImportQuery } from '../../../../domain/transfer/contract.ts'
import type { PageContext } from '../../framework/context.ts'
import { requireCsrf } from '../../framework/csrf.ts'
import { type Faults, faultsOf, readForm } from '../../framework/forms.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import { acceptFiles, FileTooLarge, fileLimitOf, readUpload } from '../../framework/upload.ts'
import { importCheckPage } from './import-check.tsx'
import { type FileEntries, fileSpecs, ImportPage } from './import-page.tsx'
import { CHECK_PATH, faultsOfFile, IMPORT_PATH, lookedAt, noChoices, pendingImport } from './import-steps.ts'

const SWEEP_MS = 5 * 60_000

interface Shown {
  status?: number
  entries?: FileEntries
  faults?: Faults
}

const FormatChoice = ImportQuery.pick({ format: true })

/** The first step of an import: upload and preview a file. */
export async function importPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, pendingUploads } = context
  const pages = signedInPages(app, context)
  const limit = fileLimitOf(app)
  const sweep = setInterval(() => pendingUploads.sweep().catch((error) => app.log.warn(error)), SWEEP_MS).unref()
  app.addHook('onReady', pendingUploads.clear)
  app.addHook('onClose', async () => clearInterval(sweep))
  await acceptFiles(app)

  async function show(visit: Visit, { status, entries = { file: '', format: 'auto' }, faults = {} }: Shown = {}) {
    const found = await pendingImport(context, visit)
    const waits = found !== undefined && found.note.done === undefined
    return visit.send(<ImportPage {...visit.frame} entries={entries} faults={faults} waits={waits} />, status)
  }

  // The address of this page in the first release.
  app.get('/flights/import', async (_request, reply) => reply.redirect(basePath + IMPORT_PATH, 303))

  pages.get(IMPORT_PATH, (visit) => {
    authorize(visit.caller, 'importFlights', { restore: false })
    return show(visit)
  })

  pages.upload(IMPORT_PATH, async (visit) => {
    const { caller, request, reply, session } = visit
    authorize(caller, 'importFlights', { restore: false })
    const again = (status: number, faults: Faults) =>
      show(visit, { status, faults, entries: readForm(fileSpecs, visit.form) })
    try {
      const file = await readUpload({ request, reply, userId: caller.userId }, limit, () => requireCsrf(request))
      const { format } = readForm(fileSpecs, visit.form)
      const chosen = FormatChoice.safeParse({ format: format || undefined })
      if (!chosen.success) return await again(422, faultsOf(toErrorDetails(chosen.error)))
      if (!file || file.length === 0) return await again(422, { file: 'Choose a file that is not empty.' })
      const note = await lookedAt(context, caller, file, { ...chosen.data, choices: noChoices, airports: {} })
      await pendingUploads.keep({ userId: caller.userId, session }, file, note)
      return visit.redirect(CHECK_PATH)
    } catch (error) {
      if (error instanceof FileTooLarge) return again(413, { file: error.message })
      const faults = faultsOfFile(error)
      if (!faults || !request.body) throw error
      return again(422, faults)
    }
  })

  importCheckPage(app, context)
}
