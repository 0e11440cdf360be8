import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import type { Merged } from '../../../../domain/reference/service.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { ListTable, PartLinks } from '../../components/lists.tsx'
import { lookup, type Option, offer } from '../../components/lookup.ts'
import { LookupField } from '../../components/lookup-field.tsx'
import {
  countryOptions,
  type ReferenceKind,
  type ReferenceKindName,
  referenceKinds,
} from '../../components/reference-form.ts'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
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
import { Layout } from '../../framework/layout.tsx'
import { type IdRequest, idOf, partOf, signedInPages, type Visit } from '../../framework/signed-in.ts'

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

/** A rejected merge. */
interface Merge {
  form: URLSearchParams
  fault: string
  options: readonly Option[] | undefined
}

const kindNames = Object.keys(referenceKinds) as ReferenceKindName[]

function KindLinks({ basePath, viewer, current }: Frame & { current: ReferenceKindName }) {
  const permitted = kindNames.filter((name) => viewer.permissions.has(referenceKinds[name].permission))
  if (permitted.length < 2) return null
  return (
    <nav class="kinds" aria-label="Kinds of reference data">
      {permitted.map((name) => (
        <a
          key={name}
          class="chip"
          href={`${basePath}${PATH}/${name}`}
          {...(name === current && { 'aria-current': 'true' as const })}
        >
          {referenceKinds[name].title}
        </a>
      ))}
    </nav>
  )
}

