import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import { type Caller, operator } from '../../access/caller.ts'
import type { TextFile } from '../../contract/answer.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { dayOf } from '../../lib/dates.ts'
import { yielder } from '../../lib/yield.ts'
import type { ActivityService, Actor } from '../activity/service.ts'
import { type FlightFilter, filterOf } from '../flights/query/filter-contract.ts'
import { concernsOthers, legacyConcernsOthers, type Target, targetOf } from '../flights/query/target.ts'
import type { FlightService } from '../flights/service.ts'
import type { TrackService } from '../flights/tracks/service.ts'
import type { Aircraft, Airline, Records } from '../reference/contract.ts'
import { addFieldId, idsInFlights } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { ExportQuery, UnfilteredExportQuery } from './contract.ts'
import { exportedAircraft, exportedAirline, exportedAirport, exportedFlight, type InstantForm } from './document.ts'
import { exportStore, type ValueRow } from './export-store.ts'
import { ownExport } from './own-export.ts'
import { prettyJson } from './write-json.ts'
import { blockYaml } from './write-yaml.ts'

/** Flights per user lookup: each may have 500 passengers. */
const USERS_AT_ONCE = 250

export type ExportService = ReturnType<typeof exportService>

interface Wanted {
  target: Target
  filter?: FlightFilter | undefined
  format: 'json' | 'yaml'
}

interface Dependencies {
  db: Db
  clock: Clock
  flights: FlightService
  tracks: TrackService
  reference: ReferenceService
  activity: ActivityService
  /** The public address, for links in files. */
  baseUrl: string
}

/** Writes a list of users and a stream of flights as one document. */
interface Layout {
  open: (users: unknown[]) => string
  flight: (flight: unknown) => Iterable<string>
  between: string
  close: (empty: boolean) => string
}

const layouts: Record<'json' | 'yaml', Layout> = {
  json: {
    open: (users) => `{\n  "users": ${[...prettyJson(users, '  ')].join('')},\n  "flights": [`,
    *flight(flight) {
      yield '\n    '
      yield* prettyJson(flight, '    ')
    },
    between: ',',
    close: (empty) => (empty ? ']\n}\n' : '\n  ]\n}\n'),
  },
  yaml: {
    open: (users) => `users:${users.length === 0 ? ' []' : `\n  ${[...blockYaml(users, '  ')].join('')}`}\nflights:`,
    *flight(flight) {
      yield '\n  - '
      yield* blockYaml(flight, '    ')
    },
    between: '',
    close: (empty) => (empty ? ' []\n' : '\n'),
  },
}

const asStored: InstantForm = (instant) => instant

