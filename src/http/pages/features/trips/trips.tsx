import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { ShareWrite } from '../../../../domain/shares/contract.ts'
import { type Trip, TripWrite } from '../../../../domain/trips/contract.ts'
import { DAY_MS, dayOf, daysBetween } from '../../../../lib/dates.ts'
import { AppError } from '../../../../lib/errors.ts'
import { bulkActionsOf } from '../../components/bulk-form.tsx'
import { readSort } from '../../components/log-address.ts'
import type { PageContext } from '../../framework/context.ts'
import { fieldOf } from '../../framework/form.ts'
import { attempt, emptyForm, type FormErrors, readForm, submit } from '../../framework/forms.ts'
import { allowSources } from '../../framework/headers.ts'
import { type IdRequest, idOf, signedInPages, type Visit } from '../../framework/signed-in.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { userDrawing } from '../../maps/maps.ts'
import { EditTripPage, PATH, type TripEntries, TripsPage, tripSpecs } from './trip-list.tsx'
import { TRAVEL_ORDER, TripPage } from './trip-page.tsx'

const PAGE_SIZE = 24
/** Flights that are offered for a trip are at most this far from its dates. */
const NEAR_DAYS = 60

const canEdit = ({ permissions }: Caller) => permissions.has('flight.update.own')

const idsIn = (texts: readonly string[]) =>
  texts.flatMap((text) => text.split(',')).flatMap((text) => (/^[1-9]\d{0,14}$/.test(text) ? [Number(text)] : []))

const entriesOf = ({ name, note }: Pick<Trip, 'name' | 'note'>): TripEntries => ({ name, note: note ?? '' })

const bodyOf = ({ name, note }: TripEntries) => ({ name, note: note.trim() === '' ? null : note })

function nearby({ dateFrom, dateTo }: Trip) {
  if (dateFrom === null || dateTo === null) return {}
  const day = (date: string, days: number) => dayOf(Date.parse(date) + days * DAY_MS)
  return { dateFrom: day(dateFrom, -NEAR_DAYS), dateTo: day(dateTo, NEAR_DAYS) }
}

/** The days between the trip and a flight before or after it; 0 for a trip without dates. */
function daysApart({ dateFrom, dateTo }: Trip, date: string): number {
  if (dateFrom === null || dateTo === null) return 0
  return Math.max(0, daysBetween(date, dateFrom) ?? 0, daysBetween(dateTo, date) ?? 0)
}

