import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { jsonOf } from '../../contract/answer.ts'
import { type Flight, FlightWrite } from '../../domain/flights/contract.ts'
import { isAboard, permits } from '../../domain/flights/visible.ts'
import { conflict } from '../../lib/errors.ts'
import { formPrecondition, recordTag } from '../shared/etag.ts'
import type { PageContext } from './context.ts'
import { flightMaps } from './flight-map.ts'
import { alsoAllow } from './headers.ts'
import { requireCaller } from './session.ts'
import { type IdRequest, idOf, pageBelow, signedInPages } from './signed-in.ts'
import { FlightDetailsPage } from './views/flight-details.tsx'
import { sendPage } from './views/layout.tsx'

/** Planned times that nobody has replaced by what happened; from the day of departure on that can be said at once. */
function canBeConfirmed(flight: Flight, days: number): boolean {
  const { departure, arrival, departureScheduled, arrivalScheduled } = flight
  const isOpen = departure === null && arrival === null && departureScheduled !== null && arrivalScheduled !== null
  return isOpen && flight.datePrecision === 'day' && days <= 0
}

/** One flight, to read. */
export async function flightDetails(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, activity, customFields, reference } = context
  const maps = flightMaps(context)
  const { frame, requireForm, back } = signedInPages(context)

  async function show(request: FastifyRequest<IdRequest>, caller: Caller) {
    const flight = flights.get(caller, idOf(request, 'flight'))
    const aboard = isAboard(caller, flight)
    const change = permits(caller, 'flight.update', aboard)
    const { isPlanned, days } = flights.outlook(flight)
    const page = frame(request, caller)
    return (
      <FlightDetailsPage
        {...page}
        flight={flight}
        me={caller.userId}
        map={await maps.drawing(flight, page.formats)}
        planned={isPlanned ? { days } : undefined}
        rights={{
          change,
          confirm: change && canBeConfirmed(flight, days),
          remove: permits(caller, 'flight.delete', aboard),
          add: caller.permissions.has('flight.create.own'),
        }}
        definitions={{
          flight: customFields.activeFor('flight'),
          passenger: customFields.activeFor('flight_passenger'),
        }}
        records={reference.records}
        // Whoever was on it may know who wrote it down; nobody else is named here (contract 16.13).
        history={aboard ? activity.ofFlight(flight.id) : undefined}
      />
    )
  }

  app.get<IdRequest>('/flights/:id', async (request, reply) => {
    const caller = requireCaller(request)
    alsoAllow(reply, 'worker')
    return sendPage(reply, 200, await show(request, caller))
  })

  app.get<IdRequest>('/flights/:id/map.json', async (request, reply) => {
    const caller = requireCaller(request)
    const flight = flights.get(caller, idOf(request, 'flight'))
    reply.type('application/json; charset=utf-8')
    return maps.data(flight, frame(request, caller).formats)
  })

  /** It left and arrived when it should have. */
  app.post<IdRequest>('/flights/:id/flown', async (request, reply) => {
    const page = pageBelow('/flights', request)
    const caller = requireForm(request, page)
    const id = idOf(request, 'flight')
    const flight = flights.get(caller, id)
    if (!canBeConfirmed(flight, flights.outlook(flight).days))
      throw conflict('This flight has no planned times to keep.')
    const { from, to, airline, aircraft, passengers: _, track: __, ...rest } = flight
    const body = FlightWrite.parse({
      ...rest,
      fromId: from.id,
      toId: to.id,
      airlineId: airline?.id ?? null,
      aircraftId: aircraft?.id ?? null,
      departure: flight.departureScheduled,
      arrival: flight.arrivalScheduled,
    })
    const unchanged = formPrecondition(recordTag(jsonOf(flights.getJson(caller, id))!))
    await flights.update(caller, id, body, unchanged)
    return back(request, reply, page, 'The planned times are now the times of this flight.')
  })
}
