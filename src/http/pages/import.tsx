import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { detailsOf } from '../../contract/issues.ts'
import { ImportQuery, type ImportReport } from '../../domain/transfer/contract.ts'
import { UserNotChosen } from '../../domain/transfer/people.ts'
import { ParameterMismatch } from '../../domain/transfer/read-file.ts'
import { AppError } from '../../lib/errors.ts'
import type { PageContext } from './context.ts'
import { fieldOf, formOf } from './form.ts'
import { type Faults, faultsOf } from './forms.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { acceptFiles, FileTooLarge, readUpload } from './upload.ts'
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
    mineOnly: given('mineOnly'),
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
      const file = await readUpload({ request, reply, userId: caller.userId }, limit, () => requireForm(request, PATH))
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
      const faults = faultsOfFile(error)
      if (!faults || !request.body) throw error
      return again(422, faults)
    }
  })
}

const elsewhere = {
  mode: 'Only a backup can be restored. Choose your own log for this file.',
  fileUser: 'Only a backup holds several people. Leave this empty for this file.',
  mineOnly: 'This file does not tell whose flights they are. Leave this out.',
}

/** What can be mended by another file or another choice, beside its field. */
function faultsOfFile(error: unknown): Faults | undefined {
  if (error instanceof ParameterMismatch) {
    return Object.fromEntries(error.names.map((name) => [name, elsewhere[name]]))
  }
  if (error instanceof UserNotChosen) {
    return { fileUser: error.message.replace('choose one with fileUser', 'choose one here') }
  }
  const isMendable = error instanceof AppError && ['validation_failed', 'bad_request'].includes(error.code)
  return isMendable ? { file: error.message } : undefined
}
