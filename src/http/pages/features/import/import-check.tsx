import type { FastifyInstance } from 'fastify'
import { authorize } from '../../../../access/authorize.ts'
import type { Caller } from '../../../../access/caller.ts'
import { AppError } from '../../../../lib/errors.ts'
import { lookup, type Option, preselect } from '../../components/lookup.ts'
import type { PageContext } from '../../framework/context.ts'
import { fieldOf } from '../../framework/form.ts'
import { type FieldErrors, readForm } from '../../framework/forms.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import { type CheckState, ImportCheckPage } from './import-check-page.tsx'
import { dateFormatError, ImportColumnsPage, readMapping } from './import-columns-page.tsx'
import { ImportDonePage } from './import-done.tsx'
import { readEdits } from './import-fix-rows.tsx'
import type { TrackProgress } from './import-progress.tsx'
import {
  CHECK_PATH,
  choiceSpecs,
  fileErrorsOf,
  IMPORT_PATH,
  type ImportNote,
  importOptions,
  pendingImport,
  placeField,
  previewImport,
  toStored,
} from './import-steps.ts'

/** The second step of an import: the preview, and the button that starts it. */
export function importCheckPage(app: FastifyInstance, context: PageContext, track: TrackProgress): void {
  const { imports, pendingUploads, reference } = context
  const pages = signedInPages(app, context)
  const find = lookup(context)
  const running = new Map<string, Promise<void>>()

  /** A double click sends the form twice: both requests wait for one import, and show its report. */
  function importOnce(userId: string, work: () => Promise<void>): Promise<void> {
    const started = running.get(userId) ?? work().finally(() => running.delete(userId))
    running.set(userId, started)
    return started
  }

  function show({ frame, send }: Visit, state: CheckState) {
    const nameOf = (id: number) => find.option('airport', id)?.label
    const status = Object.keys(state.fieldErrors).length > 0 ? 422 : 200
    return send(<ImportCheckPage {...frame} {...state} nameOf={nameOf} />, status)
  }

  function showColumns({ frame, send }: Visit, note: ImportNote, fieldErrors: FieldErrors) {
    const status = Object.keys(fieldErrors).length > 0 ? 422 : 200
    return send(<ImportColumnsPage {...frame} note={note} sample={note.sample!} fieldErrors={fieldErrors} />, status)
  }

  pages.get(CHECK_PATH, async (visit) => {
    authorize(visit.caller, 'importFlights', { restore: false })
    const found = await pendingImport(context, visit)
    if (!found) return visit.redirect(IMPORT_PATH)
    const { note, until } = found
    if (note.unclear && note.sample) return showColumns(visit, note, {})
    if (!note.done) return show(visit, { note, until, form: new URLSearchParams(), fieldErrors: {}, options: {} })
    return visit.send(<ImportDonePage {...visit.frame} report={note.done} format={note.seen?.preview.format} />)
  })

  /** Codes whose field is empty stay unknown. */
  async function replacementsIn({ caller, form, texts }: Visit, { seen, airports }: ImportNote) {
    const t = texts.importFlights
    const replacements = new Map(Object.entries(airports))
    const fieldErrors: FieldErrors = {}
    const options: Record<string, readonly Option[]> = {}
    for (const { code } of seen?.preview.missing ?? []) {
      const name = placeField(code)
      if (fieldOf(form, name).trim() === '') continue
      const found = await find.resolve(caller, form, name, 'airport')
      if (!found) fieldErrors[name] = t.airportNotFound
      else if ('id' in found) replacements.set(code, found.id)
      else {
        fieldErrors[name] = t.airportAmbiguous
        options[name] = found.options
        preselect(form, name, found.options)
      }
    }
    return { airports: Object.fromEntries(replacements), fieldErrors, options }
  }

  /** Creates the airports that the file describes, and returns their number. */
  async function createMissing(caller: Caller, { seen }: ImportNote): Promise<number> {
    let created = 0
    for (const { record } of seen?.preview.missing ?? []) {
      if (!record) continue
      try {
        await reference.airports.create(caller, record)
        created++
      } catch (error) {
        // Another user has created it meanwhile.
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error
      }
    }
    return created
  }

  type Found = NonNullable<Awaited<ReturnType<typeof pendingImport>>>
  type Preview = (note: ImportNote) => Promise<ImportNote>

  async function mapColumns(visit: Visit, { note, replaceNote }: Found, preview: Preview) {
    const t = visit.texts.importFlights
    if (!note.sample) return visit.redirect(CHECK_PATH)
    const { mapping, fieldErrors } = readMapping(visit.form, note.sample, t)
    const mapped: ImportNote = { ...note, ...mapping, format: 'csv' }
    if (Object.keys(fieldErrors).length > 0) return showColumns(visit, mapped, fieldErrors)
    try {
      const next = await preview(mapped)
      await replaceNote(next)
      return next.unclear ? showColumns(visit, next, dateFormatError(t)) : visit.redirect(CHECK_PATH)
    } catch (error) {
      const fixable = fileErrorsOf(error, visit.texts)
      if (!fixable) throw error
      return showColumns(visit, mapped, fixable)
    }
  }

  async function fixRows(visit: Visit, { note, until, replaceNote }: Found, preview: Preview) {
    const { form, texts, back } = visit
    const t = texts.importFlights
    const before = note.seen!
    const { edits, fieldErrors } = readEdits(form, before.preview, note.edits ?? {}, t)
    if (Object.keys(fieldErrors).length > 0) return show(visit, { note, until, form, fieldErrors, options: {} })
    try {
      const next = await preview({ ...note, edits })
      await replaceNote(next)
      const fixed = before.report.leftOut - (next.seen?.report.leftOut ?? before.report.leftOut)
      return back(CHECK_PATH, fixed > 0 ? t.fixed({ count: fixed }) : t.noneFixed)
    } catch (error) {
      const fixable = fileErrorsOf(error, visit.texts)
      if (!fixable) throw error
      return show(visit, { note, until, form, fieldErrors: fixable, options: {} })
    }
  }

  pages.post(CHECK_PATH, async (visit) => {
    const { caller, form, redirect, back } = visit
    const t = visit.texts.importFlights
    authorize(caller, 'importFlights', { restore: false })
    const found = await pendingImport(context, visit)
    if (found?.note.done) return redirect(CHECK_PATH)
    const content = await found?.content()
    if (!found || !content) return back(IMPORT_PATH, t.expired)
    const wanted = fieldOf(form, 'do')
    if (wanted === 'discard') {
      await pendingUploads.remove(caller.userId)
      return back(IMPORT_PATH, t.discarded)
    }
    const preview = (note: ImportNote) =>
      track(caller.userId, (progress) => previewImport(context, caller, content, note, progress))
    if (wanted === 'map') return mapColumns(visit, found, preview)
    if (wanted === 'columns' && found.note.sample) {
      await found.replaceNote({ ...found.note, seen: undefined, unclear: [] })
      return redirect(CHECK_PATH)
    }
    if (wanted === 'fix' && found.note.seen) return fixRows(visit, found, preview)
    // The form of the columns in another tab.
    if (found.note.unclear) return redirect(CHECK_PATH)
    const { airports, fieldErrors, options } = await replacementsIn(visit, found.note)
    const note: ImportNote = {
      ...found.note,
      choices: readForm(choiceSpecs(t), form),
      airports: wanted === 'forget' ? {} : airports,
    }
    const again = (shown: FieldErrors) => show(visit, { note, until: found.until, form, fieldErrors: shown, options })
    if (Object.keys(fieldErrors).length > 0) return again(fieldErrors)
    try {
      if (wanted === 'import') {
        await importOnce(caller.userId, async () => {
          const report = await track(caller.userId, (progress) =>
            imports.run(caller, content, importOptions(note), { progress }),
          )
          await found.replaceNote({ ...note, done: toStored(report) })
          await found.removeContent()
        })
        return redirect(CHECK_PATH)
      }
      const created = wanted === 'make' ? await createMissing(caller, note) : 0
      await found.replaceNote(await preview(note))
      if (created === 0) return redirect(CHECK_PATH)
      return back(CHECK_PATH, t.created({ count: created }))
    } catch (error) {
      const fixable = fileErrorsOf(error, visit.texts)
      if (!fixable) throw error
      return again(fixable)
    }
  })
}
