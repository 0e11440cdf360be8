import { operation } from '../../contract/operation.ts'
import { concernsOthers } from '../flights/query/target.ts'
import { ChangeQuery, FlightChanges } from './contract.ts'
import type { ChangeService } from './service.ts'

export const changeOperations = (changes: ChangeService) => [
  operation({
    id: 'listFlightChanges',
    route: 'GET /flights/changes',
    tag: 'Flights',
    summary: 'Follow changes in a log',
    description:
      'For clients that keep a copy of a log. Start without a cursor to read everything, then poll with the last `nextCursor`. Every page has a `nextCursor`, including the last; continue at once while `more` is true, otherwise poll later. Each flight appears once after a cursor, in its current state, in the order of writing. A conflict means that an older backup was restored: drop the copy and start without a cursor.',
    input: { query: ChangeQuery },
    output: FlightChanges,
    conditional: true,
    conflicts: true,
    early: (query, caller) => ({ otherUsers: concernsOthers(caller, query) }),
    run: (caller, { query }) => changes.list(caller, query),
  }),
]
