import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import type { Db } from '../../db/open.ts'
import { dataVersion, writeMarker } from '../../db/version.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { ActivityService } from '../activity/service.ts'
import { matchWithin } from '../custom-fields/pattern.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import type { BulkInsert } from '../flights/store/bulk-insert.ts'
import { packTrack } from '../flights/tracks/packing.ts'
import { idempotencyService, type RequestKey } from '../idempotency/service.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { ImportOrder, ImportQuery, ImportReport } from './contract.ts'
import type { FormatName } from './formats/registry.ts'
import { MAX_REASONS, type ParsedFlight, type ParsedRow } from './formats/row.ts'
import { importStore } from './import-store.ts'
import { type ReferenceLookup, referenceLookup } from './lookup.ts'
import { duplicateFinder, repeatedKeyFinder, type Users } from './natural-key.ts'
import { chooseUser, personalTravellers, restoredTravellers, type Traveller, userNames } from './people.ts'
import { type ImportPreview, MAX_PREVIEW_ROWS, missingAirports, previewRows, type TakenRow } from './preview.ts'
import type { ReadFile } from './read-file.ts'
import { type ReadyRows, readyRows } from './ready-rows.ts'
import { resolveFlight } from './resolve.ts'
import { restoredValues } from './restored-values.ts'

/** Rows checked before other requests get their turn. */
const ROWS_PER_TURN = 100
/** Takes some seconds of a worker. */
const MAX_MATCH_STEPS = 250_000_000
/** Rows are checked again if a concurrent write has changed what they refer to. */
const MAX_ATTEMPTS = 3

export type ImportWork = (caller: Caller, file: Buffer, query: ImportOrder, steps: Steps) => Promise<ImportReport>

/** Callbacks of an import. */
export interface Steps {
  /** Called when the file has been read; throws if the caller may not import it. */
  wasRead: () => void | Promise<void>
  progress: (done: number, rows: number) => void
  /** Runs the transaction while other writes of the process wait. */
  alone: <Result>(commit: () => Promise<Result>) => Promise<Result>
  /** The report is stored under this key in the same transaction. */
  key?: RequestKey | undefined
  preview?: ((preview: ImportPreview) => void) | undefined
}

interface Dependencies {
  db: Db
  clock: Clock
  insertFlights: BulkInsert
  reference: ReferenceService
  customFields: CustomFieldService
  activity: ActivityService
  currentCaller: CurrentCaller
}

/** Called once per row, in file order. */
type IsDuplicate = (keys: readonly string[], users: Users) => boolean

/** The result of the checks, for the transaction. */
interface Prepared {
  rows: ReadyRows
  /** Whether reference data has changed since the rows were checked. Called before the import creates any. */
  isOutdated: () => boolean
  /** Called once per run of the transaction. */
  findsDuplicates: () => IsDuplicate
}

type Counts = Pick<ImportReport, 'created' | 'duplicates'>

interface Written extends Counts {
  /** The first duplicate rows, for the preview. */
  known: ReadonlySet<number>
}

/** Rolls back a dry run. */
class Undo extends Error {}

/** A concurrent write deleted a row that the import refers to, or created one that it wants to create. */
const isConcurrentChange = (error: unknown) =>
  (error instanceof AppError && error.code === 'conflict') || isForeignKeyViolation(error)

function rejectionOf({ row, line }: ParsedRow, found: readonly string[]): ImportReport['rejected'][number] {
  const reasons = [...new Set(found)].slice(0, MAX_REASONS)
  return { row, reason: reasons[0]!, line, reasons }
}

