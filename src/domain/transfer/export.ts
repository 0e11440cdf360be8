import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import { type Caller, operator } from '../../access/caller.ts'
import type { TextFile } from '../../contract/answer.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import { inChunks } from '../../lib/chunks.ts'
import type { Clock } from '../../lib/clock.ts'
import { dayOf } from '../../lib/dates.ts'
import { compareTexts } from '../../lib/text.ts'
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
import { exportedAircraft, exportedAirline, exportedAirport, exportedFlight, type FormatInstant } from './document.ts'
import { type ExportFormat, exportFormats, type Point } from './export-formats.ts'
import { exportStore, type ValueRow } from './export-store.ts'
import { prettyJson } from './write-json.ts'
import { blockYaml } from './write-yaml.ts'

/** Each flight may have 500 passengers. */
const FLIGHTS_PER_USER_LOOKUP = 250
const CHUNK_LENGTH = 64 * 1024

export type ExportService = ReturnType<typeof exportService>

interface ExportRequest {
  target: Target
  filter?: FlightFilter | undefined
  format: 'json' | 'yaml'
  formatInstant?: FormatInstant | undefined
}

interface Dependencies {
  db: Db
  clock: Clock
  flights: FlightService
  tracks: TrackService
  reference: ReferenceService
  activity: ActivityService
  baseUrl: string
}

/** Writes a list of users and a stream of flights as one document. */
interface Layout {
  open: (users: unknown[]) => string
  flight: (flight: unknown) => Iterable<string>
  between: string
  close: (isEmpty: boolean) => string
}

const layouts: Record<'json' | 'yaml', Layout> = {
  json: {
    open: (users) => `{\n  "users": ${[...prettyJson(users, '  ')].join('')},\n  "flights": [`,
    *flight(flight) {
      yield '\n    '
      yield* prettyJson(flight, '    ')
    },
    between: ',',
    close: (isEmpty) => (isEmpty ? ']\n}\n' : '\n  ]\n}\n'),
  },
  yaml: {
    open: (users) => `users:${users.length === 0 ? ' []' : `\n  ${[...blockYaml(users, '  ')].join('')}`}\nflights:`,
    *flight(flight) {
      yield '\n  - '
      yield* blockYaml(flight, '    ')
    },
    between: '',
    close: (isEmpty) => (isEmpty ? ' []\n' : '\n'),
  },
}

