import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import type { Merged } from '../../../../domain/reference/service.ts'
import { ErrorSummary } from '../../components/fields.tsx'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { ListTable, PageLinks } from '../../components/lists.tsx'
import { lookup, type Option, preselect } from '../../components/lookup.ts'
import { LookupField } from '../../components/lookup-field.tsx'
import { AirlineBadge, Flag } from '../../components/marks.tsx'
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
  type FieldErrors,
  type FieldSpecs,
  type FormValues,
  readForm,
  requireAny,
  submit,
} from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { type IdRequest, idOf, pageOfList, signedInPages, type Visit } from '../../framework/signed-in.ts'
import type { PageTexts } from '../../texts/languages.ts'

const PATH = '/admin/reference'
const PAGE_SIZE = 50

interface Row {
  id: number
  name: string
  icao: string | null
  iata?: string | null
  /** Airports only. */
  country?: string | null
  custom: boolean
}

interface Service<Record extends Row, Write> {
  own: (caller: Caller, part: { limit: number; offset: number }) => (Row & { flights: number })[]
  countOwn: (caller: Caller) => number
  get: (caller: Caller, id: number) => Record
  create: (caller: Caller, write: Write) => Promise<Record>
  update: (caller: Caller, id: number, write: Write) => Promise<Record>
  remove: (caller: Caller, id: number) => Promise<void>
  merge: (caller: Caller, id: number, intoId: number) => Promise<Merged<Row>>
}

/** A rejected merge. */
interface Merge {
  form: URLSearchParams
  fieldError: string
  options: readonly Option[] | undefined
}

const kindNames = Object.keys(referenceKinds) as ReferenceKindName[]

