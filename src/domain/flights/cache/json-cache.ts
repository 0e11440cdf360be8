import { dataCache } from '../../../db/cache.ts'
import { type Db, perConnection } from '../../../db/connection.ts'
import type { Flight } from '../contract.ts'
import type { FlightRow } from '../store/rows.ts'

/** A log of 10,000 flights as legacy JSON takes 15 MB. */
const MAX_CACHE_BYTES = 32 * 1024 * 1024
const BYTES_PER_ENTRY = 300
const BYTES_PER_ID = 40

export interface FlightForm {
  name: string
  write: (flight: Flight) => string
}

export interface FlightJson {
  readonly id: number
  /** Not a string: one character beyond Latin-1 would double the size of a page. */
  readonly json: Buffer
  readonly userIds: readonly string[]
}

export const flightOf = ({ json }: FlightJson): Flight => JSON.parse(json.toString()) as Flight

export interface FlightSource<Row extends { id: number } = FlightRow> {
  partsOf: (ids: readonly number[]) => readonly (readonly Row[])[]
  read: (part: readonly Row[]) => Flight[]
}

export interface JsonWanted {
  form: FlightForm
  /** At least one flight is returned. */
  maxBytes?: number
  /** False for long logs, which would evict flights that are read often. */
  keep?: boolean
}

/**
 * Flights as JSON, in every form. A write of flights drops only its own flights. Any other write drops all, since it may
 * have changed a name, a record or a definition.
 */
export const flightJsonCache = perConnection((db: Db) => {
  const cache = dataCache<FlightJson>(db, {
    part: 'flightRecords',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ json, userIds }) => BYTES_PER_ENTRY + json.length + userIds.length * BYTES_PER_ID,
  })
  const forms = new Set<string>()
  const keyOf = (form: string, id: number) => `${form} ${id}`

  return {
    /** In the order of the ids, without flights that do not exist. */
    get<Row extends { id: number }>(
      ids: readonly number[],
      { read, partsOf }: FlightSource<Row>,
      { form, maxBytes = Number.POSITIVE_INFINITY, keep = true }: JsonWanted,
    ): FlightJson[] {
      forms.add(form.name)
      const now = cache.version()
      const found = new Map<number, FlightJson>()
      for (const id of ids) {
        const cached = cache.getForVersion(now, keyOf(form.name, id))
        if (cached) found.set(id, cached)
      }
      const load = (part: readonly Row[]) => {
        for (const flight of read(part)) {
          const { id, passengers } = flight
          const userIds = passengers.flatMap(({ user }) => user?.id ?? [])
          const loaded = { id, json: Buffer.from(form.write(flight)), userIds }
          found.set(id, loaded)
          if (keep) cache.set(keyOf(form.name, id), loaded, now)
        }
      }
      const missing = ids.filter((id) => !found.has(id))
      const parts = missing.length > 0 ? [...partsOf(missing)] : []
      const taken: FlightJson[] = []
      let bytes = 0
      for (const id of ids) {
        // Parts that do not fit are not read.
        if (parts[0]?.[0]?.id === id) load(parts.shift()!)
        const one = found.get(id)
        if (!one) continue
        bytes += one.json.length
        if (bytes > maxBytes && taken.length > 0) break
        taken.push(one)
      }
      return taken
    },
    /** Must be called by every write of a flight, inside its transaction. */
    drop(id: number): void {
      for (const form of forms) cache.delete(keyOf(form, id))
    },
  }
})
