import { IdParams, one, page } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { Flight, FlightWrite } from './contract.ts'
import { FlightQuery } from './query/filter-contract.ts'
import { concernsOthers } from './query/target.ts'
import type { FlightService } from './service.ts'
import { MaybeTrack, Track, TrackWrite } from './tracks/contract.ts'
import type { TrackService } from './tracks/service.ts'

export function flightOperations(flights: FlightService) {
  return [
    operation({
      id: 'listFlights',
      route: 'GET /flights',
      tag: 'Flights',
      summary: 'List flights, newest first or oldest first',
      description:
        'Use it to find flights and their ids: your own, or with `scope` those of another user or of everybody. All filters that are given must hold; `text` looks everywhere at once. Sorted by date, then by id. Pass `page.nextCursor` back unchanged as `cursor` for the next page. To count or to sum, use the statistics instead.',
      input: { query: FlightQuery },
      output: page(Flight),
      conditional: true,
      early: (query, caller) => ({ otherUsers: concernsOthers(caller, query) }),
      run: (caller, { query }) => flights.listJson(caller, query),
    }),
    operation({
      id: 'createFlight',
      route: 'POST /flights',
      tag: 'Flights',
      summary: 'Log a flight',
      description:
        'Airports, airlines and aircraft types are named by id: search for them first. `date` is the day of departure at the origin; times are optional and carry an offset. Without `passengers` the flight gets the caller alone. A flight sent twice is stored twice.',
      input: { body: FlightWrite },
      output: one(Flight),
      conditional: true,
      created: ({ data }) => data.id,
      idempotent: { readAgain: (caller, id) => ({ data: flights.createdJson(caller, id) }) },
      run: async (caller, { body }, { once } = {}) => ({
        data: await flights.create(caller, body, once && ((flight) => once.keep({ data: flight }))),
      }),
    }),
    operation({
      id: 'getFlight',
      route: 'GET /flights/{id}',
      tag: 'Flights',
      summary: 'Read a flight',
      description: 'One flight by the id that the list gives, with its passengers, without the points of its track.',
      input: { params: IdParams },
      output: one(Flight),
      conditional: true,
      run: (caller, { params }) => ({ data: flights.getJson(caller, params.id) }),
    }),
    operation({
      id: 'updateFlight',
      route: 'PUT /flights/{id}',
      tag: 'Flights',
      summary: 'Replace a flight',
      description:
        'Read the flight first and send everything that shall stay: every member is set, absent ones to their default; only absent `passengers`, `track` and `customFields` stay as they are. Records are sent as ids: `from.id` as `fromId`, `passengers[].user.id` as `userId`.',
      input: { params: IdParams, body: FlightWrite },
      output: one(Flight),
      conditional: true,
      run: async (caller, { params, body }, options) => ({
        data: await flights.update(caller, params.id, body, options?.precondition),
      }),
    }),
    operation({
      id: 'deleteFlight',
      route: 'DELETE /flights/{id}',
      tag: 'Flights',
      summary: 'Delete a flight',
      description:
        'Passengers, custom values and the track go with it, for everybody on the flight. It cannot be undone.',
      input: { params: IdParams },
      output: null,
      conditional: true,
      run: (caller, { params }, options) => flights.remove(caller, params.id, options?.precondition),
    }),
  ]
}

export function trackOperations(tracks: TrackService) {
  return [
    operation({
      id: 'getFlightTrack',
      route: 'GET /flights/{id}/track',
      tag: 'Flights',
      summary: 'Read the track of a flight',
      description:
        'All stored points of one flight, often thousands. `data` is null when the flight has no track; the record of the flight tells how many points there are.',
      input: { params: IdParams },
      output: one(MaybeTrack),
      conditional: true,
      run: async (caller, { params }) => ({ data: await tracks.get(caller, params.id) }),
    }),
    operation({
      id: 'putFlightTrack',
      route: 'PUT /flights/{id}/track',
      tag: 'Flights',
      summary: 'Store or replace the track of a flight',
      description:
        'Points as they were recorded, each longitude first; up to 100000. The track that was there is lost.',
      input: { params: IdParams, body: TrackWrite },
      output: one(Track),
      conditional: true,
      run: async (caller, { params, body }, options) => ({
        data: await tracks.put(caller, params.id, body, options?.precondition),
      }),
    }),
    operation({
      id: 'deleteFlightTrack',
      route: 'DELETE /flights/{id}/track',
      tag: 'Flights',
      summary: 'Remove the track of a flight',
      description: 'Succeeds whether or not a track was stored.',
      input: { params: IdParams },
      output: null,
      conditional: true,
      run: (caller, { params }, options) => tracks.remove(caller, params.id, options?.precondition),
    }),
  ]
}