function KindLinks({ basePath, viewer, current }: Frame & { current: ReferenceKindName }) {
  const t = useTexts().admin.reference
  const permitted = kindNames.filter((name) => viewer.permissions.has(referenceKinds[name].permission))
  if (permitted.length < 2) return null
  return (
    <nav class="kinds" aria-label={t.kindsLabel}>
      {permitted.map((name) => (
        <a
          key={name}
          class="chip"
          href={`${basePath}${PATH}/${name}`}
          {...(name === current && { 'aria-current': 'true' as const })}
        >
          {t.kinds[name].title}
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
    const { specs, permission } = kind
    type Entries = FormValues<Specs>

    const submissionOf = (entries: Entries, texts: PageTexts) => ({
      schema: kind.schema,
      body: kind.bodyOf(entries),
      fieldErrors: kind.fieldErrorsOf(entries, texts),
      unique: kind.unique,
    })

    function fieldsOf(entries: Entries, fieldErrors: FieldErrors) {
      const field = formFields(specs, entries, fieldErrors)
      return Object.keys(specs).map((name) => field(name, name === 'country' ? { options: countryOptions } : {}))
    }

    const list = ({ caller, request, frame, texts }: Visit) => {
      const t = texts.admin.reference
      const { title, new: newRow } = t.kinds[kindName]
      const { page = 1 } = request.query as { page?: unknown }
      const part = pageOfList(Number(page), service.countOwn(caller), PAGE_SIZE)
      const rows = service.own(caller, part)
      const addLink = (
        <a class="button primary" href={`${address}/new`}>
          {newRow}
        </a>
      )
      return (
        <Layout {...frame} title={title} place="reference">
          <h1>{t.title}</h1>
          <p class="quiet">{t.introduction}</p>
          <KindLinks {...frame} current={kindName} />
          <Section id="rows" title={title}>
            {rows.length === 0 ? (
              <div class="card empty">
                <p>{t.empty}</p>
                {addLink}
              </div>
            ) : (
              <ListTable
                caption={title}
                rows={rows}
                columns={[
                  {
                    title: t.name,
                    names: true,
                    cell: (row) => (
                      <>
                        <a href={`${address}/${row.id}`} dir="auto">
                          {row.country && <Flag country={row.country} basePath={basePath} />}
                          {kindName === 'airlines' && (
                            <AirlineBadge airline={{ iata: row.iata ?? null, icao: row.icao }} />
                          )}{' '}
                          {row.name}
                        </a>
                        <span class="beside">{[row.iata, row.icao].filter(Boolean).join(', ')}</span>
                      </>
                    ),
                  },
                  { title: t.flights, cell: (row) => frame.formats.count(row.flights) },
                ]}
              />
            )}
            <PageLinks {...part} path={address} anchor="rows" />
            <p class="actions">
              {rows.length > 0 && addLink}
              {caller.permissions.has('flight.update.any') && (
                <a class="button" href={`${basePath}${PATH}/check`}>
                  {texts.admin.codeCheck.link}
                </a>
              )}
            </p>
          </Section>
        </Layout>
      )
    }

    function add({ frame, texts }: Visit, entries: Entries, fieldErrors: FieldErrors, next: string | undefined) {
      const t = texts.admin.reference.kinds[kindName]
      return (
        <Layout {...frame} title={t.new} fieldErrors={fieldErrors} place="reference" below>
          <Crumb href={address}>{t.title}</Crumb>
          <h1>{t.new}</h1>
          <ErrorSummary fieldErrors={fieldErrors} fields={specs} />
          <PostForm action={address} csrf={frame.viewer.csrf} next={next} submit={t.create}>
            <div class="pairs">{fieldsOf(entries, fieldErrors)}</div>
          </PostForm>
        </Layout>
      )
    }

    function edit({ frame, texts }: Visit, row: Record, state: FormState<Entries> & { merge?: Merge }) {
      const t = texts.admin.reference
      const own = t.kinds[kindName]
      const { entries = kind.entriesOf(row), merge } = state
      const action = `${address}/${row.id}`
      const { csrf } = frame.viewer
      const fieldErrors = merge ? { into: merge.fieldError } : state.fieldErrors
      const mergeField = { id: 'into', label: t.mergeInto }
      return (
        <Layout {...frame} title={row.name} fieldErrors={fieldErrors} place="reference" below>
          <Crumb href={address}>{own.title}</Crumb>
          <h1 dir="auto">{row.name}</h1>
          <ErrorSummary fieldErrors={fieldErrors} fields={{ ...specs, into: mergeField }} />
          {row.custom ? (
            <>
              <PostForm action={action} csrf={csrf} submit={t.save}>
                <div class="pairs">{fieldsOf(entries, state.fieldErrors)}</div>
              </PostForm>
              <div class="folds removal">
                <DangerForm
                  action={`${action}/merge`}
                  csrf={csrf}
                  summary={own.mergeInto}
                  button={t.merge}
                  open={merge !== undefined}
                >
                  <p>{own.mergeWarning}</p>
                  <LookupField
                    basePath={basePath}
                    kind={kind.lookup}
                    name={mergeField.id}
                    label={mergeField.label}
                    hint={t.mergeHint}
                    form={merge?.form ?? new URLSearchParams()}
                    fieldError={merge?.fieldError}
                    options={merge?.options}
                    required
                  />
                </DangerForm>
                <DangerForm action={`${action}/delete`} csrf={csrf} summary={own.delete} button={own.delete}>
                  <p>{t.deleteHint}</p>
                </DangerForm>
              </div>
            </>
          ) : (
            <p class="card">{own.builtIn}</p>
          )}
        </Layout>
      )
    }

    const findRow = ({ caller, request }: Visit<IdRequest>) => service.get(caller, idOf(request, kind.lookup))

    const pages = crudPages<Entries, Record>(app, context, {
      path,
      permission,
      list,
      create(visit) {
        const { caller, form, session, reply, texts } = visit
        const entries = readForm(specs, form)
        const next = routes.nextPage(form.get('next'))
        return submit({
          texts,
          ...submissionOf(entries, texts),
          work: (body) => service.create(caller, body),
          again: ({ status, fieldErrors }) => visit.send(add(visit, entries, fieldErrors, next), status),
          done: (row) => {
            notices.leave(session, { text: texts.admin.reference.kinds[kindName].created({ name: row.name }) })
            return reply.redirect(next ?? address, 303)
          },
        })
      },
      find: findRow,
      edit,
      update({ caller, form, texts, back }, { id }, again) {
        const entries = readForm(specs, form)
        return submit({
          texts,
          ...submissionOf(entries, texts),
          work: (body) => service.update(caller, id, body),
          again: again(entries),
          done: ({ name }) => back(path, texts.admin.reference.kinds[kindName].changed({ name })),
        })
      },
      remove: ({ caller }, { id }) => service.remove(caller, id),
      removed: (texts) => texts.admin.reference.kinds[kindName].deleted,
    })

    // The import page links here with the data of an unknown airport.
    pages.get(`${path}/new`, (visit) => {
      const given = queryOf(visit.request)
      const known = Object.keys(specs).filter((field) => given.getAll(field).length === 1)
      const entries = { ...emptyForm(specs), ...Object.fromEntries(known.map((field) => [field, given.get(field)])) }
      return visit.send(add(visit, entries, {}, routes.nextPage(given.get('next'))))
    })

    pages.post<IdRequest>(`${path}/:id/merge`, async (visit) => {
      const { caller, form, texts, back } = visit
      const t = texts.admin.reference
      const row = findRow(visit)
      const found = await find.resolve(caller, form, 'into', kind.lookup)
      function again(fieldError: string, options?: readonly Option[]) {
        if (options) preselect(form, 'into', options)
        return visit.send(edit(visit, row, { fieldErrors: {}, merge: { form, fieldError, options } }), 422)
      }
      if (!found) return again(t.kinds[kindName].notFound)
      if (!('id' in found)) return again(t.severalMatch, found.options)
      // A merge cannot be undone, so a typed name has to be confirmed.
      const isChosen = fieldOf(form, 'into.id') === String(found.id)
      if (!isChosen) return again(t.confirmMerge({ name: found.label }), [found])
      return attempt({
        texts,
        work: () => service.merge(caller, row.id, found.id),
        again: ({ fieldErrors }) => again(fieldErrors.into ?? fieldErrors.form ?? t.mergeNotPossible),
        done: ({ into, flights }) => back(path, t.merged({ name: into.name, count: flights })),
      })
    })
  }

  pagesOf('airports', referenceKinds.airports, reference.airports)
  pagesOf('airlines', referenceKinds.airlines, reference.airlines)
  pagesOf('aircraft', referenceKinds.aircraft, reference.aircraft)
}
