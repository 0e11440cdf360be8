import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { jsonOf } from '../../../../contract/answer.ts'
import { type Flight, FlightWrite } from '../../../../domain/flights/contract.ts'
import { isAboard, permits } from '../../../../domain/flights/query/visible.ts'
import { conflict } from '../../../../lib/errors.ts'
import { formPrecondition, recordTag } from '../../../shared/etag.ts'
import type { PageContext } from '../../framework/context.ts'
import { allowSources } from '../../framework/headers.ts'
import { type IdRequest, idOf, signedInPages } from '../../framework/signed-in.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { FlightDetailsPage } from './flight-details-page.tsx'
import { flightMaps } from './flight-map.ts'

/** A flight with scheduled times only, from the day of departure on. */
function canBeConfirmed(flight: Flight, days: number): boolean {
  const { departure, arrival, departureScheduled, arrivalScheduled } = flight
  const isOpen = departure === null && arrival === null && departureScheduled !== null && arrivalScheduled !== null
  return isOpen && flight.datePrecision === 'day' && days <= 0
}

export async function flightDetails(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, trips, activity, customFields, reference } = context
  const maps = flightMaps(context)
  const pages = signedInPages(app, context)

  function tripsOf(caller: Caller, flightId: number) {
    const { own, choices } = trips.forFlight(caller, flightId)
    return { own, choices: caller.permissions.has('flight.update.own') ? choices : [] }
  }

  pages.get<IdRequest>('/flights/:id', async ({ caller, request, reply, formats, frame, send }) => {
    allowSources(reply, 'worker')
    const flight = flights.get(caller, idOf(request, 'flight'))
    const aboard = isAboard(caller, flight)
    const edit = permits(caller, 'flight.update', aboard)
    const { isPlanned, days } = flights.outlook(flight)
    return send(
      <FlightDetailsPage
        {...frame}
        flight={flight}
        userId={caller.userId}
        map={await maps.drawing(flight, formats, mapChoice(request))}
        planned={isPlanned ? { days } : undefined}
        restorableDays={context.deletedFlights.days}
        can={{
          edit,
          confirm: edit && canBeConfirmed(flight, days),
          delete: permits(caller, 'flight.delete', aboard),
          add: caller.permissions.has('flight.create.own'),
        }}
        definitions={{
          flight: customFields.activeFor('flight'),
          passenger: customFields.activeFor('flight_passenger'),
        }}
        records={reference.records}
        // Only passengers see who added the flight (contract 16.13).
        history={aboard ? activity.ofFlight(flight.id) : undefined}
        trips={aboard ? tripsOf(caller, flight.id) : undefined}
        related={aboard ? flights.related(caller, flight) : undefined}
      />,
    )
  })

  pages.get<IdRequest>('/flights/:id/map.json', ({ caller, request, reply, formats }) => {
    const flight = flights.get(caller, idOf(request, 'flight'))
    reply.type('application/json; charset=utf-8')
    return maps.data(flight, formats)
  })

  /** Copies the scheduled times to the actual times. */
  pages.post<IdRequest>('/flights/:id/flown', async ({ caller, request, texts, back }) => {
    const id = idOf(request, 'flight')
    const flight = flights.get(caller, id)
    if (!canBeConfirmed(flight, flights.outlook(flight).days)) {
      throw conflict(texts.flights.nothingToConfirm)
    }
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
    return back(`/flights/${id}`, texts.flights.confirmed)
  })
}
