import type { FastifyInstance } from 'fastify'
import { authorize } from '../../../../access/authorize.ts'
import type { Caller } from '../../../../access/caller.ts'
import { AppError } from '../../../../lib/errors.ts'
import { lookup, type Option, offer } from '../../components/lookup.ts'
import type { PageContext } from '../../framework/context.ts'
import { fieldOf } from '../../framework/form.ts'
import { type Faults, readForm } from '../../framework/forms.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import { ImportCheckPage } from './import-check-page.tsx'
import { ImportDonePage } from './import-done.tsx'
import {
  CHECK_PATH,
  choiceSpecs,
  faultsOfFile,
  IMPORT_PATH,
  type ImportNote,
  kept,
  lookedAt,
  orderOf,
  pendingImport,
  placeField,
} from './import-steps.ts'

/** Airports that the user typed for unknown codes. */
interface Named {
  airports: Record<string, number>
  faults: Faults
  options: Record<string, readonly Option[]>
}

/** The second step of an import: the preview, and the button that starts it. */
export function importCheckPage(app: FastifyInstance, context: PageContext): void {
  const { imports, pendingUploads, reference } = context
  const pages = signedInPages(app, context)
  const find = lookup(context)

  const gone = ({ back }: Visit) => back(IMPORT_PATH, 'The file is no longer kept here. Choose it again.')

  interface Shown {
    note: ImportNote
    until: number
    form?: URLSearchParams
    faults?: Faults
    options?: Named['options']
  }

  function show({ caller, frame, send }: Visit, { note, until, form, faults = {}, options = {} }: Shown) {
    const { permissions } = caller
    return send(
      <ImportCheckPage
        {...frame}
        note={note}
        until={until}
        form={form ?? new URLSearchParams()}
        faults={faults}
        options={options}
        nameOf={(id) => find.option('airport', id)?.label ?? 'an airport that is gone'}
        may={{
          restore: permissions.has('flight.import.any'),
          make: permissions.has('data.airports.manage'),
        }}
      />,
      Object.keys(faults).length > 0 ? 422 : 200,
    )
  }

  pages.get(CHECK_PATH, async (visit) => {
    authorize(visit.caller, 'importFlights', { restore: false })
    const found = await pendingImport(context, visit)
    if (!found) return visit.redirect(IMPORT_PATH)
    const { note, until } = found
    if (!note.done) return show(visit, { note, until })
    return visit.send(<ImportDonePage {...visit.frame} report={note.done} format={note.seen?.preview.format} />)
  })

  /** Codes whose field is empty stay unknown. */
  async function namedIn(caller: Caller, form: URLSearchParams, { seen, airports }: ImportNote): Promise<Named> {
    const named: Named = { airports: { ...airports }, faults: {}, options: {} }
    for (const { code } of seen?.preview.missing ?? []) {
      const name = placeField(code)
      if (fieldOf(form, name).trim() === '') continue
      const found = await find.resolve(caller, form, name, 'airport')
      if (!found) named.faults[name] = 'No airport is known by this.'
      else if ('id' in found) named.airports[code] = found.id
      else {
        named.faults[name] = 'Several airports are meant by this: choose one.'
        named.options[name] = found.options
        offer(form, name, found.options)
      }
    }
    return named
  }

  /** Creates the airports that the file describes, and returns their number. */
  async function makeMissing(caller: Caller, { seen }: ImportNote): Promise<number> {
    let made = 0
    for (const { record } of seen?.preview.missing ?? []) {
      if (!record) continue
      try {
        await reference.airports.create(caller, record)
        made++
      } catch (error) {
        // Another user has created it meanwhile.
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error
      }
    }
    return made
  }

  pages.post(CHECK_PATH, async (visit) => {
    const { caller, form, redirect, back } = visit
    authorize(caller, 'importFlights', { restore: false })
    const found = await pendingImport(context, visit)
    const content = await found?.content()
    if (!found) return gone(visit)
    if (found.note.done) return redirect(CHECK_PATH)
    if (!content) return gone(visit)
    const wanted = fieldOf(form, 'do')
    if (wanted === 'discard') {
      await pendingUploads.remove(caller.userId)
      return back(IMPORT_PATH, 'The file was thrown away. Nothing was imported.')
    }
    const { airports, faults, options } = await namedIn(caller, form, found.note)
    const note: ImportNote = {
      ...found.note,
      choices: readForm(choiceSpecs, form),
      airports: wanted === 'forget' ? {} : airports,
    }
    const again = (wrong: Faults) => show(visit, { note, until: found.until, form, faults: wrong, options })
    if (Object.keys(faults).length > 0) return again(faults)
    try {
      if (wanted === 'import') {
        const report = await imports.run(caller, content, orderOf(note))
        await found.replaceNote({ ...note, done: kept(report) })
        await found.removeContent()
        return redirect(CHECK_PATH)
      }
      const made = wanted === 'make' ? await makeMissing(caller, note) : 0
      await found.replaceNote(await lookedAt(context, caller, content, note))
      if (made === 0) return redirect(CHECK_PATH)
      return back(CHECK_PATH, made === 1 ? 'The airport was made.' : `${made} airports were made.`)
    } catch (error) {
      const wrong = faultsOfFile(error)
      if (!wrong) throw error
      return again(wrong)
    }
  })
}
