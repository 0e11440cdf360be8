import { IdParams, one, page } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { Flight, FlightQuery, FlightWrite } from './contract.ts'
import type { FlightService } from './service.ts'
import { concernsOthers } from './target.ts'

export function flightOperations(flights: FlightService) {
  return [
    operation({
      id: 'listFlights',
      route: 'GET /flights',
      tag: 'Flights',
      summary: 'List flights, newest first',
      description:
        'Sorted by date, then by id, both descending. Pass `page.nextCursor` back unchanged for the next page.',
      input: { query: FlightQuery },
      output: page(Flight),
      early: (caller, query) => ({ otherUsers: concernsOthers(caller, query) }),
      run: (caller, { query }) => flights.list(caller, query),
    }),
    operation({
      id: 'createFlight',
      route: 'POST /flights',
      tag: 'Flights',
      summary: 'Log a flight',
      description:
        'Airports, airlines and aircraft types are named by id: search for them first. Without `passengers` the flight gets the caller alone.',
      input: { body: FlightWrite },
      output: one(Flight),
      created: ({ data }) => data.id,
      run: async (caller, { body }) => ({ data: await flights.create(caller, body) }),
    }),
    operation({
      id: 'getFlight',
      route: 'GET /flights/{id}',
      tag: 'Flights',
      summary: 'Read a flight',
      input: { params: IdParams },
      output: one(Flight),
      run: (caller, { params }) => ({ data: flights.get(caller, params.id) }),
    }),
    operation({
      id: 'updateFlight',
      route: 'PUT /flights/{id}',
      tag: 'Flights',
      summary: 'Replace a flight',
      description:
        'Every member is set, absent ones to their default; absent `passengers`, `track` and `customFields` stay as they are.',
      input: { params: IdParams, body: FlightWrite },
      output: one(Flight),
      run: async (caller, { params, body }) => ({ data: await flights.update(caller, params.id, body) }),
    }),
    operation({
      id: 'deleteFlight',
      route: 'DELETE /flights/{id}',
      tag: 'Flights',
      summary: 'Delete a flight',
      description: 'Passengers, custom values and the track go with it.',
      input: { params: IdParams },
      output: null,
      run: (caller, { params }) => flights.remove(caller, params.id),
    }),
  ]
}
