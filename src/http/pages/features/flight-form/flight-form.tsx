import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import { canUseAll, requiredScopes } from '../../../../access/authorize.ts'
import type { Caller } from '../../../../access/caller.ts'
import { jsonOf } from '../../../../contract/answer.ts'
import type { Flight, FlightWrite } from '../../../../domain/flights/contract.ts'
import { isAboard, permits } from '../../../../domain/flights/query/visible.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { AppError } from '../../../../lib/errors.ts'
import { formPrecondition, recordTag } from '../../../shared/etag.ts'
import { arrivalDayNote } from '../../components/clocks.tsx'
import { detailOf, lookup as referenceLookup } from '../../components/lookup.ts'
import type { PageContext } from '../../framework/context.ts'
import { requireCsrf } from '../../framework/csrf.ts'
import { fieldOf, formOf, MAX_LONG_FORM_BYTES } from '../../framework/form.ts'
import { MAX_DRAFT_BYTES } from '../../framework/form-drafts.ts'
import { formIdempotency } from '../../framework/form-idempotency.ts'
import { allowWebAssembly } from '../../framework/headers.ts'
import { errorText } from '../../framework/service-messages.ts'
import { callerOf, hasSession, SignInNeeded } from '../../framework/session.ts'
import { type IdRequest, idIn, idOf, signedInPages, type Visit, visitOf } from '../../framework/signed-in.ts'
import { defaultsOf, showCustomValues } from './custom-fields.tsx'
import { type DraftRequest, documentPages } from './document-pages.tsx'
import { addBodyErrors, type Definitions, formOfFlight, readFlight } from './flight.ts'
import { FlightPage, type FormState } from './form-page.tsx'
import { canCreateRecord, newRecords } from './new-record.tsx'
import { numberLookup } from './numbers.ts'
import { MAX_ROWS, PAGE_SIZE, type Person, rowCount, rowPrefix } from './passengers.tsx'
import { emptyForm, formAfter, formOfCopy, formOfReturn } from './prefill.ts'
import { addFieldError, type Reading } from './reading.ts'
import { departureDayIn } from './times.ts'

const NEW = '/flights/new'
const JSON_TYPE = 'application/json; charset=utf-8'

/** The index of the first passenger on a page of the form. */
function firstOfPage(page: unknown, { passengers }: Flight): number {
  const first = typeof page === 'string' && /^[1-9]\d?$/.test(page) ? (Number(page) - 1) * PAGE_SIZE : 0
  return first < passengers.length ? first : 0
}

type ShownForm = FormState & { status?: number }
type NewQuery = Partial<Record<'date' | 'after' | 'return' | 'copy' | 'kept', unknown>>

