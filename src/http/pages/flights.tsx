import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { jsonOf } from '../../contract/answer.ts'
import type { Flight } from '../../domain/flights/contract.ts'
import { isAboard, permits } from '../../domain/flights/visible.ts'
import { codeOf } from '../../domain/reference/contract.ts'
import { AppError } from '../../lib/errors.ts'
import { formPrecondition, recordTag } from '../shared/etag.ts'
import type { PageContext } from './context.ts'
import { requireCsrf } from './csrf.ts'
import { type Definitions, readFlight, shownFlight, tellFaults } from './flight-form/flight.ts'
import { lookup as referenceLookup } from './flight-form/lookup.ts'
import { mayMake } from './flight-form/new-record.ts'
import { numberLookup } from './flight-form/numbers.ts'
import { emptyForm, formAfter, formOfCopy, formOfReturn } from './flight-form/prefill.ts'
import { fault, type Reading } from './flight-form/reading.ts'
import { formSteps, type Shown } from './flight-form/steps.ts'
import { departureDayIn } from './flight-form/times.ts'
import { SHOWN_AT_ONCE } from './flight-form/travellers.ts'
import { fieldOf, formOf, LONG_FORM_BYTES } from './form.ts'
import { pageFormats } from './formats.ts'
import { MOST_KEPT_BYTES } from './kept-forms.ts'
import { sentForms } from './sent-forms.ts'
import { callerOf, hasSession, requireCaller, SignInNeeded } from './session.ts'
import { type IdRequest, idIn, idOf, pageBelow, signedInPages } from './signed-in.ts'
import { arrivalDayNote } from './views/clocks.tsx'
import { FlightPage, type Person } from './views/flight-page.tsx'
import { sendPage } from './views/layout.tsx'

const NEW = '/flights/new'

/** Parts of a long list of travellers count from 1; whatever is no part is the first. */
function firstOfPart(part: unknown, { passengers }: Flight): number {
  const first = typeof part === 'string' && /^[1-9]\d?$/.test(part) ? (Number(part) - 1) * SHOWN_AT_ONCE : 0
  return first < passengers.length ? first : 0
}

type NewQuery = Partial<Record<'date' | 'after' | 'return' | 'copy' | 'kept', unknown>>

/** A path, or what makes it of a request. */
type Page = string | ((request: FastifyRequest<IdRequest>) => string)