export function exportService({ db, clock, flights, tracks, reference, activity, baseUrl }: Dependencies) {
  const store = exportStore(db)
  const { records, sourceIds } = reference

  const airlineOf = (airline: Airline) => exportedAirline(airline, sourceIds.airline(airline))
  const aircraftOf = (aircraft: Aircraft) => exportedAircraft(aircraft, sourceIds.aircraft(aircraft))

  /** References inside custom values are exported as records, since ids are local to this instance. */
  function portable({ fieldType, value }: ValueRow, known: Records): unknown {
    const id = value as number
    if (fieldType === 'airport') return exportedAirport(known.airport(id)!)
    if (fieldType === 'airline') return airlineOf(known.airline(id)!)
    if (fieldType === 'aircraft') return aircraftOf(known.aircraft(id)!)
    return value
  }

  function byOwner(rows: readonly ValueRow[]): Map<number, Record<string, unknown>> {
    const found = new Map<number, [key: string, value: unknown][]>()
    const ids = idsInFlights([])
    for (const { fieldType, value } of rows) addFieldId(ids, fieldType, value)
    const known = records.batch(ids)
    for (const row of rows) {
      const values = found.get(row.ownerId) ?? []
      values.push([row.key, portable(row, known)])
      found.set(row.ownerId, values)
    }
    // An assignment would set the prototype if the key of a field is __proto__.
    return new Map([...found].map(([ownerId, values]) => [ownerId, Object.fromEntries(values)]))
  }

  async function* exportedFlights(ids: readonly number[], form: InstantForm) {
    for (const read of flights.log.batches(ids)) {
      const some = read.map(({ id }) => id)
      const hasValues = store.hasValues()
      const customFields = byOwner(hasValues ? store.flightValues(some) : [])
      const passengerFields = byOwner(hasValues ? store.passengerValues(some) : [])
      for (const flight of read) {
        const { airline, aircraft } = flight
        yield exportedFlight(
          flight,
          {
            airline: airline && airlineOf(airline),
            aircraft: aircraft && aircraftOf(aircraft),
            track: flight.track ? await tracks.body(flight.id) : undefined,
            customFields: customFields.get(flight.id),
            passengerFields,
          },
          form,
        )
      }
    }
  }

  /** The users on some flights, by user name. */
  async function usersAboard(ids: readonly number[]) {
    const found = new Map<string, ReturnType<typeof store.usersOf>[number]>()
    const turn = yielder()
    for (let from = 0; from < ids.length; from += USERS_AT_ONCE) {
      for (const user of store.usersOf(ids.slice(from, from + USERS_AT_ONCE))) found.set(user.id, user)
      if (turn.isOver()) await turn.end()
    }
    const name = ({ username }: { username: string }) => username.toLowerCase()
    return [...found.values()].sort((left, right) => (name(left) < name(right) ? -1 : 1))
  }

  /** The document of contract 4.12 in chunks. The caller has authorized the request. */
  async function* documentOf({ target, filter, format }: Wanted, form = asStored): AsyncGenerator<string> {
    const layout = layouts[format]
    const ids = await flights.log.idsOf(target, filter)
    let text = layout.open(await usersAboard(ids))
    let empty = true
    for await (const flight of exportedFlights(ids, form)) {
      if (!empty) text += layout.between
      empty = false
      for (const piece of layout.flight(flight)) {
        text += piece
        if (text.length < 64 * 1024) continue
        yield text
        text = ''
        await nextTurn()
      }
    }
    yield text + layout.close(empty)
  }

  /** A file named after the day of the request, so that saved exports do not overwrite each other. */
  function file(wanted: Wanted, form = asStored): TextFile {
    const { format } = wanted
    const day = dayOf(clock())
    return {
      name: `paxlog-${day}.${format}`,
      type: `application/${format}; charset=utf-8`,
      pieces: documentOf(wanted, form),
    }
  }

  /** An export of other users' flights is recorded before its first chunk is sent. */
  async function* recorded(by: Actor, target: Target, pieces: AsyncIterable<string>): AsyncGenerator<string> {
    const userId = target === 'all' ? undefined : target.userId
    const name = userId === undefined ? undefined : store.username(userId)
    await write(db, 'uncached', () =>
      activity.record(by, {
        kind: 'export',
        ...(userId !== undefined && { subject: userId, concerns: [userId] }),
        ...(name !== undefined && { name }),
      }),
    )
    yield* pieces
  }

  function fileFor(
    caller: Caller,
    query: UnfilteredExportQuery,
    filter: FlightFilter | undefined,
    form?: InstantForm,
  ): TextFile {
    const target = targetOf(caller, query)
    const made = file({ target, filter, format: query.format }, form)
    return concernsOthers(caller, query) ? { ...made, pieces: recorded(caller, target, made.pieces) } : made
  }

  function run(caller: Caller, query: ExportQuery): TextFile {
    authorize(caller, 'exportFlights', { otherUsers: concernsOthers(caller, query) })
    return fileFor(caller, query, filterOf(query))
  }

  /** The same for the legacy API, with instants in its form. */
  function runLegacy(caller: Caller, query: UnfilteredExportQuery, form: InstantForm): TextFile {
    authorize(caller, 'exportFlights', { otherUsers: legacyConcernsOthers(query) })
    return fileFor(caller, query, undefined, form)
  }

  /** For the command line. */
  const all = (wanted: Wanted) => recorded(operator, wanted.target, documentOf(wanted))

  return { run, runLegacy, all, own: ownExport({ clock, baseUrl, flights, tracks }) }
}
