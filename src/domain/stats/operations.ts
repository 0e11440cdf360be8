import { one } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { concernsOthers } from '../flights/query/target.ts'
import { Breakdown, BreakdownQuery, Stats, StatsQuery, StatsRecords } from './contract.ts'
import type { StatsService } from './service.ts'

export function statsOperations(stats: StatsService) {
  return [
    operation({
      id: 'getStats',
      route: 'GET /stats',
      tag: 'Flights',
      summary: 'Figures over completed flights',
      description:
        'Totals and favourites: number of flights, kilometres, seconds, airports, top airline, airport, aircraft type and route. A flight is completed when its arrival, or what is known instead, lies in the past. Distances are great circles. All filters that are given must hold, so that `airlineId` with `dateFrom` and `dateTo` tells how far one flew with an airline in a year; search for the id first. Which flight was the longest is told by the records.',
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
        'How many flights, kilometres and seconds by year, airport, airline, country, companion and so on: the answer to "how far with whom, when and where". `by` says what to group by; all filters that are given must hold, so that `by=year&airlineId=…` tells how an airline was flown over the years. `total` has each flight once.',
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
      summary: 'What stands out among completed flights',
      description:
        'The longest, shortest, first and latest flight as whole records, the outermost airports, the busiest day and month, and the distance in equators and moons. Takes the same filters as the figures: the longest flight with an airline in a year is one call.',
      input: { query: StatsQuery },
      output: one(StatsRecords),
      conditional: true,
      early: (query, caller) => ({ otherUsers: concernsOthers(caller, query) }),
      run: async (caller, { query }) => ({ data: await stats.getRecords(caller, query) }),
    }),
  ]
}
