import { dataCache } from '../../../db/cache.ts'
import type { Db } from '../../../db/open.ts'
import { perConnection } from '../../../db/per-connection.ts'
import type { Flight } from '../contract.ts'
import type { FlightRow } from '../store/rows.ts'

/** A log of 10,000 flights as legacy JSON takes 15 MB. */
const MAX_CACHE_BYTES = 32 * 1024 * 1024
/** Of an entry without its JSON and user ids. */
const BYTES_PER_ENTRY = 300
const BYTES_PER_ID = 40
const MAX_FORMS = 4

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

/** Parses the JSON of v1. */
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
    part: 'accounts',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ json, userIds }) => BYTES_PER_ENTRY + json.length + userIds.length * BYTES_PER_ID,
  })
  const forms: string[] = []

  function keysOf({ name }: FlightForm): (id: number) => number {
    if (!forms.includes(name)) forms.push(name)
    if (forms.length > MAX_FORMS) throw new Error('There is no number left for another form of flights.')
    const place = forms.indexOf(name)
    return (id) => id * MAX_FORMS + place
  }

  const jsonOf = (flight: Flight, { write }: FlightForm): FlightJson => ({
    id: flight.id,
    json: Buffer.from(write(flight)),
    userIds: flight.passengers.flatMap(({ user }) => user?.id ?? []),
  })

  return {
    /** In the order of the ids, without flights that do not exist. */
    get<Row extends { id: number }>(
      ids: readonly number[],
      { read, partsOf }: FlightSource<Row>,
      { form, maxBytes = Number.POSITIVE_INFINITY, keep = true }: JsonWanted,
    ): FlightJson[] {
      const now = cache.version()
      const keyOf = keysOf(form)
      const found = new Map<number, FlightJson>()
      const missing: number[] = []
      for (const id of ids) {
        const kept = cache.getForVersion(now, keyOf(id))
        if (kept) found.set(id, kept)
        else missing.push(id)
      }
      const load = (part: readonly Row[]) => {
        for (const flight of read(part)) {
          const made = jsonOf(flight, form)
          found.set(flight.id, made)
          if (keep) cache.set(keyOf(flight.id), made, now)
        }
      }
      const parts = missing.length > 0 ? partsOf(missing) : []
      const taken: FlightJson[] = []
      let [bytes, loaded] = [0, 0]
      for (const id of ids) {
        // Parts that do not fit are not read.
        if (parts[loaded]?.[0]?.id === id) load(parts[loaded++]!)
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
      for (let place = 0; place < forms.length; place++) cache.delete(id * MAX_FORMS + place)
    },
  }
})
