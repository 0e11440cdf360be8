import type { FastifyInstance } from 'fastify'
import { authorize } from '../../../../access/authorize.ts'
import { toErrorDetails } from '../../../../contract/issues.ts'
import { ImportQuery } from '../../../../domain/transfer/contract.ts'
import { formatNames } from '../../../../domain/transfer/formats/registry.ts'
import { ErrorSummary, Field } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import { Crumb } from '../../components/section.tsx'
import { assets } from '../../framework/assets.ts'
import type { Frame, PageContext } from '../../framework/context.ts'
import { requireCsrf } from '../../framework/csrf.ts'
import { type FieldErrors, type FormValues, fieldErrorsOf, formSpecs, readForm } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import { acceptFiles, FileTooLarge, fileLimitOf, readUpload } from '../../framework/upload.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { importCheckPage } from './import-check.tsx'
import { importProgress, ProgressBar } from './import-progress.tsx'
import {
  CHECK_PATH,
  fileErrorsOf,
  formatTitle,
  IMPORT_PATH,
  noChoices,
  pendingImport,
  previewImport,
} from './import-steps.ts'

const SWEEP_MS = 5 * 60_000

const FormatChoice = ImportQuery.pick({ format: true })

function fileSpecs(texts: PageTexts) {
  const t = texts.importFlights
  return formSpecs({
    file: { id: 'file', label: t.file },
    format: {
      id: 'format',
      label: t.format,
      hint: t.formatHint,
      kind: 'select',
      options: [
        { value: 'auto', label: t.detect },
        ...formatNames.map((name) => ({ value: name, label: formatTitle(name, texts) })),
      ],
    },
  })
}

interface Props extends Frame {
  entries: FormValues<ReturnType<typeof fileSpecs>>
  fieldErrors: FieldErrors
  hasPending: boolean
}

function ImportPage({ entries, fieldErrors, hasPending, ...frame }: Props) {
  const { basePath, viewer } = frame
  const texts = useTexts()
  const t = texts.importFlights
  const specs = fileSpecs(texts)
  const field = formFields(specs, entries, fieldErrors)
  const names = formatNames.map((name) => formatTitle(name, texts)).join(', ')
  return (
    <Layout {...frame} title={t.title} fieldErrors={fieldErrors} place="home" below scripts={[assets.importProgress]}>
      <Crumb href={basePath || '/'}>{t.flights}</Crumb>
      <h1>{t.title}</h1>
      <ErrorSummary fieldErrors={fieldErrors} fields={specs} />
      {hasPending && <p class="card">{t.unfinished({ link: (text) => <a href={basePath + CHECK_PATH}>{text}</a> })}</p>}
      <PostForm action={basePath + IMPORT_PATH} csrf={viewer.csrf} submit={t.preview} encType="multipart/form-data">
        <Field
          {...specs.file}
          name="file"
          hint={t.supported({ formats: names })}
          fieldError={fieldErrors.file}
          input={{ type: 'file', required: true }}
        />
        <details class="more-choices" open={fieldErrors.format !== undefined || entries.format !== 'auto'}>
          <summary class="fold">{t.fileFormat}</summary>
          {field('format')}
        </details>
        <ProgressBar basePath={basePath} />
        <p class="quiet">{t.nothingSaved}</p>
      </PostForm>
      {viewer.permissions.has('flight.export.own') && (
        <p class="quiet">
          {t.lookingForExport({
            link: (text) => (
              <a class="standalone" href={`${basePath}/export`}>
                {text}
              </a>
            ),
          })}
        </p>
      )}
    </Layout>
  )
}

/** The first step of an import: upload and preview a file. */
export async function importPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, pendingUploads } = context
  const pages = signedInPages(app, context)
  const limit = fileLimitOf(app)
  const sweep = setInterval(() => pendingUploads.sweep().catch((error) => app.log.warn(error)), SWEEP_MS).unref()
  const track = importProgress(app, context)
  app.addHook('onReady', pendingUploads.clear)
  app.addHook('onClose', async () => clearInterval(sweep))
  await acceptFiles(app)

  async function show(visit: Visit, entries: Props['entries'], fieldErrors: FieldErrors = {}, status = 200) {
    const found = await pendingImport(context, visit)
    const hasPending = found !== undefined && found.note.done === undefined
    return visit.send(
      <ImportPage {...visit.frame} entries={entries} fieldErrors={fieldErrors} hasPending={hasPending} />,
      status,
    )
  }

  // The address of this page in the first release.
  app.get('/flights/import', async (_request, reply) => reply.redirect(basePath + IMPORT_PATH, 303))

  pages.get(IMPORT_PATH, (visit) => {
    authorize(visit.caller, 'importFlights', { restore: false })
    return show(visit, { file: '', format: 'auto' })
  })

  pages.upload(IMPORT_PATH, async (visit) => {
    const { caller, request, reply, session } = visit
    const t = visit.texts.importFlights
    const specs = fileSpecs(visit.texts)
    authorize(caller, 'importFlights', { restore: false })
    const again = (status: number, fieldErrors: FieldErrors) =>
      show(visit, readForm(specs, visit.form), fieldErrors, status)
    try {
      const file = await readUpload({ request, reply, userId: caller.userId }, limit, () => requireCsrf(request))
      const { format } = readForm(specs, visit.form)
      const chosen = FormatChoice.safeParse({ format: format || undefined })
      if (!chosen.success) return await again(422, fieldErrorsOf(toErrorDetails(chosen.error), visit.texts))
      if (!file || file.length === 0) return await again(422, { file: t.emptyFile })
      const note = await track(caller.userId, (progress) =>
        previewImport(context, caller, file, { ...chosen.data, choices: noChoices, airports: {} }, progress),
      )
      await pendingUploads.keep({ userId: caller.userId, session }, file, note)
      return visit.redirect(CHECK_PATH)
    } catch (error) {
      if (error instanceof FileTooLarge) return again(413, { file: error.message })
      const fieldErrors = fileErrorsOf(error, visit.texts)
      if (!fieldErrors || !request.body) throw error
      return again(422, fieldErrors)
    }
  })

  importCheckPage(app, context, track)
}
