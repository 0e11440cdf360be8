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
        'Finds flights and their ids: your own, or with `scope` those of another user or of all users. Flights must match all given filters; `text` searches everywhere at once. Sorted by date, then by id. Pass `page.nextCursor` unchanged as `cursor` to get the next page. To count or sum flights, use the statistics.',
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
        'Airports, airlines and aircraft types are given by id: search for them first. `date` is the day of departure at the origin; times are optional and need an offset. Without `passengers` you are the only passenger. A flight that is sent twice is stored twice.',
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
      description: 'One flight by its id, with its passengers but without the points of its track.',
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
        'Read the flight first and send every member that should stay. Absent members are set to their default, except `passengers`, `track` and `customFields`, which stay unchanged. Send records as ids: `from.id` as `fromId`, `passengers[].user.id` as `userId`.',
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
        'Also deletes its passengers, custom values and track, for everyone on the flight. It can be restored for 30 days, unless the instance is configured otherwise.',
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
        'All stored points of one flight, often thousands. `data` is null if the flight has no track. The flight itself has the number of points.',
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
      description: 'Up to 100000 points as recorded, longitude first. Replaces the previous track.',
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
      description: 'Succeeds even without a track.',
      input: { params: IdParams },
      output: null,
      conditional: true,
      run: (caller, { params }, options) => tracks.remove(caller, params.id, options?.precondition),
    }),
  ]
}