/** Custom airports, airlines and aircraft types. */
export async function referencePages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, reference, routes, notices } = context
  const find = lookup(context)

  signedInPages(app, context).get(PATH, ({ caller, redirect }) => {
    requireAny(caller, ...kindNames.map((name) => referenceKinds[name].permission))
    return redirect(`${PATH}/${kindNames.find((name) => caller.permissions.has(referenceKinds[name].permission))}`)
  })

  function pagesOf<Specs extends FieldSpecs, Record extends Row, Write>(
    kindName: ReferenceKindName,
    kind: ReferenceKind<Specs, Record, Write>,
    service: Service<Record, Write>,
  ): void {
    const path = `${PATH}/${kindName}`
    const address = basePath + path
    const { specs, noun, title, permission } = kind
    type Entries = Typed<Specs>

    const submissionOf = (entries: Entries) => ({
      schema: kind.schema,
      body: kind.bodyOf(entries),
      faults: kind.faultsOf(entries),
      unique: kind.unique,
    })

    function fieldsOf(entries: Entries, faults: Faults) {
      const field = formFields(specs, entries, faults)
      return Object.keys(specs).map((name) => field(name, name === 'country' ? { options: countryOptions() } : {}))
    }

    const list = ({ caller, request, frame }: Visit) => {
      const { page = 1 } = request.query as { page?: unknown }
      const part = partOf(Number(page), service.countOwn(caller), PAGE_SIZE)
      const rows = service.own(caller, part)
      return (
        <Layout {...frame} title={`${title} – Paxlog`} place="reference">
          <h1>Reference data</h1>
          <p class="quiet">
            Airports, airlines and aircraft types added on this instance. The built-in ones change only with an update.
          </p>
          <KindLinks {...frame} current={kindName} />
          <Section id="rows" title={title}>
            {rows.length === 0 ? (
              <p class="card empty">Nothing added yet.</p>
            ) : (
              <ListTable
                caption={title}
                rows={rows}
                columns={[
                  {
                    title: 'Name',
                    names: true,
                    cell: (row) => (
                      <>
                        <a href={`${address}/${row.id}`} dir="auto">
                          {row.name}
                        </a>
                        <span class="beside">{[row.iata, row.icao].filter(Boolean).join(', ')}</span>
                      </>
                    ),
                  },
                  { title: 'Flights', cell: (row) => frame.formats.count(row.flights) },
                ]}
              />
            )}
            <PartLinks {...part} path={address} things={title.toLowerCase()} anchor="rows" />
            <p class="actions">
              <a class="button primary" href={`${address}/new`}>
                New {noun}
              </a>
            </p>
          </Section>
        </Layout>
      )
    }

    const add = ({ frame }: Visit, entries: Entries, faults: Faults, next: string | undefined) => (
      <Layout {...frame} title={`New ${noun} – Paxlog`} faults={faults} place="reference" below>
        <Crumb href={address}>{title}</Crumb>
        <h1>New {noun}</h1>
        <FaultSummary faults={faults} fields={specs} />
        <PostForm action={address} csrf={frame.viewer.csrf} next={next} submit={`Create ${noun}`}>
          {fieldsOf(entries, faults)}
        </PostForm>
      </Layout>
    )

    function edit({ frame }: Visit, row: Record, state: FormState<Entries> & { merge?: Merge }) {
      const { entries = kind.entriesOf(row), merge } = state
      const action = `${address}/${row.id}`
      const { csrf } = frame.viewer
      const faults = merge ? { into: merge.fault } : state.faults
      const mergeField = { id: 'into', label: 'Merge into' }
      return (
        <Layout {...frame} title={`${row.name} – Paxlog`} faults={faults} place="reference" below>
          <Crumb href={address}>{title}</Crumb>
          <h1 dir="auto">{row.name}</h1>
          <FaultSummary faults={faults} fields={{ ...specs, into: mergeField }} />
          {row.custom ? (
            <>
              <PostForm action={action} csrf={csrf} submit="Save">
                {fieldsOf(entries, state.faults)}
              </PostForm>
              <div class="folds removal">
                <DangerForm
                  action={`${action}/merge`}
                  csrf={csrf}
                  summary={`Merge into another ${noun}`}
                  button="Merge"
                  open={merge !== undefined}
                >
                  <p>
                    Every flight and custom value that uses this {noun} gets the other one, and this one is deleted. It
                    cannot be undone.
                  </p>
                  <LookupField
                    basePath={basePath}
                    kind={kind.lookup}
                    name={mergeField.id}
                    label={mergeField.label}
                    hint="Code or name"
                    form={merge?.form ?? new URLSearchParams()}
                    fault={merge?.fault}
                    options={merge?.options}
                    required
                  />
                </DangerForm>
                <DangerForm
                  action={`${action}/delete`}
                  csrf={csrf}
                  summary={`Delete this ${noun}`}
                  button={`Delete this ${noun}`}
                >
                  <p>You can delete it only if no flight or custom value uses it. Otherwise merge it.</p>
                </DangerForm>
              </div>
            </>
          ) : (
            <p class="card">This {noun} is built in and changes only with an update.</p>
          )}
        </Layout>
      )
    }

    const findRow = ({ caller, request }: Visit<IdRequest>) => service.get(caller, idOf(request, noun))

    const pages = crudPages<Entries, Record>(app, context, {
      path,
      permission,
      list,
      create(visit) {
        const { caller, form, session, reply } = visit
        const entries = readForm(specs, form)
        const next = routes.nextPage(form.get('next'))
        return submit({
          ...submissionOf(entries),
          work: (body) => service.create(caller, body),
          again: ({ status, faults }) => visit.send(add(visit, entries, faults, next), status),
          done: (row) => {
            notices.leave(session, `The ${noun} ${row.name} was created.`)
            return reply.redirect(next ?? address, 303)
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

    // The import page links here with the data of an unknown airport.
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
        return visit.send(edit(visit, row, { faults: {}, merge: { form, fault, options } }), 422)
      }
      if (!found) return again(`No ${noun} found. Use a code or a name.`)
      if (!('id' in found)) return again('Several match. Choose one.', found.options)
      // A merge cannot be undone, so a typed name has to be confirmed.
      const isChosen = fieldOf(form, 'into.id') === String(found.id)
      if (!isChosen) return again(`Found ${found.label}. Press Merge again to confirm.`, [found])
      return attempt({
        work: () => service.merge(caller, row.id, found.id),
        again: ({ faults }) => again(faults.into ?? faults.form ?? 'This merge is not possible.'),
        done: ({ into, flights }) =>
          back(path, `Merged into ${into.name}. ${flights} ${flights === 1 ? 'flight was' : 'flights were'} updated.`),
      })
    })
  }

  pagesOf('airports', referenceKinds.airports, reference.airports)
  pagesOf('airlines', referenceKinds.airlines, reference.airlines)
  pagesOf('aircraft', referenceKinds.aircraft, reference.aircraft)
}