/** Joins pieces of text, and yields to other requests after each chunk. */
async function* inTextChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < CHUNK_LENGTH) continue
    yield text
    text = ''
    await nextTurn()
  }
  yield text
}

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
    const ids = idsInFlights([])
    for (const { fieldType, value } of rows) addFieldId(ids, fieldType, value)
    const known = records.batch(ids)
    const owners = [...Map.groupBy(rows, ({ ownerId }) => ownerId)]
    // An assignment would set the prototype if the key of a field is __proto__.
    return new Map(
      owners.map(([id, values]) => [id, Object.fromEntries(values.map((row) => [row.key, portable(row, known)]))]),
    )
  }

  async function* exportedFlights(ids: readonly number[], formatInstant?: FormatInstant) {
    for (const batch of flights.log.batches(ids)) {
      const batchIds = batch.map(({ id }) => id)
      const hasValues = store.hasValues()
      const customFields = byOwner(hasValues ? store.flightValues(batchIds) : [])
      const passengerFields = byOwner(hasValues ? store.passengerValues(batchIds) : [])
      for (const flight of batch) {
        const { airline, aircraft } = flight
        const extras = {
          airline: airline && airlineOf(airline),
          aircraft: aircraft && aircraftOf(aircraft),
          track: flight.track ? await tracks.body(flight.id) : undefined,
          customFields: customFields.get(flight.id),
          passengerFields,
        }
        yield exportedFlight(flight, extras, formatInstant)
      }
    }
  }

  async function usersOf(ids: readonly number[]) {
    const found = new Map<string, ReturnType<typeof store.usersOf>[number]>()
    const turn = yielder()
    for (const some of inChunks(ids, FLIGHTS_PER_USER_LOOKUP)) {
      for (const user of store.usersOf(some)) found.set(user.id, user)
      if (turn.isOver()) await turn.end()
    }
    return [...found.values()].sort((a, b) => compareTexts(a.username.toLowerCase(), b.username.toLowerCase()))
  }

  async function* documentPieces({ target, filter, format, formatInstant }: ExportRequest): AsyncGenerator<string> {
    const layout = layouts[format]
    const ids = await flights.log.idsOf(target, filter)
    yield layout.open(await usersOf(ids))
    let isEmpty = true
    for await (const flight of exportedFlights(ids, formatInstant)) {
      if (!isEmpty) yield layout.between
      isEmpty = false
      yield* layout.flight(flight)
    }
    yield layout.close(isEmpty)
  }

  /** The document of contract 4.12 in chunks. The caller has authorized the request. */
  const documentOf = (request: ExportRequest) => inTextChunks(documentPieces(request))

  /** An export of other users' flights is recorded before its first chunk is sent. */
  async function* recorded(by: Actor, target: Target, chunks: AsyncIterable<string>): AsyncGenerator<string> {
    const userId = target === 'all' ? undefined : target.userId
    const name = userId === undefined ? undefined : store.username(userId)
    await write(db, 'uncached', () =>
      activity.record(by, {
        kind: 'export',
        ...(userId !== undefined && { subject: userId, concerns: [userId] }),
        ...(name !== undefined && { name }),
      }),
    )
    yield* chunks
  }

  /** Named after the day of the request, so that saved exports do not overwrite each other. */
  const fileName = (extension: string) => `paxlog-${dayOf(clock())}.${extension}`

  function fileFor(
    caller: Caller,
    query: UnfilteredExportQuery,
    options: Pick<ExportRequest, 'filter' | 'formatInstant'>,
  ): TextFile {
    const { format } = query
    const target = targetOf(caller, query)
    const chunks = documentOf({ target, format, ...options })
    return {
      name: fileName(format),
      type: `application/${format}; charset=utf-8`,
      pieces: concernsOthers(caller, query) ? recorded(caller, target, chunks) : chunks,
    }
  }

  function run(caller: Caller, query: ExportQuery): TextFile {
    authorize(caller, 'exportFlights', { otherUsers: concernsOthers(caller, query) })
    return fileFor(caller, query, { filter: filterOf(query) })
  }

  function runLegacy(caller: Caller, query: UnfilteredExportQuery, formatInstant: FormatInstant): TextFile {
    authorize(caller, 'exportFlights', { otherUsers: legacyConcernsOthers(query) })
    return fileFor(caller, query, { formatInstant })
  }

  /** For the command line. */
  const all = (request: ExportRequest) => recorded(operator, request.target, documentOf(request))

  async function* ownPieces({ userId, displayName }: Caller, format: ExportFormat, filter: FlightFilter | undefined) {
    yield format.open(`Flights of ${displayName}`)
    let separator = ''
    for (const batch of flights.log.batches(await flights.log.idsOf({ userId }, filter))) {
      for (const flight of batch) {
        const stored = format.hasTracks && flight.track ? await tracks.body(flight.id) : undefined
        yield separator
        yield* format.flight({ flight, userId, baseUrl, track: stored?.coordinates as Point[] | undefined })
        separator = format.between
      }
      await nextTurn()
    }
    yield format.close
  }

  /** Exports the caller's flights for other programs. Authorizes immediately; reads while the file is sent. */
  function own(caller: Caller, extension: keyof typeof exportFormats, filter: FlightFilter | undefined): TextFile {
    authorize(caller, 'exportFlights', { otherUsers: false })
    const format = exportFormats[extension]
    return { name: fileName(extension), type: format.type, pieces: inTextChunks(ownPieces(caller, format, filter)) }
  }

  return { run, runLegacy, all, own }
}
