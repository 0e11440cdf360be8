import { operation } from '../../contract/operation.ts'
import { concernsOthers } from '../flights/target.ts'
import { ChangeQuery, FlightChanges } from './contract.ts'
import type { ChangeService } from './service.ts'

export const changeOperations = (changes: ChangeService) => [
  operation({
    id: 'listFlightChanges',
    route: 'GET /flights/changes',
    tag: 'Flights',
    summary: 'Follow what changes in a log',
    description:
      'For a program that keeps a copy of a log: first everything without a cursor, then again and again what was written since. Every page has a `nextCursor`, also the last one; ask at once while `more` is true, later otherwise. Each flight comes once after a cursor, as it is now, in the order of writing. A conflict means that an older backup was restored: drop the copy and begin without a cursor.',
    input: { query: ChangeQuery },
    output: FlightChanges,
    conditional: true,
    conflicts: true,
    early: (query, caller) => ({ otherUsers: concernsOthers(caller, query) }),
    run: (caller, { query }) => changes.list(caller, query),
  }),
]
