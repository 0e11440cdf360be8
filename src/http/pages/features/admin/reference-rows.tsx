import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import type { Merged } from '../../../../domain/reference/service.ts'
import { lookup, type Option, offer } from '../../components/lookup.ts'
import { type ReferenceKind, type ReferenceKindName, referenceKinds } from '../../components/reference-form.ts'
import type { PageContext } from '../../framework/context.ts'
import { crudPages, type FormState } from '../../framework/crud.ts'
import { fieldOf, queryOf } from '../../framework/form.ts'
import {
  attempt,
  emptyForm,
  type Faults,
  type FieldSpecs,
  readForm,
  requireAny,
  submit,
  type Typed,
} from '../../framework/forms.ts'
import { type IdRequest, idOf, partOf, signedInPages, type Visit } from '../../framework/signed-in.ts'
import { NewReferencePage, ReferenceRowPage } from './reference-row-page.tsx'
import { ReferenceRowsPage } from './reference-rows-page.tsx'

const PATH = '/admin/reference'
const PAGE_SIZE = 50

interface Row {
  id: number
  name: string
  icao: string | null
  iata?: string | null
  custom: boolean
}

interface Service<Record extends Row, Write> {
  own: (caller: Caller, part: { limit: number; offset: number }) => (Record & { flights: number })[]
  countOwn: (caller: Caller) => number
  get: (caller: Caller, id: number) => Record
  create: (caller: Caller, write: Write) => Promise<Record>
  update: (caller: Caller, id: number, write: Write) => Promise<Record>
  remove: (caller: Caller, id: number) => Promise<void>
  merge: (caller: Caller, id: number, intoId: number) => Promise<Merged<Record>>
}

/** Custom airports, airlines and aircraft types. */
export async function referencePages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, reference, routes, notices } = context
  const find = lookup(context)
  const kindNames = Object.keys(referenceKinds) as ReferenceKindName[]

  signedInPages(app, context).get(PATH, ({ caller, redirect }) => {
    requireAny(caller, ...kindNames.map((name) => referenceKinds[name].permission))
    return redirect(`${PATH}/${kindNames.find((name) => caller.permissions.has(referenceKinds[name].permission))}`)
  })

  function pagesOf<Specs extends FieldSpecs, Record extends Row, Write>(
    name: ReferenceKindName,
    kind: ReferenceKind<Specs, Record, Write>,
    service: Service<Record, Write>,
  ): void {
    const path = `${PATH}/${name}`
    const { specs, noun, title, permission } = kind
    type Entries = Typed<Specs>

    const submissionOf = (entries: Entries) => ({
      schema: kind.schema,
      body: kind.bodyOf(entries),
      faults: kind.faultsOf(entries),
      unique: kind.unique,
    })

    const add = ({ frame }: Visit, entries: Entries, faults: Faults, next: string | undefined) => (
      <NewReferencePage
        {...frame}
        name={name}
        title={title}
        noun={noun}
        specs={specs}
        entries={entries}
        faults={faults}
        next={next}
      />
    )

    interface State extends FormState<Entries> {
      merge?: { form: URLSearchParams; faults: Faults; options?: readonly Option[] }
    }

    const edit = ({ frame }: Visit, row: Record, { entries = kind.entriesOf(row), faults, merge }: State) => (
      <ReferenceRowPage
        {...frame}
        name={name}
        title={title}
        noun={noun}
        kind={kind.lookup}
        specs={specs}
        row={row}
        entries={entries}
        faults={faults}
        merge={merge}
      />
    )

    const findRow = ({ caller, request }: Visit<IdRequest>) => service.get(caller, idOf(request, noun))

    const pages = crudPages<Entries, Record>(app, context, {
      path,
      permission,
      list({ caller, request, frame }) {
        const { page = 1 } = request.query as { page?: unknown }
        const part = partOf(Number(page), service.countOwn(caller), PAGE_SIZE)
        const rows = service.own(caller, part)
        const shownPart = { ...part, path: basePath + path }
        return <ReferenceRowsPage {...frame} name={name} title={title} noun={noun} rows={rows} part={shownPart} />
      },
      create(visit) {
        const { caller, form, session, reply } = visit
        const entries = readForm(specs, form)
        const next = routes.nextPage(form.get('next'))
        return submit({
          ...submissionOf(entries),
          work: (body) => service.create(caller, body),
          again: ({ status, faults }) => visit.send(add(visit, entries, faults, next), status),
          done: (row) => {
            notices.leave(session, `The ${noun} ${row.name} was made.`)
            return reply.redirect(next ?? basePath + path, 303)
          },
        })
      },
      find: findRow,
      edit,
      update({ caller, form, back }, { id }, again) {
        const entries = readForm(specs, form)
        return submit({
          ...submissionOf(entries),
          work: (body) => service.update(caller, id, body),
          again: again(entries),
          done: (row) => back(path, `The ${noun} ${row.name} was changed, also on its flights.`),
        })
      },
      remove: ({ caller }, { id }) => service.remove(caller, id),
      removed: () => `The ${noun} was deleted.`,
    })

    // The import page links here with what a file says about an unknown airport.
    pages.get(`${path}/new`, (visit) => {
      const given = queryOf(visit.request)
      const known = Object.keys(specs).filter((field) => given.getAll(field).length === 1)
      const entries = { ...emptyForm(specs), ...Object.fromEntries(known.map((field) => [field, given.get(field)])) }
      return visit.send(add(visit, entries, {}, routes.nextPage(given.get('next'))))
    })

    pages.post<IdRequest>(`${path}/:id/merge`, async (visit) => {
      const { caller, form, back } = visit
      const row = findRow(visit)
      const found = await find.resolve(caller, form, 'into', kind.lookup)
      function again(fault: string, options?: readonly Option[]) {
        if (options) offer(form, 'into', options)
        const merge = { form, faults: { into: fault }, ...(options && { options }) }
        return visit.send(edit(visit, row, { faults: {}, merge }), 422)
      }
      if (!found) return again(`No ${noun} is known by this.`)
      if (!('id' in found)) return again('Several are meant by this: choose one.', found.options)
      // A merge cannot be undone, so a typed name has to be confirmed.
      const isChosen = fieldOf(form, 'into.id') === String(found.id)
      if (!isChosen) return again(`Is ${found.label} the one? Then press the button again.`, [found])
      return attempt({
        work: () => service.merge(caller, row.id, found.id),
        again: ({ faults }) => again(faults.into ?? faults.form ?? 'This is not possible.'),
        done: ({ into, flights }) =>
          back(path, `Merged into ${into.name}: ${flights} ${flights === 1 ? 'flight has' : 'flights have'} it now.`),
      })
    })
  }

  pagesOf('airports', referenceKinds.airports, reference.airports)
  pagesOf('airlines', referenceKinds.airlines, reference.airlines)
  pagesOf('aircraft', referenceKinds.aircraft, reference.aircraft)
}
