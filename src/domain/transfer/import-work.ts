import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import type { Db } from '../../db/open.ts'
import { dataVersion, writeMarker } from '../../db/version.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
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
import { duplicateFinder, type IsDuplicate, repeatedKeyFinder } from './natural-key.ts'
import { chooseUser, personalTravellers, restoredTravellers, type Traveller, userNames } from './people.ts'
import {
  fixableRows,
  type ImportPreview,
  MAX_PREVIEW_ROWS,
  missingAirports,
  previewRows,
  type TakenRow,
} from './preview.ts'
import type { ReadFile } from './read-file.ts'
import { readyRows } from './ready-rows.ts'
import { resolveFlight } from './resolve.ts'
import { restoredValues } from './restored-values.ts'

const ROWS_PER_TURN = 100
/** Takes some seconds of a worker. */
const MAX_MATCH_STEPS = 250_000_000
/** Rows are checked again if a concurrent write has changed what they refer to. */
const MAX_ATTEMPTS = 3

export type ImportWork = (caller: Caller, file: Buffer, query: ImportOrder, steps: Steps) => Promise<ImportReport>

export interface Steps {
  /** Throws if the caller may not import the file. */
  authorize: () => void | Promise<void>
  progress?: (done: number, rows: number) => void
  /** Runs the transaction while other writes of the process wait. */
  exclusively: <Result>(commit: () => Promise<Result>) => Promise<Result>
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

/** Rolls back a dry run. */
class Undo extends Error {}

/** Another write deleted a row that the import refers to, or created one that it wants to create. */
const isConcurrentChange = (error: unknown) =>
  (error instanceof AppError && error.code === 'conflict') || isForeignKeyViolation(error)

/** Imports a file that has been read, on one connection. */
export function importWork(dependencies: Dependencies) {
  const { db, clock, insertFlights, reference, customFields, activity, currentCaller } = dependencies
  const store = importStore(db)
  const answers = idempotencyService({ db, clock })
  const writesSoFar = writeMarker(db)
  const versions = dataVersion(db)

  /** Returns the passengers of a flight, or the reason to reject its row. */
  function travellersOf(caller: Caller, { format, users = [] }: ReadFile, query: ImportQuery) {
    if (format !== 'backup') {
      return ({ seat = null, seatNumber = null, seatClass = null, flightReason = null }: ParsedFlight): Traveller[] => [
        { userId: caller.userId, guestName: null, seat, seatNumber, seatClass, flightReason },
      ]
    }
    if (query.mode === 'restore') {
      const local = store.usersByName()
      return (flight: ParsedFlight) => restoredTravellers(flight, local)
    }
    const chosen = chooseUser(users, query.fileUser, caller.username)
    return (flight: ParsedFlight) =>
      personalTravellers(flight, chosen, caller.userId) ?? english.import.notOnFlight({ username: chosen.username })
  }

  function customValueReader(lookup: ReferenceLookup) {
    const ofFlight = customFields.definitionsOf('flight')
    const ofPassenger = customFields.definitionsOf('flight_passenger')
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
    const travellersOn = travellersOf(caller, file, query)
    const lookup = referenceLookup(reference, caller, file, query)
    const valuesOf = file.format === 'backup' ? customValueReader(lookup) : undefined
    const ready = readyRows()
    const shown: TakenRow[] = []
    const rejected: ImportReport['rejected'] = []
    const missing = missingAirports()
    const fixable = fixableRows(file)

    /** Keeps a row that can be inserted; returns the reasons for one that cannot. */
    async function check({ row, problems, flight }: ParsedRow): Promise<readonly string[] | undefined> {
      if (!flight) return problems
      await lookup.readNames(flight)
      const found = flight.passengers === null ? undefined : travellersOn(flight)
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
        progress?.(index - 1, file.rows.length)
        await nextTurn()
      }
      const found = await check(parsed)
      if (!found) continue
      const reasons = [...new Set(found)].slice(0, MAX_REASONS)
      rejected.push({ row: parsed.row, reason: reasons[0]!, line: parsed.line, reasons })
      fixable.add(parsed, reasons)
    }
    return {
      ready,
      rows: file.rows.length,
      shown,
      rejected,
      missing: missing.list(),
      fixable: fixable.list(),
      /** Whether reference data has changed since the rows were checked. Called before the import creates any. */
      isOutdated: () => versions.referenceState() !== checkedUnder,
    }
  }

