import { one } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { TargetQuery } from '../flights/contract.ts'
import { concernsOthers } from '../flights/target.ts'
import { Stats } from './contract.ts'
import type { StatsService } from './service.ts'

export function statsOperations(stats: StatsService) {
  return [
    operation({
      id: 'getStats',
      route: 'GET /stats',
      tag: 'Flights',
      summary: 'Figures over completed flights',
      description:
        'Totals and favourites: number of flights, kilometres, seconds, airports, top airline, airport, aircraft type and route. A flight is completed when its arrival, or what is known instead, lies in the past. Distances are great circles.',
      input: { query: TargetQuery },
      output: one(Stats),
      early: (query, caller) => ({ otherUsers: concernsOthers(caller, query) }),
      run: async (caller, { query }) => ({ data: await stats.get(caller, query) }),
    }),
  ]
}
