import { changesValues, type Definition } from '../custom-fields/values.ts'
import type { PassengerWrite } from './contract.ts'

export interface StoredPassenger {
  id: number
  userId: string | null
  guestName: string | null
  seat: string | null
  seatNumber: string | null
  seatClass: string | null
  flightReason: string | null
  tripId: number | null
  values: ReadonlyMap<number, unknown>
}

const passengerColumns = ['userId', 'guestName', 'seat', 'seatNumber', 'seatClass', 'flightReason'] as const

export interface Match {
  item: PassengerWrite
  record: StoredPassenger | undefined
}

export interface PassengerChange {
  matches: Match[]
  removed: StoredPassenger[]
  /** Indexes of items whose id is unknown or repeated. */
  wrongIds: number[]
  /** Whether anything changes that needs a scope. */
  any: boolean
}

export const columnsOf = ({ id: _, customFields: __, ...columns }: PassengerWrite) => columns

const differs = (item: PassengerWrite, record: StoredPassenger) =>
  passengerColumns.some((column) => item[column] !== record[column])

/** Matches by id, then by user, then by guest name (contract 4.4). */
export function matchPassengers(
  stored: readonly StoredPassenger[],
  items: readonly PassengerWrite[],
  definitions: readonly Definition[],
): PassengerChange {
  const free = new Map(stored.map((record) => [record.id, record]))
  const found = new Map<PassengerWrite, StoredPassenger>()
  const wrongIds: number[] = []
  const take = (item: PassengerWrite, record: StoredPassenger) => {
    free.delete(record.id)
    found.set(item, record)
  }
  for (const [index, item] of items.entries()) {
    if (item.id === undefined) continue
    const record = free.get(item.id)
    if (record) take(item, record)
    else wrongIds.push(index)
  }
  for (const item of items) {
    if (item.id !== undefined) continue
    const record = [...free.values()].find(({ userId, guestName }) =>
      item.userId === null ? guestName === item.guestName : userId === item.userId,
    )
    if (record) take(item, record)
  }
  const matches = items.map((item) => ({ item, record: found.get(item) }))
  const any =
    free.size > 0 ||
    matches.some(
      ({ item, record }) =>
        !record || differs(item, record) || changesValues(definitions, record.values, item.customFields),
    )
  return { matches, removed: [...free.values()], wrongIds, any }
}

/** Keyed by user: a passenger row can be given to another user, whose trips are their own. */
export function tripsByUser({ matches, removed }: PassengerChange): ReadonlyMap<string, number> {
  const stored = [...matches.flatMap(({ record }) => record ?? []), ...removed]
  return new Map(stored.flatMap(({ userId, tripId }) => (userId === null || tripId === null ? [] : [[userId, tripId]])))
}

/** Indexes and members of repeated users and guests. */
export function repeated(items: readonly PassengerWrite[]): [index: number, member: 'userId' | 'guestName'][] {
  const seen = new Set<string>()
  return items.flatMap(({ userId, guestName }, index) => {
    const member = userId === null ? 'guestName' : 'userId'
    const name = `${member} ${userId ?? guestName}`
    if (seen.has(name)) return [[index, member] as [number, 'userId' | 'guestName']]
    seen.add(name)
    return []
  })
}
