import { one } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { concernsOthers } from '../flights/query/target.ts'
import { Breakdown, BreakdownQuery, Punctuality, Stats, StatsQuery, StatsRecords } from './contract.ts'
import type { StatsService } from './service.ts'

export function statsOperations(stats: StatsService) {
  return [
    operation({
      id: 'getStats',
      route: 'GET /stats',
      tag: 'Flights',
      summary: 'Figures over completed flights',
      description:
        'Totals and favourites: number of flights, kilometres, seconds, airports, top airline, airport, aircraft type and route. A flight is completed when its arrival, or the best known time instead, is in the past. Distances are great circles. Flights must match all given filters: `airlineId` with `dateFrom` and `dateTo` gives the distance with an airline in a year; search for the id first. For the longest flight, use the records.',
      input: { query: StatsQuery },
      output: one(Stats),
      conditional: true,
      early: (query, caller) => ({ otherUsers: concernsOthers(caller, query) }),
      run: async (caller, { query }) => ({ data: await stats.get(caller, query) }),
    }),
    operation({
      id: 'getStatsBreakdown',
      route: 'GET /stats/breakdown',
      tag: 'Flights',
      summary: 'Figures over completed flights, in groups',
      description:
        'Flights, kilometres and seconds by year, airport, airline, country, companion and so on. `by` selects the groups. Flights must match all given filters: `by=year&airlineId=…` gives the flights with an airline by year. `total` counts each flight once.',
      input: { query: BreakdownQuery },
      output: one(Breakdown),
      conditional: true,
      early: (query, caller) => ({ otherUsers: concernsOthers(caller, query) }),
      run: async (caller, { query }) => ({ data: await stats.getBreakdown(caller, query) }),
    }),
    operation({
      id: 'getStatsRecords',
      route: 'GET /stats/records',
      tag: 'Flights',
      summary: 'Records among completed flights',
      description:
        'The longest, shortest, first and latest flight in full, the outermost airports, the busiest day and month, and the distance compared with the equator and the way to the moon. Takes the same filters as the figures: the longest flight with an airline in a year is one call.',
      input: { query: StatsQuery },
      output: one(StatsRecords),
      conditional: true,
      early: (query, caller) => ({ otherUsers: concernsOthers(caller, query) }),
      run: async (caller, { query }) => ({ data: await stats.getRecords(caller, query) }),
    }),
    operation({
      id: 'getStatsPunctuality',
      route: 'GET /stats/punctuality',
      tag: 'Flights',
      summary: 'Punctuality of completed flights',
      description:
        'How many flights left and arrived early, on time and late, the average and median delay, the worst flight in full, and the time lost by late arrivals. Only flights with a scheduled and an actual time count (`known`). A delay of 15 minutes or more is late. Takes the same filters as the figures.',
      input: { query: StatsQuery },
      output: one(Punctuality),
      conditional: true,
      early: (query, caller) => ({ otherUsers: concernsOthers(caller, query) }),
      run: async (caller, { query }) => ({ data: await stats.getPunctuality(caller, query) }),
    }),
  ]
}