export async function tripPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { trips, flights, shares, mapOf } = context
  const pages = signedInPages(app, context, 'flight.read.own')

  async function showList(visit: Visit, entries?: TripEntries, refused?: FormErrors) {
    const { caller, request, texts } = visit
    const { cursor } = request.query as { cursor?: unknown }
    const isFirst = typeof cursor !== 'string'
    const query = { limit: PAGE_SIZE, ...(!isFirst && { cursor }) }
    const { data, page } = await trips.listWithRoutes(caller, query)
    // Loaded on demand to keep the start fast.
    const { worldCountries, worldWindows } = await import('../../maps/world.ts')
    const maps = await worldWindows(data.map(({ routes }) => routes))
    return visit.send(
      <TripsPage
        {...visit.frame}
        trips={data.map(({ trip }, index) => ({ trip, map: maps[index] }))}
        shapes={data.length > 0 ? await worldCountries() : []}
        suggestions={isFirst && canEdit(caller) ? await trips.suggest(caller) : []}
        nextCursor={page.nextCursor}
        isFirst={isFirst}
        canEdit={canEdit(caller)}
        entries={entries ?? emptyForm(tripSpecs(texts.trips))}
        fieldErrors={refused?.fieldErrors ?? {}}
      />,
      refused?.status,
    )
  }

  pages.get(PATH, (visit) => showList(visit))

  pages.post(PATH, (visit) => {
    const { caller, form, texts, back } = visit
    const entries = readForm(tripSpecs(texts.trips), form)
    return submit({
      texts,
      schema: TripWrite,
      body: { ...bodyOf(entries), flightIds: idsIn(form.getAll('flightIds')) },
      work: (body) => trips.create(caller, body),
      again: (refused) => showList(visit, entries, refused),
      done: ({ id }) => back(`${PATH}/${id}`, texts.trips.created),
    })
  })

  pages.get<IdRequest>(`${PATH}/:id`, async ({ caller, request, reply, frame, send }) => {
    const trip = trips.get(caller, idOf(request, 'trip'))
    const filter = { tripId: [trip.id] }
    const sort = readSort(request.query, TRAVEL_ORDER)
    const { page } = request.query as { page?: unknown }
    const log = await flights.logPage(caller, filter, Number(page), sort)
    const map = trip.flights > 0 ? await userDrawing(await mapOf(caller, filter), mapChoice(request)) : undefined
    const near = { tripId: ['none' as const], ...nearby(trip) }
    const loose = canEdit(caller) ? (await flights.logPage(caller, near, 1)).lines : []
    const mayShare = caller.permissions.has('flight.share.own')
    allowSources(reply, 'worker')
    return send(
      <TripPage
        {...frame}
        {...{ trip, log, map }}
        bulk={bulkActionsOf(
          caller,
          context,
          trips.names(caller).map(({ id, name }) => ({ value: String(id), label: name })),
        )}
        shares={mayShare ? shares.list(caller).filter(({ tripId }) => tripId === trip.id) : []}
        loose={loose.toSorted((a, b) => daysApart(trip, a.date) - daysApart(trip, b.date))}
        can={{ edit: canEdit(caller), share: mayShare }}
      />,
    )
  })

  pages.post<IdRequest>(`${PATH}/:id`, async ({ caller, request, form, texts, back }) => {
    const id = idOf(request, 'trip')
    const chosen = idsIn(form.getAll('flightIds'))
    const path = `${PATH}/${id}`
    if (chosen.length === 0) return back(path, { text: texts.trips.chooseFlights, isWarning: true })
    await trips.addFlights(caller, chosen, id)
    return back(path, texts.trips.flightsAdded)
  })

  const showForm =
    (visit: Visit<IdRequest>, trip: Trip) =>
    (entries: TripEntries = entriesOf(trip), { status, fieldErrors = {} }: Partial<FormErrors> = {}) =>
      visit.send(<EditTripPage {...visit.frame} {...{ trip, entries, fieldErrors }} />, status)

  pages.get<IdRequest>(`${PATH}/:id/edit`, (visit) =>
    showForm(visit, trips.get(visit.caller, idOf(visit.request, 'trip')))(),
  )

  pages.post<IdRequest>(`${PATH}/:id/edit`, (visit) => {
    const { caller, form, texts, back } = visit
    const trip = trips.get(caller, idOf(visit.request, 'trip'))
    const entries = readForm(tripSpecs(texts.trips), form)
    return submit({
      texts,
      schema: TripWrite,
      body: bodyOf(entries),
      work: (body) => trips.update(caller, trip.id, body),
      again: (refused) => showForm(visit, trip)(entries, refused),
      done: () => back(`${PATH}/${trip.id}`, texts.trips.changed),
    })
  })

  pages.post<IdRequest>(`${PATH}/:id/delete`, async ({ caller, request, texts, back }) => {
    await trips.remove(caller, idOf(request, 'trip'))
    return back(PATH, texts.trips.deleted)
  })

  pages.post<IdRequest>(`${PATH}/:id/share`, ({ caller, request, texts, back }) => {
    const { id } = trips.get(caller, idOf(request, 'trip'))
    return attempt({
      texts,
      work: () => shares.create(caller, ShareWrite.parse({ tripId: id, showFlightList: true, showStats: true })),
      again: ({ status, fieldErrors }) => {
        throw new AppError(status === 409 ? 'conflict' : 'forbidden', Object.values(fieldErrors).join(' '))
      },
      done: ({ url }) => back(`${PATH}/${id}`, texts.trips.shared({ url })),
    })
  })

  /** The form of the flight page; an empty trip takes the flight out of its trip. */
  pages.post<IdRequest>('/flights/:id/trip', async ({ caller, request, form, texts, back }) => {
    const id = idOf(request, 'flight')
    const [tripId = null] = idsIn([fieldOf(form, 'trip')])
    if (tripId === null) await trips.removeFlight(caller, id)
    else await trips.addFlights(caller, [id], tripId)
    return back(`/flights/${id}`, tripId === null ? texts.trips.removed : texts.trips.moved)
  })
}
