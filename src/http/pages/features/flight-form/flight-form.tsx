import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { jsonOf } from '../../../../contract/answer.ts'
import type { Flight } from '../../../../domain/flights/contract.ts'
import { isAboard, permits } from '../../../../domain/flights/query/visible.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { AppError } from '../../../../lib/errors.ts'
import { formPrecondition, recordTag } from '../../../shared/etag.ts'
import { arrivalDayNote } from '../../components/clocks.tsx'
import { lookup as referenceLookup } from '../../components/lookup.ts'
import type { PageContext } from '../../framework/context.ts'
import { requireCsrf } from '../../framework/csrf.ts'
import { fieldOf, formOf, MAX_LONG_FORM_BYTES } from '../../framework/form.ts'
import { MAX_DRAFT_BYTES } from '../../framework/form-drafts.ts'
import { formIdempotency } from '../../framework/form-idempotency.ts'
import { callerOf, hasSession, SignInNeeded } from '../../framework/session.ts'
import { type IdRequest, idIn, idOf, signedInPages, type Visit, visitOf } from '../../framework/signed-in.ts'
import { type Definitions, readFlight, shownFlight, tellFaults } from './flight.ts'
import { FlightPage, type Person } from './form-page.tsx'
import { mayMake } from './new-record.ts'
import { numberLookup } from './numbers.ts'
import { emptyForm, formAfter, formOfCopy, formOfReturn } from './prefill.ts'
import { fault, type Reading } from './reading.ts'
import { formSteps, type Shown } from './steps.ts'
import { departureDayIn } from './times.ts'
import { SHOWN_AT_ONCE } from './travellers.ts'

const NEW = '/flights/new'

/** Parts of a long list of travellers count from 1; anything else is the first part. */
function firstOfPart(part: unknown, { passengers }: Flight): number {
  const first = typeof part === 'string' && /^[1-9]\d?$/.test(part) ? (Number(part) - 1) * SHOWN_AT_ONCE : 0
  return first < passengers.length ? first : 0
}

type NewQuery = Partial<Record<'date' | 'after' | 'return' | 'copy' | 'kept', unknown>>

