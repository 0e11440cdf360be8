import type { TagHolder } from '../../contract/answer.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { perConnection } from '../../db/per-connection.ts'
import type { Flight } from './contract.ts'
import type { FlightRow } from './rows.ts'

const MAX_CACHE_BYTES = 16 * 1024 * 1024
/** Of an entry beside its JSON and the ids of its passengers, with its tag. */
const BYTES_OF_ENTRY = 350
const BYTES_OF_ID = 40
/** Those of v1 and of the legacy API. */
const MOST_FORMS = 4

/** A way to write a flight as JSON: that of v1, or one of the legacy API. */
export interface FlightForm {
  name: string
  write: (flight: Flight) => string
}

export interface FlightJson extends TagHolder {
  readonly id: number
  /** Bytes and not text: one letter beyond Latin would double a whole page and its cost. */
  readonly json: Buffer
  /** The passengers who are users. */
  readonly userIds: readonly string[]
}

/** From the JSON of v1. */
export const flightOf = ({ json }: FlightJson): Flight => JSON.parse(json.toString()) as Flight

/** Complete flights, from the database. */
export interface FlightSource<Row extends { id: number } = FlightRow> {
  /** Rows in the order of the ids, in parts that can be read at once without taking much memory. */
  partsOf: (ids: readonly number[]) => readonly (readonly Row[])[]
  read: (part: readonly Row[]) => Flight[]
}

export interface JsonWanted {
  form: FlightForm
  /** No more than so many bytes, but one flight at least. */
  maxBytes?: number
  /** False for a log so long that it would drive out what is read often. */
  keep?: boolean
}

/**
 * Flights as JSON, in every form that leaves here: a log is read far more often than it is changed, and reading its cells
 * and writing their text is most of what a page costs. A write of flights drops those that it writes; any other one, which
 * may have changed a name, a record or a definition, drops all.
 */
export const flightJsonCache = perConnection((db: Db) => {
  const cache = dataCache<FlightJson>(db, {
    part: 'accounts',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ json, userIds }) => BYTES_OF_ENTRY + json.length + userIds.length * BYTES_OF_ID,
  })
  const forms: string[] = []

  /** Where the flights of a form are kept: each flight has a number for each form. */
  function keysOf({ name }: FlightForm): (id: number) => number {
    if (!forms.includes(name)) forms.push(name)
    if (forms.length > MOST_FORMS) throw new Error('There is no number left for another form of flights.')
    const place = forms.indexOf(name)
    return (id) => id * MOST_FORMS + place
  }

  const jsonOf = (flight: Flight, { write }: FlightForm): FlightJson => ({
    id: flight.id,
    json: Buffer.from(write(flight)),
    userIds: flight.passengers.flatMap(({ user }) => user?.id ?? []),
  })

  return {
    /** In the order of the ids; a flight that does not exist is left out. */
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
        // A part is read when its first flight is reached: what does not fit is not read.
        if (parts[loaded]?.[0]?.id === id) load(parts[loaded++]!)
        const one = found.get(id)
        if (!one) continue
        bytes += one.json.length
        if (bytes > maxBytes && taken.length > 0) break
        taken.push(one)
      }
      return taken
    },
    /** To be called by every write of a flight, before its transaction ends. */
    drop(id: number): void {
      for (let place = 0; place < forms.length; place++) cache.delete(id * MOST_FORMS + place)
    },
  }
})
