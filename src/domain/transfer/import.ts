import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { AppError } from '../../lib/errors.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import type { AddFlight, ImportedExtras } from '../flights/imported.ts'
import { packTrack } from '../flights/track-packing.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { ImportQuery, ImportReport } from './contract.ts'
import { detectFormat } from './formats/detect.ts'
import { type FormatName, formats } from './formats/registry.ts'
import { type ParsedFile, type ParsedFlight, UnreadableFile } from './formats/row.ts'
import { importStore } from './import-store.ts'
import { idOf, referenceLookup } from './lookup.ts'
import { duplicateFinder, naturalKey } from './natural-key.ts'
import { chooseUser, personalTravellers, restoredTravellers, type Traveller } from './people.ts'
import { type ResolvedFlight, resolveFlight } from './resolve.ts'
import { restoredValues } from './restored-values.ts'

/** Rows worked on before other requests get their turn. */
const AT_ONCE = 200

export type ImportService = ReturnType<typeof importService>

/** Called while a long import runs. */
export type Progress = (done: number, rows: number) => void

interface Dependencies {
  db: Db
  addFlight: AddFlight
  reference: ReferenceService
  customFields: CustomFieldService
}

interface ReadyRow {
  resolved: ResolvedFlight
  travellers: Traveller[]
  extras: ImportedExtras
}

/** A dry run does the whole work and then leaves the transaction by this. */
class Undo extends Error {}

const refuse = (message: string) => new AppError('validation_failed', message)

function textOf(file: Buffer): string {
  if (file.length === 0) throw refuse('The file is empty.')
  if (!isUtf8(file)) throw refuse('The file is not UTF-8 text.')
  return file.toString().replace(/^\uFEFF/, '')
}

/** A parameter of another format is a mistake that should not pass in silence. */
function requireFitting(format: FormatName, query: ImportQuery): void {
  const { takes } = formats[format]
  const wrong = (['mode', 'fileUser', 'mineOnly'] as const).filter(
    (name) => query[name] !== undefined && (!takes.includes(name) || (name === 'fileUser' && query.mode === 'restore')),
  )
  if (wrong.length > 0) {
    throw new AppError(
      'bad_request',
      `The parameter ${wrong.join(', ')} does not belong to an import of this kind (${format}).`,
    )
  }
}

function parse(text: string, query: ImportQuery): { format: FormatName; file: ParsedFile } {
  try {
    const format = query.format === 'auto' ? detectFormat(text) : query.format
    requireFitting(format, query)
    return { format, file: formats[format].parse(text, { mineOnly: query.mineOnly ?? true }) }
  } catch (error) {
    if (error instanceof UnreadableFile) throw new AppError('validation_failed', error.message, { cause: error })
    throw error
  }
}

export function importService({ db, addFlight, reference, customFields }: Dependencies) {
  const store = importStore(db)

  /** Who is on a flight, or why the row cannot be taken. */
  function travellersOf(caller: Caller, format: FormatName, file: ParsedFile, query: ImportQuery) {
    if (format !== 'backup') {
      return ({ seat, seatNumber, seatClass, flightReason }: ParsedFlight): Traveller[] => [
        { userId: caller.userId, guestName: null, seat, seatNumber, seatClass, flightReason },
      ]
    }
    if (query.mode === 'restore') {
      const local = store.usersByName()
      return (flight: ParsedFlight) => restoredTravellers(flight, local)
    }
    const chosen = chooseUser(file.users ?? [], query.fileUser, caller.username)
    return (flight: ParsedFlight) =>
      personalTravellers(flight, chosen, caller.userId) ?? `${chosen.username} is not on this flight.`
  }

  async function extrasOf(flight: ParsedFlight, resolved: ResolvedFlight, travellers: Traveller[], isBackup: boolean) {
    const { track } = resolved.body
    return {
      track: track ? await packTrack(track) : undefined,
      values: isBackup
        ? restoredValues(flight.customFields, customFields.definitionsOf('flight'), reference)
        : undefined,
      passengerValues: isBackup
        ? travellers.map(({ customFields: values }) =>
            restoredValues(values, customFields.definitionsOf('flight_passenger'), reference),
          )
        : undefined,
    }
  }

  /** Everything that needs no lock, in slices between which other requests get their turn. */
  async function readyRows(
    caller: Caller,
    format: FormatName,
    file: ParsedFile,
    query: ImportQuery,
    progress: Progress,
  ) {
    const lookup = referenceLookup(reference, caller, query.mode === 'restore')
    const aboard = travellersOf(caller, format, file, query)
    const ready: ReadyRow[] = []
    const rejected: ImportReport['rejected'] = []
    reference.records.refresh()
    for (const [index, parsed] of file.rows.entries()) {
      if (index % AT_ONCE === 0) {
        progress(index, file.rows.length)
        await nextTurn()
      }
      const { row } = parsed
      if ('reason' in parsed) {
        rejected.push({ row, reason: parsed.reason })
        continue
      }
      const travellers = aboard(parsed.flight)
      if (typeof travellers === 'string') {
        rejected.push({ row, reason: travellers })
        continue
      }
      const resolved = resolveFlight(parsed.flight, travellers, lookup)
      if ('reason' in resolved) {
        rejected.push({ row, reason: resolved.reason })
        continue
      }
      const extras = await extrasOf(parsed.flight, resolved, travellers, format === 'backup')
      ready.push({ resolved, travellers, extras })
    }
    return { ready, rejected }
  }

  /** One transaction: all rows, or none when something fails. */
  function write(caller: Caller, rows: readonly ReadyRow[], restoring: boolean) {
    const isDuplicate = duplicateFinder(store.keys(restoring ? 'all' : { userId: caller.userId }))
    let [created, duplicates] = [0, 0]
    for (const { resolved, travellers, extras } of rows) {
      const { body, from, to, airline, aircraft } = resolved
      const ids = {
        fromId: idOf(from),
        toId: idOf(to),
        airlineId: airline && idOf(airline),
        aircraftId: aircraft && idOf(aircraft),
      }
      const users = new Set(travellers.flatMap(({ userId }) => userId ?? []))
      if (isDuplicate(naturalKey({ ...body, ...ids }), users)) duplicates++
      else {
        addFlight({ ...body, ...ids }, extras)
        created++
      }
    }
    return { created, duplicates }
  }

  async function run(
    caller: Caller,
    file: Buffer,
    query: ImportQuery,
    progress: Progress = () => undefined,
  ): Promise<ImportReport> {
    const restoring = query.mode === 'restore'
    if (query.format !== 'auto') requireFitting(query.format, query)
    authorize(caller, 'importFlights', { restore: restoring })
    const { format, file: parsed } = parse(textOf(file), query)
    const { ready, rejected } = await readyRows(caller, format, parsed, query, progress)
    let counts = { created: 0, duplicates: 0 }
    try {
      db.transaction(
        () => {
          counts = write(caller, ready, restoring)
          if (query.dryRun) throw new Undo()
        },
        { behavior: 'immediate' },
      )
    } catch (error) {
      if (!(error instanceof Undo)) throw error
    }
    progress(parsed.rows.length, parsed.rows.length)
    return { rows: parsed.rows.length, ...counts, rejected, dryRun: query.dryRun }
  }

  return { run }
}
