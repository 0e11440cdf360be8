import { serializerOf } from '../../contract/serializer.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { perConnection } from '../../db/per-connection.ts'
import { Flight } from './contract.ts'

const MAX_CACHE_BYTES = 16 * 1024 * 1024
/** Of an entry beside its JSON and the ids of its passengers. */
const BYTES_OF_ENTRY = 160
const BYTES_OF_ID = 40

/** Another way to write a flight, such as that of the legacy API. */
export interface FlightForm {
  name: string
  write: (flight: Flight) => string
}

export interface FlightJson {
  readonly id: number
  /** As it stands in a list of v1. Bytes and not text: one letter beyond Latin would double a whole page and its cost. */
  readonly listItem: Buffer
  /** The passengers who are users. */
  readonly userIds: readonly string[]
}

export const flightOf = ({ listItem }: FlightJson): Flight => JSON.parse(listItem.toString()) as Flight

/** The text of a flight as v1 answers with it. */
export const serializeFlight = serializerOf(Flight)

type Read = (ids: readonly number[]) => Flight[]

interface Source {
  read: Read
  /** Whether so many flights can be read at once without taking much memory. */
  isSmall: (ids: readonly number[]) => boolean
}

/**
 * Flights as JSON: a log is read far more often than it is changed, and reading its cells and writing their text is most
 * of what a page costs. A write of flights drops those that it writes; any other one, which may have changed a name or a
 * definition, drops all.
 */
export const flightJsonCache = perConnection((db: Db) => {
  const cache = dataCache<FlightJson>(db, {
    part: 'accounts',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ listItem, userIds }) => BYTES_OF_ENTRY + listItem.length + userIds.length * BYTES_OF_ID,
  })
  const forms = new Set<string>()
  const keyOf = (form: string, id: number) => `${form} ${id}`

  const jsonOf = (flight: Flight): FlightJson => ({
    id: flight.id,
    listItem: Buffer.from(serializeFlight(flight)),
    userIds: flight.passengers.flatMap(({ user }) => user?.id ?? []),
  })

  function load(ids: readonly number[], read: Read, found: Map<number, FlightJson>): void {
    const readUnder = cache.version()
    for (const flight of ids.length > 0 ? read(ids) : []) {
      const json = jsonOf(flight)
      found.set(flight.id, json)
      cache.set(flight.id, json, readUnder)
    }
  }

  return {
    /** In the order of the ids, and no more than so many bytes, but one at least; a flight that does not exist is left out. */
    get(ids: readonly number[], { read, isSmall }: Source, maxBytes = Number.POSITIVE_INFINITY): FlightJson[] {
      const now = cache.version()
      const found = new Map<number, FlightJson>()
      for (const id of ids) {
        const json = cache.keptUnder(now, id)
        if (json) found.set(id, json)
      }
      const missing = ids.filter((id) => !found.has(id))
      const atOnce = isSmall(missing)
      if (atOnce) load(missing, read, found)
      const taken: FlightJson[] = []
      let bytes = 0
      for (const id of ids) {
        if (!atOnce && !found.has(id)) load([id], read, found)
        const json = found.get(id)
        if (!json) continue
        bytes += json.listItem.length
        if (bytes > maxBytes && taken.length > 0) break
        taken.push(json)
      }
      return taken
    },
    /** Whether all of these are at hand in another form. */
    isKept(ids: readonly number[], { name }: FlightForm): boolean {
      const now = cache.version()
      return ids.every((id) => cache.keptUnder(now, keyOf(name, id)) !== undefined)
    },
    /** The same in another form, for a log that is read as a whole: in the order of the ids. */
    inForm(ids: readonly number[], { name, write }: FlightForm, read: Read): Buffer[] {
      forms.add(name)
      const now = cache.version()
      const known = ids.map((id) => cache.keptUnder(now, keyOf(name, id))?.listItem)
      const missing = ids.filter((_, index) => known[index] === undefined)
      const made = new Map<number, Buffer>()
      for (const flight of missing.length > 0 ? read(missing) : []) {
        const listItem = Buffer.from(write(flight))
        made.set(flight.id, listItem)
        cache.set(keyOf(name, flight.id), { id: flight.id, listItem, userIds: [] }, now)
      }
      return ids.flatMap((id, index) => known[index] ?? made.get(id) ?? [])
    },
    /** To be called by every write of a flight, before its transaction ends. */
    drop(id: number): void {
      cache.delete(id)
      for (const form of forms) cache.delete(keyOf(form, id))
    },
  }
})
