import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { Merged } from '../../domain/reference/service.ts'
import type { PageContext } from './context.ts'
import { lookup, type Option, offer } from './flight-form/lookup.ts'
import { fieldOf, formOf, queryOf } from './form.ts'
import {
  attempt,
  emptyForm,
  type Faults,
  type FieldSpecs,
  type Refused,
  readForm,
  requireAny,
  submit,
  type Typed,
} from './forms.ts'
import { type ReferenceKind, type ReferenceKindName, referenceKinds } from './reference-form.ts'
import { cookieOf, requireCaller } from './session.ts'
import { type IdRequest, idOf, pageBelow, partOf, signedInPages } from './signed-in.ts'
import { sendPage } from './views/layout.tsx'
import { NewReferencePage, ReferenceRowPage } from './views/reference-row.tsx'
import { ReferenceRowsPage } from './views/reference-rows.tsx'

const PATH = '/admin/reference'
const SHOWN_AT_ONCE = 50

interface Row {
  id: number
  name: string
  icao: string | null
  iata?: string | null
  custom: boolean
}

/** What the pages need of the service of one kind. */
interface Service<Record extends Row, Write> {
  own: (caller: Caller, part: { limit: number; offset: number }) => (Record & { flights: number })[]
  countOwn: (caller: Caller) => number
  get: (caller: Caller, id: number) => Record
  create: (caller: Caller, write: Write) => Promise<Record>
  update: (caller: Caller, id: number, write: Write) => Promise<Record>
  remove: (caller: Caller, id: number) => Promise<void>
  merge: (caller: Caller, id: number, intoId: number) => Promise<Merged<Record>>
}

