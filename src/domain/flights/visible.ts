import type { Caller } from '../../access/caller.ts'
import { notFound } from '../../lib/errors.ts'

type FlightAction = 'flight.read' | 'flight.update' | 'flight.delete'

/** How far the role reaches with an action: every flight, one's own, or none. */
function permits(caller: Caller, action: FlightAction, aboard: boolean): boolean {
  return caller.permissions.has(`${action}.any`) || (aboard && caller.permissions.has(`${action}.own`))
}

/** A flight that the role lets the caller neither act on nor read does not exist for the caller (contract 1.4). */
export function requireVisible<Row>(row: Row | undefined, caller: Caller, action: FlightAction, aboard: boolean): Row {
  if (row !== undefined && (permits(caller, action, aboard) || permits(caller, 'flight.read', aboard))) return row
  throw notFound('flight')
}
