import { IdParams, one, page } from '../../../contract/common.ts'
import { operation } from '../../../contract/operation.ts'
import { Flight } from '../contract.ts'
import { DeletedFlight, DeletedFlightQuery } from './contract.ts'
import type { DeletedFlightService } from './service.ts'

export function deletedFlightOperations(deletedFlights: DeletedFlightService) {
  return [
    operation({
      id: 'listDeletedFlights',
      route: 'GET /flights/deleted',
      tag: 'Flights',
      summary: 'List deleted flights that can be restored',
      description:
        'The last deletion first. A deleted flight can be restored for 30 days, unless the instance is configured otherwise. Pass `page.nextCursor` unchanged as `cursor` to get the next page.',
      input: { query: DeletedFlightQuery },
      output: page(DeletedFlight),
      early: ({ scope }) => ({ otherUsers: scope === 'all' }),
      run: (caller, { query }) => deletedFlights.listJson(caller, query),
    }),
    operation({
      id: 'restoreFlight',
      route: 'POST /flights/deleted/{id}/restore',
      tag: 'Flights',
      summary: 'Restore a deleted flight',
      description:
        'Undoes a deletion: the flight returns under its old id, with its passengers, custom values and track. An airline, aircraft type or custom field that no longer exists is left out.',
      input: { params: IdParams },
      output: one(Flight),
      conditional: true,
      conflicts: true,
      run: async (caller, { params }) => ({ data: await deletedFlights.restore(caller, params.id) }),
    }),
  ]
}
