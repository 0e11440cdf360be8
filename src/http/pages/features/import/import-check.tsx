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
import { ImportDonePage } from './import-done.tsx'
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
export function importCheckPage(app: FastifyInstance, context: PageContext): void {
  const { imports, pendingUploads, reference } = context
  const pages = signedInPages(app, context)
  const find = lookup(context)

  function show({ frame, send }: Visit, state: CheckState) {
    const nameOf = (id: number) => find.option('airport', id)?.label
    const status = Object.keys(state.fieldErrors).length > 0 ? 422 : 200
    return send(<ImportCheckPage {...frame} {...state} nameOf={nameOf} />, status)
  }

  pages.get(CHECK_PATH, async (visit) => {
    authorize(visit.caller, 'importFlights', { restore: false })
    const found = await pendingImport(context, visit)
    if (!found) return visit.redirect(IMPORT_PATH)
    const { note, until } = found
    if (!note.done) return show(visit, { note, until, form: new URLSearchParams(), fieldErrors: {}, options: {} })
    return visit.send(<ImportDonePage {...visit.frame} report={note.done} format={note.seen?.preview.format} />)
  })

  /** Codes whose field is empty stay unknown. */
  async function replacementsIn({ caller, form, texts }: Visit, { seen, airports }: ImportNote) {
    const t = texts.importFlights
    const replacements = { ...airports }
    const fieldErrors: FieldErrors = {}
    const options: Record<string, readonly Option[]> = {}
    for (const { code } of seen?.preview.missing ?? []) {
      const name = placeField(code)
      if (fieldOf(form, name).trim() === '') continue
      const found = await find.resolve(caller, form, name, 'airport')
      if (!found) fieldErrors[name] = t.airportNotFound
      else if ('id' in found) replacements[code] = found.id
      else {
        fieldErrors[name] = t.airportAmbiguous
        options[name] = found.options
        preselect(form, name, found.options)
      }
    }
    return { airports: replacements, fieldErrors, options }
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
        const report = await imports.run(caller, content, importOptions(note))
        await found.replaceNote({ ...note, done: toStored(report) })
        await found.removeContent()
        return redirect(CHECK_PATH)
      }
      const created = wanted === 'make' ? await createMissing(caller, note) : 0
      await found.replaceNote(await previewImport(context, caller, content, note))
      if (created === 0) return redirect(CHECK_PATH)
      return back(CHECK_PATH, t.created({ count: created }))
    } catch (error) {
      const fixable = fileErrorsOf(error, t)
      if (!fixable) throw error
      return again(fixable)
    }
  })
}
