import { serializerOf } from '../../contract/serializer.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { perConnection } from '../../db/per-connection.ts'
import { Flight } from './contract.ts'

const MAX_CACHE_BYTES = 16 * 1024 * 1024
/** Of an entry beside its JSON and the ids of its passengers. */
const BYTES_OF_ENTRY = 160
const BYTES_OF_ID = 40

export interface FlightJson {
  /** As it stands in a list of v1. Bytes and not text: one letter beyond Latin would double a whole page and its cost. */
  readonly listItem: Buffer
  /** The passengers who are users. */
  readonly userIds: readonly string[]
}

export const flightOf = ({ listItem }: FlightJson): Flight => JSON.parse(listItem.toString()) as Flight

type Read = (ids: readonly number[]) => Flight[]

/**
 * Flights as JSON: a log is read far more often than it is changed, and reading its cells and writing their text is most
 * of what a page costs. A write of flights drops those that it writes; any other one, which may have changed a name or a
 * definition, drops all.
 */
export const flightJsonCache = perConnection((db: Db) => {
  const serialize = serializerOf(Flight)
  const cache = dataCache<FlightJson>(db, {
    part: 'accounts',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ listItem, userIds }) => BYTES_OF_ENTRY + listItem.length + userIds.length * BYTES_OF_ID,
  })

  const jsonOf = (flight: Flight): FlightJson => ({
    listItem: Buffer.from(serialize(flight)),
    userIds: flight.passengers.flatMap(({ user }) => user?.id ?? []),
  })

  return {
    /** In the order of the ids; a flight that does not exist is left out. */
    get(ids: readonly number[], read: Read): FlightJson[] {
      const readUnder = cache.version()
      const found = new Map(ids.map((id) => [id, cache.get(id)]))
      const missing = ids.filter((id) => !found.get(id))
      for (const flight of missing.length > 0 ? read(missing) : []) {
        const json = jsonOf(flight)
        found.set(flight.id, json)
        cache.set(flight.id, json, readUnder)
      }
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    /** To be called by every write of a flight, before its transaction ends. */
    drop: (id: number): void => cache.delete(id),
  }
})
