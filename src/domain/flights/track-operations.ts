import { IdParams, one } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { MaybeTrack, Track, TrackWrite } from './track-contract.ts'
import type { TrackService } from './track-service.ts'

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