/** Pages to add, edit and delete a flight, and the searches of their script. */
export async function flightPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, customFields, reference, users, activity, drafts, routes } = context
  const { records } = reference
  const lookup = referenceLookup(context)
  const pages = signedInPages(app, context)
  const sent = formIdempotency(context.memory, 'sent flight forms')
  const numbers = numberLookup(context.flightNumbers, lookup)
  const handleNewRecord = newRecords(reference, lookup)

  const definitions = (): Definitions => ({
    flight: customFields.activeFor('flight'),
    passenger: customFields.activeFor('flight_passenger'),
  })

  /** The caller, the passengers of the flight, and all users for those who may read the directory. */
  function peopleFor({ caller, texts }: Visit, stored: Flight | undefined): Person[] {
    const aboard = stored?.passengers.flatMap(({ user }) => user ?? []) ?? []
    const others = caller.permissions.has('users.directory.read') ? users.list(caller) : aboard
    const me = { id: caller.userId, displayName: texts.flightForm.personYou({ name: caller.displayName }) }
    return [me, ...others.filter(({ id }) => id !== caller.userId)]
  }

  const managesPassengers = (caller: Caller, stored: Flight | undefined): boolean =>
    permits(caller, 'flight.passengers.manage', !stored || isAboard(caller, stored))

  function show(visit: Visit, { status, ...state }: ShownForm, stored?: Flight) {
    const { caller, frame, send } = visit
    const canReadDocuments = !stored && canUseAll(caller, requiredScopes('readTravelDocument', {}))
    if (canReadDocuments) allowWebAssembly(visit.reply)
    const zoneOf = (name: string) => records.airport(Number(state.form.get(`${name}.id`)))?.timezone
    return send(
      <FlightPage
        {...frame}
        {...state}
        stored={stored}
        canReadDocuments={canReadDocuments}
        definitions={definitions()}
        author={caller.userId}
        people={peopleFor(visit, stored)}
        canManage={managesPassengers(caller, stored)}
        restorableDays={context.deletedFlights.days}
        canDelete={permits(caller, 'flight.delete', !stored || isAboard(caller, stored))}
        canCreate={(kind) => canCreateRecord(caller, kind)}
        zones={{ from: zoneOf('from'), to: zoneOf('to') }}
        // Only passengers see who added the flight (contract 16.13).
        history={stored && isAboard(caller, stored) ? activity.ofFlight(stored.id) : undefined}
      />,
      status,
    )
  }

  /** The form of a stored flight, with the version for the precondition of the update. */
  function editForm(caller: Caller, flight: Flight, first = 0): URLSearchParams {
    const form = formOfFlight(flight, definitions(), lookup, first)
    form.set('version', recordTag(jsonOf(flights.getJson(caller, flight.id))!))
    return form
  }

  function addRow(form: URLSearchParams): ShownForm {
    const row = rowCount(form)
    if (row >= MAX_ROWS) return { form }
    const { passenger } = definitions()
    showCustomValues(form, rowPrefix(row), passenger, defaultsOf(passenger), lookup)
    form.set('rows', String(row + 1))
    return { form, addedRow: row }
  }

  /** Handles the buttons that show the form again; undefined if the flight is to be saved. */
  async function handleButton(visit: Visit): Promise<ShownForm | undefined> {
    const { form } = visit
    if (form.has('more')) return addRow(form)
    if (form.has('lookUp')) return { form, found: numbers.findInForm(visit) }
    if (!form.has('take')) return handleNewRecord(visit)
    numbers.take(form)
    return { form }
  }

  function findEditable({ caller, request }: Visit<IdRequest>): Flight {
    const id = idOf(request, 'flight')
    const flight = flights.get(caller, id)
    flights.decide.update(caller, id, {})
    return flight
  }

  function showConflict(visit: Visit<IdRequest>, reading: Reading) {
    const stored = findEditable(visit)
    const current = editForm(visit.caller, stored)
    reading.form.set('version', current.get('version')!)
    return show(visit, { ...reading, status: 409, current }, stored)
  }

  interface Submission {
    stored?: Flight
    work: (body: FlightWrite) => Promise<Flight>
    done: 'added' | 'saved'
    next: (flight: Flight) => string
  }

  /** Saves the flight and redirects, or shows the form again. */
  async function submitForm(visit: Visit, { stored, work, done, next }: Submission) {
    const { caller, form } = visit
    const state = await handleButton(visit)
    if (state) return show(visit, state, stored)
    const givenDay = fieldOf(form, 'arrival.day')
    const reading: Reading = {
      caller,
      form,
      fieldErrors: {},
      choices: {},
      lookup,
      texts: visit.texts.flightForm,
      pageTexts: visit.texts,
    }
    const withPassengers = managesPassengers(caller, stored) || !stored
    const sources = { definitions: definitions(), records, stored, withPassengers }
    const { body, rows } = await readFlight(reading, sources)
    let flight: Flight | undefined
    try {
      flight = body && (await work(body))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'precondition_failed' && stored) return showConflict(visit as Visit<IdRequest>, reading)
      if (error.code === 'validation_failed') addBodyErrors(reading, error.details ?? [], rows)
      // The required permission depends on the passengers, which the form can change.
      else if (error.code === 'forbidden' && withPassengers)
        addFieldError(reading, 'passengers', errorText(error, visit.texts))
      else throw error
    }
    if (flight) {
      drafts.remove(visit.request)
      return visit.back(next(flight), savedNotice(visit, flight, done, givenDay))
    }
    // Suggests flights if only the number is filled in.
    const lacksAirport = reading.fieldErrors.from !== undefined || reading.fieldErrors.to !== undefined
    const found = lacksAirport ? numbers.findInForm(visit) : []
    return show(visit, { ...reading, status: 422, ...(found.length > 0 && { found }) }, stored)
  }

  /** Includes the day of arrival if it was worked out. */
  function savedNotice(visit: Visit, { from, to }: Flight, done: Submission['done'], givenDay: string): string {
    const { form, formats, texts } = visit
    const day = fieldOf(form, 'arrival.day')
    const sentence = texts.flightForm[done]({ from: codeOf(from), to: codeOf(to) })
    return day === givenDay ? sentence : `${sentence} ${arrivalDayNote(departureDayIn(form), day, formats, texts)}`
  }

  /** Flights may have long texts, but a request without a session only has the size of a draft. */
  const longForm = {
    bodyLimit: MAX_LONG_FORM_BYTES,
    onRequest: async (request: FastifyRequest) => {
      const isShort = Number(request.headers['content-length'] ?? Infinity) <= MAX_DRAFT_BYTES
      if (!hasSession(request) && !isShort) throw new SignInNeeded(routes.pageOfForm(request.url))
    },
  }

  /** Saves the form as a draft if the session has expired. */
  function visitWithForm<Route extends RouteGenericInterface>(request: FastifyRequest<Route>, reply: FastifyReply) {
    const caller = callerOf(request)
    if (!caller) throw new SignInNeeded(drafts.save(request, routes.pageOfForm(request.url), formOf(request)))
    requireCsrf(request)
    return visitOf(context, request, reply, caller)
  }

  const draftOf = ({ request, caller }: Visit<DraftRequest>) =>
    request.query.kept === '1' ? drafts.find(request, routes.pageOfForm(request.url), caller.userId) : undefined

  function newForm(visit: Visit<{ Querystring: NewQuery }>): URLSearchParams {
    const { caller, request } = visit
    const { after, return: outbound, copy, date } = request.query
    const sources = { caller, definitions: definitions(), lookup }
    const source = [after, outbound, copy].find((id) => id !== undefined)
    if (source === undefined) return emptyForm(sources, date)
    const flight = flights.get(caller, idIn(source, 'flight'))
    if (after !== undefined) return formAfter(sources, flight)
    const people = new Set(peopleFor(visit, undefined).map(({ id }) => id))
    const canAdd = managesPassengers(caller, undefined) ? (id: string) => people.has(id) : undefined
    return outbound === undefined ? formOfCopy(sources, flight, canAdd) : formOfReturn(sources, flight, canAdd)
  }

  pages.get<{ Querystring: NewQuery }>(NEW, (visit) => {
    flights.decide.create(visit.caller, {})
    return show(visit, { form: draftOf(visit) ?? newForm(visit) })
  })

  app.post(NEW, longForm, async (request, reply) => {
    const visit = visitWithForm(request, reply)
    const { caller, form } = visit
    flights.decide.create(caller, {})
    const key = sent.keyOf(caller, form)
    const get = (id: number) => flights.get(caller, id)
    return submitForm(visit, {
      work: (body) => sent.once(visit.texts, key, get, (created) => flights.create(caller, body, created)),
      done: 'added',
      next: ({ id }) => (fieldOf(form, 'follow') === 'another' ? `${NEW}?after=${id}` : '/'),
    })
  })

  // Only these pages accept files.
  await app.register((scope) => documentPages(scope, context, { longForm, visitWithForm, draftOf, lookup }))

  pages.get<IdRequest & { Querystring: { part?: unknown; kept?: unknown } }>('/flights/:id/edit', (visit) => {
    const flight = findEditable(visit)
    const first = firstOfPage(visit.request.query.part, flight)
    return show(visit, { form: draftOf(visit) ?? editForm(visit.caller, flight, first) }, flight)
  })

  app.post<IdRequest>('/flights/:id/edit', longForm, async (request, reply) => {
    const visit = visitWithForm(request, reply)
    const { caller, form } = visit
    const stored = findEditable(visit)
    return submitForm(visit, {
      stored,
      work: (body) => flights.update(caller, stored.id, body, formPrecondition(form.get('version'))),
      done: 'saved',
      // The caller may no longer see the flight after leaving its passengers.
      next: (flight) => (permits(caller, 'flight.read', isAboard(caller, flight)) ? `/flights/${flight.id}` : '/'),
    })
  })

  pages.post<IdRequest>('/flights/:id/delete', async ({ caller, request, texts, back }) => {
    const id = idOf(request, 'flight')
    await flights.remove(caller, id)
    const undo = context.deletedFlights.isRestorable(caller, id) && { undo: `/settings/deleted/${id}/restore` }
    return back('/', { text: texts.flightForm.deleted, ...undo })
  })

  for (const [kind, path] of [
    ['airport', 'airports'],
    ['airline', 'airlines'],
    ['aircraft', 'aircraft'],
  ] as const) {
    pages.get<{ Querystring: { q?: unknown } }>(`/search/${path}`, async ({ caller, request, reply, texts }) => {
      const { q = '' } = request.query
      reply.type(JSON_TYPE)
      const found = await lookup.search(caller, kind, String(q))
      return JSON.stringify(
        found.map((option) => {
          const { place: _place, codes: _codes, ...rest } = option
          return { ...rest, detail: detailOf(option, texts) }
        }),
      )
    })
  }

  type NumberQuery = { Querystring: { number?: unknown; date?: unknown } }
  pages.get<NumberQuery>('/search/flight-numbers', (visit) => {
    const { number = '', date = '' } = visit.request.query
    visit.reply.type(JSON_TYPE)
    return JSON.stringify(numbers.find(visit, String(number), String(date)))
  })
}