/** An import of a file that has been read, on one connection. */
export function importWork(dependencies: Dependencies) {
  const { db, clock, insertFlights, reference, customFields, activity, currentCaller } = dependencies
  const store = importStore(db)
  const answers = idempotencyService({ db, clock })
  const writesSoFar = writeMarker(db)
  const versions = dataVersion(db)

  /** Returns the passengers of a flight, or the reason to reject its row. */
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
    const match = matchWithin(MAX_MATCH_STEPS)
    const read = (values: ParsedFlight['customFields'], definitions: typeof ofFlight) =>
      restoredValues(values, definitions, lookup, reference.records, match)
    return (flight: ParsedFlight, travellers: readonly Traveller[]) => ({
      values: read(flight.customFields, ofFlight),
      passengerValues: travellers.map((traveller) => read(traveller.customFields, ofPassenger)),
    })
  }

  /** Checks all rows without the write lock, and yields to other requests in between. */
  async function prepare(caller: Caller, file: ReadFile, query: ImportOrder, progress: Steps['progress']) {
    // Before the first lookup, so that no later change is missed.
    versions.pollNow()
    const checkedUnder = versions.referenceState()
    const aboard = travellersOf(caller, file, query)
    const lookup = referenceLookup(reference, caller, file, query)
    const valuesOf = file.format === 'backup' ? valueReader(lookup) : undefined
    const ready = readyRows()
    const shown: TakenRow[] = []
    const rejected: ImportReport['rejected'] = []
    const missing = missingAirports()

    /** Keeps a row that can be inserted; returns the reasons for one that cannot. */
    async function check({ row, problems, flight }: ParsedRow): Promise<readonly string[] | undefined> {
      if (!flight) return problems
      const found = flight.passengers === null ? undefined : aboard(flight)
      const [travellers, reasons] = typeof found === 'string' ? [undefined, [...problems, found]] : [found, problems]
      const resolved = resolveFlight(flight, travellers, lookup, reasons)
      if ('reasons' in resolved) {
        if (reasons.length === 0) missing.add(resolved.missing)
        return resolved.reasons
      }
      if (shown.length < MAX_PREVIEW_ROWS) shown.push({ row, parsed: flight, resolved })
      const { track } = resolved.body
      const users = travellers!.flatMap(({ userId }) => userId ?? [])
      ready.add(row, resolved, users, {
        track: track ? (await packTrack(track)).packed : undefined,
        ...(valuesOf?.(flight, travellers!) ?? { values: undefined, passengerValues: undefined }),
      })
      return undefined
    }

    let index = 0
    for (const parsed of file.rows) {
      if (index++ % ROWS_PER_TURN === 0) {
        progress(index - 1, file.rows.length)
        await nextTurn()
      }
      const reasons = await check(parsed)
      if (reasons) rejected.push(rejectionOf(parsed, reasons))
    }
    const isOutdated = () => versions.referenceState() !== checkedUnder
    return { ready, shown, rejected, missing: missing.list(), isOutdated }
  }

  /** Reads the stored flights before the lock is taken, and again if anything was written since or the transaction is retried. */
  function duplicates(caller: Caller, format: FormatName, restore: boolean): Prepared['findsDuplicates'] {
    function finder(): IsDuplicate {
      const stored = store.keys(restore ? 'all' : { userId: caller.userId })
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

  /** Runs inside the transaction. */
  function insert(caller: Caller, { rows, isOutdated, findsDuplicates }: Prepared, restore: boolean): Written {
    // The account, its role or the credential may have changed while the file was read.
    authorize(currentCaller(caller), 'importFlights', { restore })
    const options = { isOutdated: isOutdated() }
    const isDuplicate = findsDuplicates()
    const known = new Set<number>()
    let [created, duplicates] = [0, 0]
    function* fresh() {
      for (const { row, users, keys, flight } of rows) {
        if (isDuplicate(keys, users)) {
          duplicates++
          if (known.size < MAX_PREVIEW_ROWS) known.add(row)
          continue
        }
        created++
        yield flight()
      }
    }
    insertFlights(fresh(), options)
    return { created, duplicates, known }
  }

  function recordImport(caller: Caller, { mode }: ImportQuery, count: number): void {
    const { userId, username: name } = caller
    if (mode === 'restore') activity.record(caller, { kind: 'restore', count })
    else activity.record(caller, { kind: 'import', subject: userId, name, count, concerns: [userId] })
  }

  /** Inserts all rows or none. */
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
      if (!(error instanceof Undo)) throw error
      keep(written)
    }
    return written
  }

  return async function run(caller: Caller, file: ReadFile, query: ImportOrder, steps: Steps): Promise<ImportReport> {
    await steps.wasRead()
    const rows = file.rows.length
    for (let attempt = 1; ; attempt++) {
      const { ready, shown, rejected, missing, isOutdated } = await prepare(caller, file, query, steps.progress)
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
        const prepared = { rows: ready, isOutdated, findsDuplicates }
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
        if (attempt === MAX_ATTEMPTS || !isConcurrentChange(error)) throw error
      }
    }
  }
}
