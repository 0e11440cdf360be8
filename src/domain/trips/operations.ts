import { IdParams, one, page, singlePage } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { Trip, TripQuery, TripSuggestion, TripWrite } from './contract.ts'
import type { TripService } from './service.ts'

const tag = 'Personal data'

export function tripOperations(trips: TripService) {
  return [
    operation({
      id: 'listTrips',
      route: 'GET /trips',
      tag,
      summary: 'List your trips, newest first',
      description: 'Sorted by the date of the last flight, then by id. Trips without flights come first.',
      input: { query: TripQuery },
      output: page(Trip),
      conditional: true,
      run: (caller, { query }) => trips.list(caller, query),
    }),
    operation({
      id: 'getTrip',
      route: 'GET /trips/{id}',
      tag,
      summary: 'Read a trip',
      description: 'One of your trips. To read its flights, list flights with `tripId`.',
      input: { params: IdParams },
      output: one(Trip),
      conditional: true,
      run: (caller, { params }) => ({ data: trips.get(caller, params.id) }),
    }),
    operation({
      id: 'createTrip',
      route: 'POST /trips',
      tag,
      summary: 'Group flights as a trip',
      description:
        'Gives a name to flights that belong together. A flight is in at most one of your trips: adding it moves it.',
      input: { body: TripWrite },
      output: one(Trip),
      conditional: true,
      created: ({ data }) => data.id,
      idempotent: {},
      run: async (caller, { body }, { once } = {}) => ({
        data: await trips.create(caller, body, once && ((trip) => once.keep({ data: trip }))),
      }),
    }),
    operation({
      id: 'updateTrip',
      route: 'PUT /trips/{id}',
      tag,
      summary: 'Replace a trip',
      description:
        'Without `flightIds`, the flights stay. With it, flights that are not listed leave the trip, and listed ones move to it.',
      input: { params: IdParams, body: TripWrite },
      output: one(Trip),
      conditional: true,
      run: async (caller, { params, body }, options) => ({
        data: await trips.update(caller, params.id, body, options?.precondition),
      }),
    }),
    operation({
      id: 'deleteTrip',
      route: 'DELETE /trips/{id}',
      tag,
      summary: 'Delete a trip',
      description: 'Keeps its flights, and deletes its shares.',
      input: { params: IdParams },
      output: null,
      conditional: true,
      run: (caller, { params }, options) => trips.remove(caller, params.id, options?.precondition),
    }),
    operation({
      id: 'suggestTrips',
      route: 'GET /trips/suggestions',
      tag,
      summary: 'Find journeys that could be trips',
      description:
        'Groups flights without a trip that leave an airport and return near it. Returns at most 50, newest first, and stores nothing.',
      input: {},
      output: page(TripSuggestion),
      run: async (caller) => singlePage(await trips.suggest(caller)),
    }),
  ]
}