/** Add, change and delete a flight, by the same services as v1. */
export async function flightPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, customFields, reference, users, activity, keptForms } = context
  const { records } = reference
  const lookup = referenceLookup(context)
  const { frame, requireForm, back } = signedInPages(context)

  const definitions = (): Definitions => ({
    flight: customFields.activeFor('flight'),
    passenger: customFields.activeFor('flight_passenger'),
  })

  const sent = sentForms(context.memory, 'sent flight forms')
  const numbers = numberLookup(context.flightNumbers, lookup)
  const formStep = formSteps({ reference, lookup, numbers, definitions })

  /** Whom the form can name: oneself, whoever is on the flight, and everybody for those who may see the directory. */
  function peopleFor(caller: Caller, stored: Flight | undefined): Person[] {
    const aboard = stored?.passengers.flatMap(({ user }) => user ?? []) ?? []
    const others = caller.permissions.has('users.directory.read') ? users.list(caller) : aboard
    const me = { id: caller.userId, displayName: `${caller.displayName} (you)` }
    return [me, ...others.filter(({ id }) => id !== caller.userId)]
  }

  /** Whether the role lets the caller change who is on the flight; a new one is the caller's own. */
  const managesTravellers = (caller: Caller, stored: Flight | undefined): boolean =>
    permits(caller, 'flight.passengers.manage', !stored || isAboard(caller, stored))

  function show(request: FastifyRequest, reply: FastifyReply, caller: Caller, shown: Shown, stored?: Flight) {
    const { status = 200, faults = {}, choices = {}, form, addedRow, now, making, found } = shown
    const zoneOf = (name: string) => records.airport(Number(form.get(`${name}.id`)))?.timezone
    return sendPage(
      reply,
      status,
      <FlightPage
        {...frame(request, caller)}
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
        // Whoever was on it may know who wrote it down; nobody else is named here (contract 16.13).
        history={stored && isAboard(caller, stored) ? activity.ofFlight(stored.id) : undefined}
        now={now}
      />,
    )
  }

  /** The flight as fields, with the version that they show, which comes back with the form. */
  function fieldsOf(caller: Caller, flight: Flight, first = 0): URLSearchParams {
    const form = shownFlight(flight, definitions(), lookup, first)
    form.set('version', recordTag(jsonOf(flights.getJson(caller, flight.id))!))
    return form
  }

  /** Somebody else was faster: what was typed, beside what is stored now. Whoever saves that has seen both. */
  function showBoth(request: FastifyRequest, reply: FastifyReply, caller: Caller, reading: Reading): undefined {
    const stored = changeable(request as FastifyRequest<IdRequest>, caller)
    const now = fieldsOf(caller, stored)
    reading.form.set('version', now.get('version')!)
    show(request, reply, caller, { ...reading, status: 409, now }, stored)
  }

  /** Saves by the work given, or shows what is wrong beside its field. */
  async function save(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    stored: Flight | undefined,
    work: (body: NonNullable<Awaited<ReturnType<typeof readFlight>>['body']>) => Promise<Flight>,
  ): Promise<Flight | undefined> {
    const reading: Reading = { caller, form: formOf(request), faults: {}, choices: {}, lookup }
    const withTravellers = managesTravellers(caller, stored) || !stored
    const sources = { definitions: definitions(), records, stored, withTravellers }
    const { body, rows } = await readFlight(reading, sources)
    if (body) {
      try {
        const flight = await work(body)
        keptForms.forget(request)
        return flight
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'validation_failed') tellFaults(reading, error.details ?? [], rows)
        // Who is on the flight decides what the role must permit; that can still be changed here.
        else if (error.code === 'forbidden' && withTravellers) fault(reading, 'passengers', error.message)
        else if (error.code === 'precondition_failed' && stored) return showBoth(request, reply, caller, reading)
        else throw error
      }
    }
    // Whoever has typed no more than a number is asked what it stands for.
    const isAsked = reading.faults.from !== undefined || reading.faults.to !== undefined
    const found = isAsked ? numbers.inForm(caller, reading.form) : []
    show(request, reply, caller, { ...reading, status: 422, ...(found.length > 0 && { found }) }, stored)
    return undefined
  }

  /** What was done, and the day of arrival where nobody has named it. */
  function told(request: FastifyRequest, caller: Caller, { from, to }: Flight, done: string, givenDay: string): string {
    const form = formOf(request)
    const day = fieldOf(form, 'arrival.day')
    const sentence = `The flight from ${codeOf(from)} to ${codeOf(to)} was ${done}.`
    if (day === givenDay) return sentence
    const formats = pageFormats(context.preferences.of(caller.userId), request.headers['accept-language'])
    return `${sentence} ${arrivalDayNote(departureDayIn(form), day, formats)}`
  }

  const pageOf = (request: FastifyRequest<IdRequest>) => `${pageBelow('/flights', request)}/edit`

  const pathOf = (page: Page, request: FastifyRequest) =>
    context.basePath + (typeof page === 'string' ? page : page(request as FastifyRequest<IdRequest>))

  /** A flight may have long texts; of what somebody sends who is not signed in, no more is read than can be kept. */
  const longForm = (page: Page) => ({
    bodyLimit: LONG_FORM_BYTES,
    onRequest: async (request: FastifyRequest) => {
      const isShort = Number(request.headers['content-length'] ?? Infinity) <= MOST_KEPT_BYTES
      if (!hasSession(request) && !isShort) throw new SignInNeeded(pathOf(page, request))
    },
  })

  /** Whoever sends a form; where the session has ended, what was typed waits for the sign-in. */
  function sender(request: FastifyRequest, page: Page): Caller {
    const caller = callerOf(request)
    if (!caller) throw new SignInNeeded(keptForms.leave(request, pathOf(page, request), formOf(request)))
    requireCsrf(request)
    return caller
  }

  const keptOf = (request: FastifyRequest<{ Querystring: { kept?: unknown } }>, page: Page, { userId }: Caller) =>
    request.query.kept === '1' ? keptForms.of(request, pathOf(page, request), userId) : undefined

  /** What a new form begins with: nothing, or a flight that it goes on from. */
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

  app.get<{ Querystring: NewQuery }>(NEW, async (request, reply) => {
    const caller = requireCaller(request)
    flights.decide.create(caller, {})
    return show(request, reply, caller, { form: keptOf(request, NEW, caller) ?? firstForm(caller, request.query) })
  })

  app.post(NEW, longForm(NEW), async (request, reply) => {
    const caller = sender(request, NEW)
    flights.decide.create(caller, {})
    const form = formOf(request)
    const step = await formStep(caller, form)
    if (step) return show(request, reply, caller, step)
    const key = sent.keyOf(caller, form)
    const givenDay = fieldOf(form, 'arrival.day')
    const get = (id: number) => flights.get(caller, id)
    const flight = await save(request, reply, caller, undefined, (body) =>
      sent.once(key, get, (created) => flights.create(caller, body, created)),
    )
    if (!flight) return reply
    const next = fieldOf(form, 'follow') === 'another' ? `${NEW}?after=${flight.id}` : '/'
    return back(request, reply, next, told(request, caller, flight, 'added', givenDay))
  })

  /** The flight, for those who may change it; the same refusals as in v1. */
  function changeable(request: FastifyRequest<IdRequest>, caller: Caller): Flight {
    const id = idOf(request, 'flight')
    const flight = flights.get(caller, id)
    flights.decide.update(caller, id, {})
    return flight
  }

  app.get<IdRequest & { Querystring: { part?: unknown; kept?: unknown } }>(
    '/flights/:id/edit',
    async (request, reply) => {
      const caller = requireCaller(request)
      const flight = changeable(request, caller)
      const first = firstOfPart(request.query.part, flight)
      const form = keptOf(request, pageOf, caller) ?? fieldsOf(caller, flight, first)
      return show(request, reply, caller, { form }, flight)
    },
  )

  app.post<IdRequest>('/flights/:id/edit', longForm(pageOf), async (request, reply) => {
    const caller = sender(request, pageOf)
    const stored = changeable(request, caller)
    const form = formOf(request)
    const step = await formStep(caller, form)
    if (step) return show(request, reply, caller, step, stored)
    const givenDay = fieldOf(form, 'arrival.day')
    const flight = await save(request, reply, caller, stored, (body) =>
      flights.update(caller, stored.id, body, formPrecondition(form.get('version'))),
    )
    if (!flight) return reply
    // Whoever took oneself off the flight may no longer see it.
    const isSeen = permits(caller, 'flight.read', isAboard(caller, flight))
    const next = isSeen ? `/flights/${flight.id}` : '/'
    return back(request, reply, next, told(request, caller, flight, 'saved', givenDay))
  })

  app.post<IdRequest>('/flights/:id/delete', async (request, reply) => {
    const caller = requireForm(request, pageOf(request))
    await flights.remove(caller, idOf(request, 'flight'))
    return back(request, reply, '/', 'The flight was deleted.')
  })
}
