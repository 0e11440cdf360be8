import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { detailsOf } from '../../contract/issues.ts'
import { ImportQuery, type ImportReport } from '../../domain/transfer/contract.ts'
import { AppError } from '../../lib/errors.ts'
import { fieldOf, formOf } from './form.ts'
import type { PageContext } from './plugin.tsx'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { acceptFiles, FileTooLarge, readUpload } from './upload.ts'
import { type Faults, faultsOf } from './views/fields.tsx'
import { ImportPage } from './views/import.tsx'
import { sendPage } from './views/layout.tsx'

const PATH = '/flights/import'
const MEBIBYTE = 1024 * 1024

interface Shown {
  status?: number
  form?: URLSearchParams
  faults?: Faults
  report?: ImportReport
}

/** The fields of the form as the parameters of an import; what is left empty is not given. */
function queryOf(form: URLSearchParams) {
  const given = (name: string) => fieldOf(form, name).trim() || undefined
  return ImportQuery.safeParse({
    format: given('format'),
    mode: given('mode'),
    fileUser: given('fileUser'),
    mineOnly: form.has('others') ? 'false' : undefined,
    dryRun: fieldOf(form, 'do') === 'try' ? 'true' : 'false',
  })
}

/** Brings a file of another log, or a backup, into the own one. */
export async function importPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { imports } = context
  const { frame, requireForm } = signedInPages(context)
  const limit = app.initialConfig.bodyLimit ?? MEBIBYTE
  await acceptFiles(app)

  function show(request: FastifyRequest, reply: FastifyReply, caller: Caller, shown: Shown) {
    return sendPage(
      reply,
      shown.status ?? 200,
      <ImportPage
        {...frame(request, caller)}
        form={shown.form ?? new URLSearchParams()}
        faults={shown.faults ?? {}}
        report={shown.report}
        mayRestore={caller.permissions.has('flight.import.any')}
      />,
    )
  }

  function requireImporter(request: FastifyRequest): Caller {
    const caller = requireCaller(request, context.basePath + PATH)
    authorize(caller, 'importFlights', { restore: false })
    return caller
  }

  app.get(PATH, async (request, reply) => show(request, reply, requireImporter(request), {}))

  app.post(PATH, async (request, reply) => {
    const caller = requireImporter(request)
    const again = (status: number, faults: Faults) =>
      show(request, reply, caller, { status, faults, form: formOf(request) })
    try {
      const file = await readUpload(request, limit, () => requireForm(request, PATH))
      const form = formOf(request)
      const parsed = queryOf(form)
      if (!parsed.success) return again(422, faultsOf(detailsOf(parsed.error)))
      if (!file || file.length === 0) return again(422, { file: 'Choose a file that is not empty.' })
      const report = await imports.run(caller, file, parsed.data)
      return show(request, reply, caller, { form, report })
    } catch (error) {
      if (error instanceof FileTooLarge) {
        const most = `${Math.floor(limit / MEBIBYTE)} MiB`
        return again(413, { file: `The file is larger than ${most}, the most that this instance takes.` })
      }
      if (!(error instanceof AppError)) throw error
      // A file that cannot be read, or a choice that does not belong to it, can be changed and sent again.
      if (error.code === 'validation_failed') return again(422, faultOf(error.message))
      if (error.code === 'bad_request' && request.body) return again(422, { file: error.message })
      throw error
    }
  })
}

/** Some files hold the flights of several people, and the person has a field to choose by. */
function faultOf(message: string): Faults {
  if (!/ user[s ]/.test(message)) return { file: message }
  return { fileUser: message.replace('choose one with fileUser', 'choose one here') }
}
