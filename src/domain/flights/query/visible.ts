import type { Caller } from '../../../access/caller.ts'
import { notFound } from '../../../lib/errors.ts'
import type { Flight } from '../contract.ts'
import type { flightStore } from '../store/store.ts'

type FlightAction = 'flight.create' | 'flight.read' | 'flight.update' | 'flight.delete' | 'flight.passengers.manage'

export const isAboard = ({ userId }: Caller, { passengers }: Pick<Flight, 'passengers'>): boolean =>
  passengers.some(({ user }) => user?.id === userId)

/** A role with `any` also has `own`. */
export const permits = ({ permissions }: Caller, action: FlightAction, aboard: boolean): boolean =>
  permissions.has(`${action}.${aboard ? 'own' : 'any'}`)

/** Throws 404 if the caller may neither act on the flight nor read it (contract 1.4). */
export function requireVisible<Row extends { aboard: boolean }>(
  row: Row | undefined,
  caller: Caller,
  action: FlightAction,
): Row {
  if (row && (permits(caller, action, row.aboard) || permits(caller, 'flight.read', row.aboard))) return row
  throw notFound('flight')
}

/** Filters ids for links: only existing flights that the caller can read. */
export const readableFlights =
  ({ existing }: Pick<ReturnType<typeof flightStore>, 'existing'>) =>
  (caller: Caller, ids: readonly number[]): ReadonlySet<number> =>
    new Set(
      existing(ids, caller.userId).flatMap(({ id, aboard }) => (permits(caller, 'flight.read', aboard) ? id : [])),
    )
