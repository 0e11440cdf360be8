import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { AppError } from '../../lib/errors.ts'
import type { PageContext } from './context.ts'
import { lookup, type Option, offer } from './flight-form/lookup.ts'
import { fieldOf, formOf } from './form.ts'
import { type Faults, readForm } from './forms.ts'
import {
  CHECK_PATH,
  choiceSpecs,
  faultsOfFile,
  IMPORT_PATH,
  type ImportNote,
  kept,
  lookedAt,
  orderOf,
  placeField,
} from './import-steps.ts'
import { cookieOf, requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { ImportCheckPage } from './views/import-check.tsx'
import { ImportDonePage } from './views/import-done.tsx'
import { sendPage } from './views/layout.tsx'

/** Airports that were typed in place of those that nobody knows. */
interface Named {
  airports: Record<string, number>
  faults: Faults
  options: Record<string, readonly Option[]>
}

/** The second step: what will become of the file that was sent, and the button that does it. */
export function importCheckPage(app: FastifyInstance, context: PageContext): void {
  const { basePath, imports, importFiles, reference } = context
  const { frame, requireForm, back } = signedInPages(context)
  const find = lookup(context)

  function importing(caller: Caller): Caller {
    authorize(caller, 'importFlights', { restore: false })
    return caller
  }

  const keptOf = (request: FastifyRequest, { userId }: Caller) =>
    importFiles.find<ImportNote>({ userId, session: cookieOf(request, 'session')! })

  const gone = (request: FastifyRequest, reply: FastifyReply) =>
    back(request, reply, IMPORT_PATH, 'The file is no longer kept here. Choose it again.')

  interface Shown {
    note: ImportNote
    until: number
    form?: URLSearchParams
    faults?: Faults
    options?: Named['options']
  }

  function show(request: FastifyRequest, reply: FastifyReply, caller: Caller, shown: Shown) {
    const { permissions } = caller
    return sendPage(
      reply,
      Object.keys(shown.faults ?? {}).length > 0 ? 422 : 200,
      <ImportCheckPage
        {...frame(request, caller)}
        note={shown.note}
        until={shown.until}
        form={shown.form ?? new URLSearchParams()}
        faults={shown.faults ?? {}}
        options={shown.options ?? {}}
        nameOf={(id) => find.option('airport', id)?.label ?? 'an airport that is gone'}
        may={{
          restore: permissions.has('flight.import.any'),
          make: permissions.has('data.airports.manage'),
        }}
      />,
    )
  }

  app.get(CHECK_PATH, async (request, reply) => {
    const caller = importing(requireCaller(request))
    const found = await keptOf(request, caller)
    if (!found) return reply.redirect(basePath + IMPORT_PATH, 303)
    const { note, until } = found
    if (!note.done) return show(request, reply, caller, { note, until })
    const format = note.seen?.preview.format
    return sendPage(reply, 200, <ImportDonePage {...frame(request, caller)} report={note.done} format={format} />)
  })

  /** What was typed beside each code that nobody knows; what is left empty stays unknown. */
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

  /** Makes the airports that the file describes; those that somebody else has made meanwhile are there. */
  async function makeMissing(caller: Caller, { seen }: ImportNote): Promise<number> {
    let made = 0
    for (const { record } of seen?.preview.missing ?? []) {
      if (!record) continue
      try {
        await reference.airports.create(caller, record)
        made++
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error
      }
    }
    return made
  }

  app.post(CHECK_PATH, async (request, reply) => {
    const caller = importing(requireForm(request, CHECK_PATH))
    const found = await keptOf(request, caller)
    const content = await found?.content()
    if (!found) return gone(request, reply)
    if (found.note.done) return reply.redirect(basePath + CHECK_PATH, 303)
    if (!content) return gone(request, reply)
    const form = formOf(request)
    const wanted = fieldOf(form, 'do')
    if (wanted === 'discard') {
      await importFiles.drop(caller)
      return back(request, reply, IMPORT_PATH, 'The file was thrown away. Nothing was imported.')
    }
    const { airports, faults, options } = await namedIn(caller, form, found.note)
    const note: ImportNote = {
      ...found.note,
      choices: readForm(choiceSpecs, form),
      airports: wanted === 'forget' ? {} : airports,
    }
    const again = (wrong: Faults) =>
      show(request, reply, caller, { note, until: found.until, form, faults: wrong, options })
    if (Object.keys(faults).length > 0) return again(faults)
    try {
      if (wanted === 'import') {
        const report = await imports.run(caller, content, orderOf(note))
        await found.replaceNote({ ...note, done: kept(report) })
        await found.dropContent()
        return await reply.redirect(basePath + CHECK_PATH, 303)
      }
      const made = wanted === 'make' ? await makeMissing(caller, note) : 0
      await found.replaceNote(await lookedAt(context, caller, content, note))
      if (made === 0) return await reply.redirect(basePath + CHECK_PATH, 303)
      return back(request, reply, CHECK_PATH, made === 1 ? 'The airport was made.' : `${made} airports were made.`)
    } catch (error) {
      const wrong = faultsOfFile(error)
      if (!wrong) throw error
      return again(wrong)
    }
  })
}