/** Airports, airlines and aircraft types that were made on this instance, for those who may manage them. */
export async function referencePages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, reference, routes, notices } = context
  const { frame, requireForm, back } = signedInPages(context)
  const find = lookup(context)
  const kindNames = Object.keys(referenceKinds) as ReferenceKindName[]

  app.get(PATH, async (request, reply) => {
    const caller = requireAny(requireCaller(request), ...kindNames.map((name) => referenceKinds[name].permission))
    const first = kindNames.find((name) => caller.permissions.has(referenceKinds[name].permission))
    return reply.redirect(`${basePath}${PATH}/${first}`, 303)
  })

  function pagesOf<Specs extends FieldSpecs, Record extends Row, Write>(
    name: ReferenceKindName,
    kind: ReferenceKind<Specs, Record, Write>,
    service: Service<Record, Write>,
  ): void {
    const path = `${PATH}/${name}`
    const { specs, noun, title } = kind

    const managing = (caller: Caller) => requireAny(caller, kind.permission)

    const judged = (entries: Typed<Specs>) => ({
      schema: kind.schema,
      body: kind.bodyOf(entries),
      faults: kind.faultsOf(entries),
      unique: kind.unique,
    })

    app.get<{ Querystring: { page?: unknown } }>(path, async (request, reply) => {
      const caller = managing(requireCaller(request))
      const part = partOf(Number(request.query.page ?? 1), service.countOwn(caller), SHOWN_AT_ONCE)
      return sendPage(
        reply,
        200,
        <ReferenceRowsPage
          {...frame(request, caller)}
          name={name}
          title={title}
          noun={noun}
          rows={service.own(caller, part)}
          part={{ ...part, path: basePath + path }}
        />,
      )
    })

    interface Shown {
      entries: Typed<Specs>
      next: string | undefined
      refused?: Refused
    }

    const showNew = (request: FastifyRequest, reply: FastifyReply, caller: Caller, shown: Shown) =>
      sendPage(
        reply,
        shown.refused?.status ?? 200,
        <NewReferencePage
          {...frame(request, caller)}
          name={name}
          title={title}
          noun={noun}
          specs={specs}
          entries={shown.entries}
          faults={shown.refused?.faults ?? {}}
          next={shown.next}
        />,
      )

    // Filled with what the address says, such as what a file tells of an airport.
    app.get(`${path}/new`, async (request, reply) => {
      const caller = managing(requireCaller(request))
      const given = queryOf(request)
      const known = Object.keys(specs).filter((field) => given.getAll(field).length === 1)
      const entries = { ...emptyForm(specs), ...Object.fromEntries(known.map((field) => [field, given.get(field)])) }
      return showNew(request, reply, caller, { entries, next: routes.nextPage(given.get('next')) })
    })

    app.post(path, async (request, reply) => {
      const caller = managing(requireForm(request, path))
      const form = formOf(request)
      const entries = readForm(specs, form)
      const next = routes.nextPage(form.get('next'))
      return submit({
        ...judged(entries),
        work: (body) => service.create(caller, body),
        again: (refused) => showNew(request, reply, caller, { entries, next, refused }),
        done: (row) => {
          notices.leave(cookieOf(request, 'session')!, `The ${noun} ${row.name} was made.`)
          return reply.redirect(next ?? basePath + path, 303)
        },
      })
    })

    interface ShownRow {
      entries?: Typed<Specs>
      refused?: Refused
      merge?: { form: URLSearchParams; faults: Faults; options?: readonly Option[] }
    }

    function showOne(request: FastifyRequest<IdRequest>, reply: FastifyReply, caller: Caller, shown: ShownRow = {}) {
      const row = service.get(caller, idOf(request, noun))
      const faulty = shown.merge && Object.keys(shown.merge.faults).length > 0
      return sendPage(
        reply,
        shown.refused?.status ?? (faulty ? 422 : 200),
        <ReferenceRowPage
          {...frame(request, caller)}
          name={name}
          title={title}
          noun={noun}
          kind={kind.lookup}
          specs={specs}
          row={row}
          entries={shown.entries ?? kind.entriesOf(row)}
          faults={shown.refused?.faults ?? {}}
          merge={shown.merge}
        />,
      )
    }

    app.get<IdRequest>(`${path}/:id`, async (request, reply) =>
      showOne(request, reply, managing(requireCaller(request))),
    )

    app.post<IdRequest>(`${path}/:id`, async (request, reply) => {
      const caller = managing(requireForm(request, pageBelow(path, request)))
      const entries = readForm(specs, formOf(request))
      return submit({
        ...judged(entries),
        work: (body) => service.update(caller, idOf(request, noun), body),
        again: (refused) => showOne(request, reply, caller, { entries, refused }),
        done: (row) => back(request, reply, path, `The ${noun} ${row.name} was changed, also on its flights.`),
      })
    })

    app.post<IdRequest>(`${path}/:id/delete`, async (request, reply) => {
      const caller = managing(requireForm(request, pageBelow(path, request)))
      return attempt({
        work: () => service.remove(caller, idOf(request, noun)),
        again: (refused) => showOne(request, reply, caller, { refused }),
        done: () => back(request, reply, path, `The ${noun} was deleted.`),
      })
    })

    app.post<IdRequest>(`${path}/:id/merge`, async (request, reply) => {
      const caller = managing(requireForm(request, pageBelow(path, request)))
      const form = formOf(request)
      const id = idOf(request, noun)
      const found = await find.resolve(caller, form, 'into', kind.lookup)
      function again(fault: string, options?: readonly Option[]) {
        if (options) offer(form, 'into', options)
        return showOne(request, reply, caller, {
          merge: { form, faults: { into: fault }, ...(options && { options }) },
        })
      }
      if (!found) return again(`No ${noun} is known by this.`)
      if (!('id' in found)) return again('Several are meant by this: choose one.', found.options)
      // It cannot be taken back, so that a name alone is not enough: whatever it means is shown first.
      const isChosen = fieldOf(form, 'into.id') === String(found.id)
      if (!isChosen) return again(`Is ${found.label} the one? Then press the button again.`, [found])
      return attempt({
        work: () => service.merge(caller, id, found.id),
        again: ({ faults }) => again(faults.into ?? faults.form ?? 'This is not possible.'),
        done: ({ into, flights }) =>
          back(
            request,
            reply,
            path,
            `Merged into ${into.name}: ${flights} ${flights === 1 ? 'flight has' : 'flights have'} it now.`,
          ),
      })
    })
  }

  pagesOf('airports', referenceKinds.airports, reference.airports)
  pagesOf('airlines', referenceKinds.airlines, reference.airlines)
  pagesOf('aircraft', referenceKinds.aircraft, reference.aircraft)
}
