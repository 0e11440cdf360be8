import type { Caller } from '../../access/caller.ts'
import { notFound } from '../../lib/errors.ts'
import type { Flight } from './contract.ts'
import type { flightStore } from './store.ts'

type FlightAction = 'flight.read' | 'flight.update' | 'flight.delete' | 'flight.passengers.manage'

export const isAboard = ({ userId }: Caller, { passengers }: Pick<Flight, 'passengers'>): boolean =>
  passengers.some(({ user }) => user?.id === userId)

/** Whether the role reaches as far with an action as this flight; one that reaches all flights reaches one's own. */
export const permits = ({ permissions }: Caller, action: FlightAction, aboard: boolean): boolean =>
  permissions.has(`${action}.${aboard ? 'own' : 'any'}`)

/** A flight that the role lets the caller neither act on nor read does not exist for the caller (contract 1.4). */
export function requireVisible<Row>(row: Row | undefined, caller: Caller, action: FlightAction, aboard: boolean): Row {
  if (row !== undefined && (permits(caller, action, aboard) || permits(caller, 'flight.read', aboard))) return row
  throw notFound('flight')
}

/** Those of a few flights that there are and that the caller may read, for pages that lead to them. */
export const readableFlights =
  ({ isAboard, row }: Pick<ReturnType<typeof flightStore>, 'isAboard' | 'row'>) =>
  (caller: Caller, ids: readonly number[]): ReadonlySet<number> =>
    new Set(
      ids.filter((id) => {
        const aboard = isAboard(id, caller.userId)
        return permits(caller, 'flight.read', aboard) && (aboard || row(id) !== undefined)
      }),
    )