/** Pages to add, edit and delete a flight. */
export async function flightPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, customFields, reference, users, activity, drafts, routes } = context
  const { records } = reference
  const lookup = referenceLookup(context)
  const pages = signedInPages(app, context)

  const definitions = (): Definitions => ({
    flight: customFields.activeFor('flight'),
    passenger: customFields.activeFor('flight_passenger'),
  })

  const sent = formIdempotency(context.memory, 'sent flight forms')
  const numbers = numberLookup(context.flightNumbers, lookup)
  const formStep = formSteps({ reference, lookup, numbers, definitions })

  /** The caller, the passengers of the flight, and all users for those who may read the directory. */
  function peopleFor(caller: Caller, stored: Flight | undefined): Person[] {
    const aboard = stored?.passengers.flatMap(({ user }) => user ?? []) ?? []
    const others = caller.permissions.has('users.directory.read') ? users.list(caller) : aboard
    const me = { id: caller.userId, displayName: `${caller.displayName} (you)` }
    return [me, ...others.filter(({ id }) => id !== caller.userId)]
  }

  const managesTravellers = (caller: Caller, stored: Flight | undefined): boolean =>
    permits(caller, 'flight.passengers.manage', !stored || isAboard(caller, stored))

  function show({ caller, frame, send }: Visit, shown: Shown, stored?: Flight) {
    const { status, faults = {}, choices = {}, form, addedRow, now, making, found } = shown
    const zoneOf = (name: string) => records.airport(Number(form.get(`${name}.id`)))?.timezone
    return send(
      <FlightPage
        {...frame}
        stored={stored}
        form={form}
        faults={faults}
        choices={choices}
        definitions={definitions()}
        author={caller.userId}
        people={peopleFor(caller, stored)}
        manages={managesTravellers(caller, stored)}
        deletable={permits(caller, 'flight.delete', !stored || isAboard(caller, stored))}
        addedRow={addedRow}
        making={making}
        found={found}
        makes={(kind) => mayMake(caller, kind)}
        zones={{ from: zoneOf('from'), to: zoneOf('to') }}
        // Only passengers see who added the flight (contract 16.13).
        history={stored && isAboard(caller, stored) ? activity.ofFlight(stored.id) : undefined}
        now={now}
      />,
      status,
    )
  }

  /** The fields of the form, with the version for the precondition of the update. */
  function fieldsOf(caller: Caller, flight: Flight, first = 0): URLSearchParams {
    const form = shownFlight(flight, definitions(), lookup, first)
    form.set('version', recordTag(jsonOf(flights.getJson(caller, flight.id))!))
    return form
  }

  /** Shows the typed values beside those that another request has stored meanwhile. */
  function showConflict(visit: Visit<IdRequest>, reading: Reading) {
    const stored = changeable(visit)
    const now = fieldsOf(visit.caller, stored)
    reading.form.set('version', now.get('version')!)
    return show(visit, { ...reading, status: 409, now }, stored)
  }

  /** Saves the flight, or sends the form again with what is wrong and returns undefined. */
  async function save(
    visit: Visit,
    stored: Flight | undefined,
    work: (body: NonNullable<Awaited<ReturnType<typeof readFlight>>['body']>) => Promise<Flight>,
  ): Promise<Flight | undefined> {
    const { caller, form, request } = visit
    const reading: Reading = { caller, form, faults: {}, choices: {}, lookup }
    const withTravellers = managesTravellers(caller, stored) || !stored
    const sources = { definitions: definitions(), records, stored, withTravellers }
    const { body, rows } = await readFlight(reading, sources)
    if (body) {
      try {
        const flight = await work(body)
        drafts.remove(request)
        return flight
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'validation_failed') tellFaults(reading, error.details ?? [], rows)
        // The passengers decide which permission is needed, and can be changed in the form.
        else if (error.code === 'forbidden' && withTravellers) fault(reading, 'passengers', error.message)
        else if (error.code === 'precondition_failed' && stored) {
          showConflict(visit as Visit<IdRequest>, reading)
          return undefined
        } else throw error
      }
    }
    // A form with only a flight number gets suggestions for it.
    const isAsked = reading.faults.from !== undefined || reading.faults.to !== undefined
    const found = isAsked ? numbers.inForm(caller, reading.form) : []
    show(visit, { ...reading, status: 422, ...(found.length > 0 && { found }) }, stored)
    return undefined
  }

  /** Adds the day of arrival if it was worked out. */
  function savedNotice(visit: Visit, { from, to }: Flight, done: string, givenDay: string): string {
    const { form } = visit
    const day = fieldOf(form, 'arrival.day')
    const sentence = `The flight from ${codeOf(from)} to ${codeOf(to)} was ${done}.`
    return day === givenDay ? sentence : `${sentence} ${arrivalDayNote(departureDayIn(form), day, visit.formats)}`
  }

  /** Flights may have long texts, but without a session no more is read than a draft may have. */
  const longForm = {
    bodyLimit: MAX_LONG_FORM_BYTES,
    onRequest: async (request: FastifyRequest) => {
      const isShort = Number(request.headers['content-length'] ?? Infinity) <= MAX_DRAFT_BYTES
      if (!hasSession(request) && !isShort) throw new SignInNeeded(routes.pageOfForm(request.url))
    },
  }

  /** If the session has expired, the form is kept as a draft until the sign-in. */
  function visitWithForm<Route extends RouteGenericInterface>(request: FastifyRequest<Route>, reply: FastifyReply) {
    const caller = callerOf(request)
    if (!caller) throw new SignInNeeded(drafts.save(request, routes.pageOfForm(request.url), formOf(request)))
    requireCsrf(request)
    return visitOf(context, request, reply, caller)
  }

  const draftOf = ({ request, caller }: Visit<{ Querystring: { kept?: unknown } }>) =>
    request.query.kept === '1' ? drafts.find(request, routes.pageOfForm(request.url), caller.userId) : undefined

  /** An empty form, or one prefilled from another flight. */
  function firstForm(caller: Caller, { after, return: back, copy, date }: NewQuery): URLSearchParams {
    const parts = { caller, definitions: definitions(), lookup }
    const named = [after, back, copy].find((id) => id !== undefined)
    if (named === undefined) return emptyForm(parts, date)
    const flight = flights.get(caller, idIn(named, 'flight'))
    if (after !== undefined) return formAfter(parts, flight)
    const people = new Set(peopleFor(caller, undefined).map(({ id }) => id))
    const travellers = managesTravellers(caller, undefined) ? (id: string) => people.has(id) : undefined
    return back === undefined ? formOfCopy(parts, flight, travellers) : formOfReturn(parts, flight, travellers)
  }

  pages.get<{ Querystring: NewQuery }>(NEW, (visit) => {
    const { caller, request } = visit
    flights.decide.create(caller, {})
    return show(visit, { form: draftOf(visit) ?? firstForm(caller, request.query) })
  })

  app.post(NEW, longForm, async (request, reply) => {
    const visit = visitWithForm(request, reply)
    const { caller, form } = visit
    flights.decide.create(caller, {})
    const step = await formStep(caller, form)
    if (step) return show(visit, step)
    const key = sent.keyOf(caller, form)
    const givenDay = fieldOf(form, 'arrival.day')
    const get = (id: number) => flights.get(caller, id)
    const flight = await save(visit, undefined, (body) =>
      sent.once(key, get, (created) => flights.create(caller, body, created)),
    )
    if (!flight) return reply
    const next = fieldOf(form, 'follow') === 'another' ? `${NEW}?after=${flight.id}` : '/'
    return visit.back(next, savedNotice(visit, flight, 'added', givenDay))
  })

  function changeable({ caller, request }: Visit<IdRequest>): Flight {
    const id = idOf(request, 'flight')
    const flight = flights.get(caller, id)
    flights.decide.update(caller, id, {})
    return flight
  }

  pages.get<IdRequest & { Querystring: { part?: unknown; kept?: unknown } }>('/flights/:id/edit', (visit) => {
    const flight = changeable(visit)
    const first = firstOfPart(visit.request.query.part, flight)
    return show(visit, { form: draftOf(visit) ?? fieldsOf(visit.caller, flight, first) }, flight)
  })

  app.post<IdRequest>('/flights/:id/edit', longForm, async (request, reply) => {
    const visit = visitWithForm(request, reply)
    const { caller, form } = visit
    const stored = changeable(visit)
    const step = await formStep(caller, form)
    if (step) return show(visit, step, stored)
    const givenDay = fieldOf(form, 'arrival.day')
    const flight = await save(visit, stored, (body) =>
      flights.update(caller, stored.id, body, formPrecondition(form.get('version'))),
    )
    if (!flight) return reply
    // Without the caller among its passengers, the flight may no longer be visible.
    const isSeen = permits(caller, 'flight.read', isAboard(caller, flight))
    const next = isSeen ? `/flights/${flight.id}` : '/'
    return visit.back(next, savedNotice(visit, flight, 'saved', givenDay))
  })

  pages.post<IdRequest>('/flights/:id/delete', async ({ caller, request, back }) => {
    await flights.remove(caller, idOf(request, 'flight'))
    return back('/', 'The flight was deleted.')
  })
}
