import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../../access/caller.ts'
import { writeMarker } from '../../db/counters.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { ActivityService } from '../activity/service.ts'
import { matchWithin } from '../custom-fields/pattern.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import type { BeginFlights } from '../flights/imported.ts'
import { packTrack } from '../flights/track-packing.ts'
import { answerStore, type RequestKey } from '../idempotency/answers.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { ImportOrder, ImportQuery, ImportReport } from './contract.ts'
import type { FormatName } from './formats/registry.ts'
import { MAX_REASONS, type ParsedFlight, type ParsedRow } from './formats/row.ts'
import { importStore } from './import-store.ts'
import { type ReferenceLookup, referenceLookup } from './lookup.ts'
import { duplicateFinder, repeatedKeyFinder, type Users } from './natural-key.ts'
import { chooseUser, personalTravellers, restoredTravellers, type Traveller, userNames } from './people.ts'
import { type ImportPreview, MOST_SHOWN, missingAirports, previewRows, type TakenRow } from './preview.ts'
import { type FileContent, type ReadFile, readFile } from './read-file.ts'
import { type ReadyRow, type ReadyRows, readyRows, type Stage } from './ready-rows.ts'
import { resolveFlight } from './resolve.ts'
import { restoredValues } from './restored-values.ts'

/** Rows worked on before other requests get their turn. */
const AT_ONCE = 100
/** Some seconds of a thread of its own. */
const STEPS_AN_IMPORT = 250_000_000
/** How often an import looks again at what changed under it. */
const MOST_TRIES = 3

/** An import, wherever it runs. */
export type ImportWork = (caller: Caller, file: Buffer, query: ImportOrder, steps: Steps) => Promise<ImportReport>

/** What somebody else decides or hears of on the way of an import. */
export interface Steps {
  /** The file could be read; throws where the caller may go no further. */
  wasRead: () => void | Promise<void>
  /** Called while a long import runs. */
  progress: (done: number, rows: number) => void
  /** Runs the one transaction when nobody else writes. */
  alone: <Result>(commit: () => Promise<Result>) => Promise<Result>
  /** Under which the report is kept, in the same transaction. */
  key?: RequestKey | undefined
  /** Hears what can be shown of the file, once everything is decided. */
  preview?: ((preview: ImportPreview) => void) | undefined
}

interface Dependencies {
  db: Db
  clock: Clock
  beginFlights: BeginFlights
  reference: ReferenceService
  customFields: CustomFieldService
  activity: ActivityService
}

/** Called once per row, in file order. */
type IsDuplicate = (keys: readonly string[], users: Users) => boolean

/** Everything that is known before the transaction begins. */
interface Prepared {
  rows: ReadyRows
  stage: Stage
  /** Inside the transaction, once for each run of it. */
  findsDuplicates: () => IsDuplicate
}

type Counts = Pick<ImportReport, 'created' | 'duplicates'>

interface Written extends Counts {
  /** The numbers of the first rows whose flights the log held already: no more of them are shown. */
  known: ReadonlySet<number>
}

/** A dry run does the whole work and then leaves the transaction by this. */
class Undo extends Error {}

/** What was looked up before the transaction began may have gone since, or somebody else may have made it. */
const meetsChange = (error: unknown) =>
  (error instanceof AppError && error.code === 'conflict') || isForeignKeyViolation(error)

function rejectionOf({ row, line }: ParsedRow, found: readonly string[]): ImportReport['rejected'][number] {
  const reasons = [...new Set(found)].slice(0, MAX_REASONS)
  return { row, reason: reasons[0]!, line, reasons }
}