  type Prepared = Awaited<ReturnType<typeof prepare>>

  /** Reads the stored flights before the lock is taken, and again if anything was written since or the transaction is retried. */
  function duplicateReader(caller: Caller, format: FormatName, { mode }: ImportQuery): () => IsDuplicate {
    const finder = format === 'backup' ? duplicateFinder : repeatedKeyFinder
    const read = () => finder(store.keys(mode === 'restore' ? 'all' : { userId: caller.userId }))
    const readAt = writesSoFar()
    let early: IsDuplicate | undefined = read()
    return () => {
      const current = writesSoFar() === readAt ? early : undefined
      early = undefined
      return current ?? read()
    }
  }

  /** Runs inside the transaction. */
  function insert(caller: Caller, prepared: Prepared, isDuplicate: IsDuplicate, { mode, dryRun }: ImportQuery) {
    // The account, its role or the credential may have changed while the file was read.
    authorize(currentCaller(caller), 'importFlights', { restore: mode === 'restore' })
    const { ready, rows, rejected, isOutdated } = prepared
    const options = { isOutdated: isOutdated() }
    /** The first duplicate rows, for the preview. */
    const known = new Set<number>()
    let [created, duplicates] = [0, 0]
    function* newFlights() {
      for (const { row, users, keys, flight } of ready) {
        if (isDuplicate(keys, users)) {
          duplicates++
          if (known.size < MAX_PREVIEW_ROWS) known.add(row)
          continue
        }
        created++
        yield flight()
      }
    }
    insertFlights(newFlights(), options)
    return { report: { rows, created, duplicates, rejected, dryRun }, known }
  }

  function recordImport(caller: Caller, { mode }: ImportQuery, count: number): void {
    const { userId, username: name } = caller
    if (mode === 'restore') activity.record(caller, { kind: 'restore', count })
    else activity.record(caller, { kind: 'import', subject: userId, name, count, concerns: [userId] })
  }

  function saveAnswer(key: RequestKey | undefined, report: ImportReport): void {
    if (key) answers.save(key, { status: 200, body: JSON.stringify({ data: report }), createdId: null })
  }

  /** Inserts all rows or none. */
  async function commit(
    caller: Caller,
    prepared: Prepared,
    readDuplicates: () => IsDuplicate,
    query: ImportQuery,
    key: RequestKey | undefined,
  ) {
    let written: ReturnType<typeof insert> | undefined
    try {
      await write(db, 'reference', () => {
        written = insert(caller, prepared, readDuplicates(), query)
        if (query.dryRun) throw new Undo()
        recordImport(caller, query, written.report.created)
        saveAnswer(key, written.report)
      })
    } catch (error) {
      if (!(error instanceof Undo)) throw error
      saveAnswer(key, written!.report)
    }
    return written!
  }

  return async function run(caller: Caller, file: ReadFile, query: ImportOrder, steps: Steps): Promise<ImportReport> {
    await steps.authorize()
    for (let attempt = 1; ; attempt++) {
      const prepared = await prepare(caller, file, query, steps.progress)
      try {
        const readDuplicates = duplicateReader(caller, file.format, query)
        const { report, known } = await steps.exclusively(() =>
          commit(caller, prepared, readDuplicates, query, steps.key),
        )
        steps.progress?.(report.rows, report.rows)
        steps.preview?.({
          format: file.format,
          users: userNames(file.users),
          rows: previewRows(prepared.shown, known, reference.records),
          ...prepared.missing,
          fixable: prepared.fixable,
        })
        return report
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isConcurrentChange(error)) throw error
      }
    }
  }
}