/** An import from the first byte to the commit, on one connection. */
export function importWork({ db, clock, beginFlights, reference, customFields, activity }: Dependencies) {
  const store = importStore(db)
  const answers = answerStore(db, clock)
  const writesSoFar = writeMarker(db)

  /** Who is on a flight, or why the row cannot be taken. */
  function travellersOf(caller: Caller, { format, users = [] }: ReadFile, query: ImportQuery) {
    if (format !== 'backup') {
      return ({ seat, seatNumber, seatClass, flightReason }: ParsedFlight): Traveller[] => [
        { userId: caller.userId, guestName: null, seat, seatNumber, seatClass, flightReason },
      ]
    }
    if (query.mode === 'restore') {
      const local = store.usersByName()
      return (flight: ParsedFlight) => restoredTravellers(flight, local)
    }
    const chosen = chooseUser(users, query.fileUser, caller.username)
    return (flight: ParsedFlight) =>
      personalTravellers(flight, chosen, caller.userId) ?? `${chosen.username} is not on this flight.`
  }

  /** The custom values of a backup, for a flight and for each of its travellers. */
  function valueReader(lookup: ReferenceLookup) {
    const [ofFlight, ofPassenger] = [
      customFields.definitionsOf('flight'),
      customFields.definitionsOf('flight_passenger'),
    ]
    const match = matchWithin(STEPS_AN_IMPORT)
    const read = (values: ParsedFlight['customFields'], definitions: typeof ofFlight) =>
      restoredValues(values, definitions, lookup, reference.records, match)
    return (flight: ParsedFlight, travellers: readonly Traveller[]) => ({
      values: read(flight.customFields, ofFlight),
      passengerValues: travellers.map((traveller) => read(traveller.customFields, ofPassenger)),
    })
  }

  /** Everything that needs no lock, in slices between which other requests get their turn. */
  async function prepare(caller: Caller, file: ReadFile, query: ImportOrder, progress: Steps['progress']) {
    const stage = beginFlights()
    const aboard = travellersOf(caller, file, query)
    const lookup = referenceLookup(reference, caller, file, query)
    const valuesOf = file.format === 'backup' ? valueReader(lookup) : undefined
    const ready = readyRows(stage)
    const shown: TakenRow[] = []
    const rejected: ImportReport['rejected'] = []
    const missing = missingAirports()

    /** A row that can be taken, or the reasons why it cannot. */
    async function outcome({ row, problems, flight }: ParsedRow): Promise<readonly string[] | ReadyRow> {
      if (!flight) return problems
      const found = flight.passengers === null ? undefined : aboard(flight)
      const [travellers, reasons] = typeof found === 'string' ? [undefined, [...problems, found]] : [found, problems]
      const resolved = resolveFlight(flight, travellers, lookup, reasons)
      if ('reasons' in resolved) {
        if (reasons.length === 0) missing.add(resolved.missing)
        return resolved.reasons
      }
      if (shown.length < MOST_SHOWN) shown.push({ row, parsed: flight, resolved })
      const { track } = resolved.body
      return {
        flight: resolved,
        users: travellers!.flatMap(({ userId }) => userId ?? []),
        track: track ? (await packTrack(track)).packed : undefined,
        ...(valuesOf?.(flight, travellers!) ?? { values: undefined, passengerValues: undefined }),
      }
    }

    let index = 0
    for (const parsed of file.rows) {
      if (index++ % AT_ONCE === 0) {
        progress(index - 1, file.rows.length)
        await nextTurn()
      }
      const found = await outcome(parsed)
      if ('flight' in found) ready.add(parsed.row, found)
      else rejected.push(rejectionOf(parsed, found))
    }
    stage.ready()
    return { ready, shown, rejected, missing: missing.list(), stage }
  }

  /**
   * What the log holds already. It is read before the lock is taken, and once more only if somebody wrote in between or
   * the transaction is done again.
   */
  function duplicates(caller: Caller, format: FormatName, restoring: boolean): Prepared['findsDuplicates'] {
    function finder(): IsDuplicate {
      const stored = store.keys(restoring ? 'all' : { userId: caller.userId })
      if (format !== 'backup') return repeatedKeyFinder(stored)
      // A backup is restored row by row: equal rows are as many flights.
      const takeDuplicate = duplicateFinder(stored)
      return (keys, users) => keys.some((key) => takeDuplicate(key, users))
    }
    const readAt = writesSoFar()
    let early: IsDuplicate | undefined = finder()
    return () => {
      const current = writesSoFar() === readAt ? early : undefined
      early = undefined
      return current ?? finder()
    }
  }

  /** Inside the transaction; rows of reference data are made only for a flight that is created. */
  function insert(caller: Caller, { rows, stage, findsDuplicates }: Prepared, restoring: boolean): Written {
    // A long file takes its time to read, and its owner may have gone meanwhile.
    if (!restoring && !store.isUser(caller.userId)) throw new AppError('unauthorized', 'This account no longer exists.')
    const isOutdated = stage.isOutdated()
    const isDuplicate = findsDuplicates()
    const known = new Set<number>()
    let [created, duplicates] = [0, 0]
    function* fresh() {
      for (const { number, row, keys, users, finish } of rows) {
        if (isDuplicate(keys, users)) {
          duplicates++
          if (known.size < MOST_SHOWN) known.add(row)
          continue
        }
        finish?.()
        created++
        yield number
      }
    }
    stage.move(fresh(), rows.beyondBody, isOutdated)
    return { created, duplicates, known }
  }

  /** One entry for all its flights. */
  function recordImport(caller: Caller, { mode }: ImportQuery, count: number): void {
    const { userId, username: name } = caller
    if (mode === 'restore') activity.record(caller, { kind: 'restore', count })
    else activity.record(caller, { kind: 'import', subject: userId, name, count, concerns: [userId] })
  }

  /** One transaction: all rows, or none when something fails or nothing is to be kept. */
  async function commit(caller: Caller, prepared: Prepared, query: ImportQuery, keep: (counts: Counts) => void) {
    let written: Written = { created: 0, duplicates: 0, known: new Set() }
    try {
      await write(db, 'reference', () => {
        written = insert(caller, prepared, query.mode === 'restore')
        if (query.dryRun) throw new Undo()
        recordImport(caller, query, written.created)
        keep(written)
      })
    } catch (error) {
      // The way out of a dry run is no failure.
      if (!(error instanceof Undo)) throw error
      keep(written)
    }
    return written
  }

  return async function run(
    caller: Caller,
    content: FileContent,
    query: ImportOrder,
    steps: Steps,
  ): Promise<ImportReport> {
    const file = await readFile(content, query)
    await steps.wasRead()
    const rows = file.rows.length
    for (let attempt = 1; ; attempt++) {
      const { ready, shown, rejected, missing, stage } = await prepare(caller, file, query, steps.progress)
      try {
        const reportOf = ({ created, duplicates }: Counts): ImportReport => ({
          rows,
          created,
          duplicates,
          rejected,
          dryRun: query.dryRun,
        })
        const keep = (counts: Counts) => {
          if (!steps.key) return
          const body = JSON.stringify({ data: reportOf(counts) })
          answers.save(steps.key, { status: 200, body, createdId: null })
        }
        const findsDuplicates = duplicates(caller, file.format, query.mode === 'restore')
        const prepared = { rows: ready, stage, findsDuplicates }
        const written = await steps.alone(() => commit(caller, prepared, query, keep))
        steps.progress(rows, rows)
        const isNew = (row: number) => !written.known.has(row)
        steps.preview?.({
          format: file.format,
          users: userNames(file.users),
          rows: previewRows(shown, isNew, reference.records),
          ...missing,
        })
        return reportOf(written)
      } catch (error) {
        // Everything was undone: another look finds things as they are now.
        if (attempt === MOST_TRIES || !meetsChange(error)) throw error
      }
    }
  }
}
