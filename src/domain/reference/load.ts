import tzLookup from '@photostructure/tz-lookup'
import * as z from 'zod'
import type { Db } from '../../db/open.ts'
import { readSetting, writeSetting } from '../../db/settings.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { foldCase } from '../../lib/text.ts'
import { correctAirports } from './airport-corrections.ts'
import { type ReferenceKind, referenceKinds } from './kinds.ts'
import { parseOurAirports } from './ourairports.ts'
import { fill, type Renewal, renew } from './renew.ts'
import { type ShippedRow, shippedRowStore } from './renew-store.ts'
import { blocksOf, type RoutesRenewal, replaceRoutes } from './routes-store.ts'
import { shippedWasChanged, shippedWasLoaded } from './search/coverage.ts'
import {
  readAirportCorrections,
  readShippedAircraft,
  readShippedAirlines,
  readShippedAirports,
  readShippedRoutes,
  type ShippedAirport,
  shippedVersion,
} from './shipped.ts'
import { NO_VALIDITY, shippedValidity } from './validity.ts'

export type KindRenewal = ({ kind: ReferenceKind } & Renewal) | ({ kind: 'routes' } & RoutesRenewal)

export type ChangedRows = Partial<Record<ReferenceKind, readonly number[]>>

/** The contents of newer files. */
export interface ReferenceFiles {
  airlines?: string
  aircraft?: string
  airports?: Iterable<string>
  /** As returned by `readRoutesFile`. */
  routes?: Buffer
}

const VERSION_KEY = 'reference_version'

interface Coded {
  sourceId: string
  name: string
  icao: string | null
  iata?: string | null
}

const airlineRow = ({ sourceId, name, icao, iata }: Coded): ShippedRow => ({
  sourceId,
  name,
  nameKey: foldCase(name),
  icao,
  iata: iata ?? null,
})

const aircraftRow = ({ sourceId, name, icao }: Coded): ShippedRow => ({ sourceId, name, nameKey: foldCase(name), icao })

const codedFile = (icao: RegExp) =>
  z.array(
    z.object({
      name: z.string().trim().min(1).max(200),
      icao: z.string().toUpperCase().regex(icao).nullish(),
      iata: z
        .string()
        .toUpperCase()
        .regex(/^[A-Z0-9]{2}\*?$/)
        .nullish(),
    }),
  )

const codedFiles = { airlines: codedFile(/^[A-Z0-9]{1,3}$/), aircraft: codedFile(/^[A-Z0-9]{2,4}$/) }

/** The source id of a row is its ICAO code, or its name if it has none or an earlier row has the same. */
function parseCoded(kind: keyof typeof codedFiles, content: string): Coded[] {
  let json: unknown
  try {
    json = JSON.parse(content.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new StartupError(`The ${kind} file is not valid JSON.`, { cause })
  }
  const parsed = codedFiles[kind].safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StartupError(
      `The ${kind} file must be a JSON array of {name, icao, iata}. Fix ${issue!.path.join('.') || 'the top level'}.`,
    )
  }
  const known = new Set<string>()
  return parsed.data.map(({ name, icao = null, iata = null }) => {
    const sourceId = icao !== null && !known.has(icao) ? icao : foldCase(name)
    known.add(sourceId)
    return { sourceId, name, icao, iata }
  })
}

function parseAirports(content: Iterable<string>): Iterable<ShippedAirport> {
  try {
    const { airports: parsed } = parseOurAirports(content, tzLookup)
    // The file lacks our corrections, such as former codes of closed airports.
    return correctAirports(parsed, readAirportCorrections(), tzLookup).airports
  } catch (cause) {
    throw new StartupError(`Cannot read the airports file: ${(cause as Error).message}`, { cause })
  }
}

/** Adds the shipped days of existence, which newer files lack. */
function* withValidity<Row extends ShippedRow>(kind: 'airports' | 'airlines', rows: Iterable<Row>): Generator<Row> {
  const known = shippedValidity(kind)
  for (const row of rows) yield { ...row, ...(known.get(row.sourceId) ?? NO_VALIDITY) }
}

const readers: Record<ReferenceKind, (files: ReferenceFiles) => Iterable<ShippedRow>> = {
  airports: ({ airports: pieces }) =>
    withValidity('airports', pieces === undefined ? readShippedAirports() : parseAirports(pieces)),
  airlines: ({ airlines: content }) =>
    withValidity(
      'airlines',
      (content === undefined ? readShippedAirlines() : parseCoded('airlines', content)).map(airlineRow),
    ),
  aircraft: ({ aircraft: content }) =>
    (content === undefined ? readShippedAircraft() : parseCoded('aircraft', content)).map(aircraftRow),
}

/** The version of the shipped data in the tables, or undefined before the first load. */
export const loadedVersion = (db: Db): string | undefined => readSetting(db, VERSION_KEY)

/** Renews the given kinds, or all kinds from the shipped data, inside the caller's transaction. */
export function renewReference(db: Db, files?: ReferenceFiles): { report: KindRenewal[]; changed: ChangedRows } {
  const kinds = referenceKinds.filter((kind) => !files || files[kind] !== undefined)
  const changed: ChangedRows = {}
  const report = kinds.map((kind): KindRenewal => {
    const store = shippedRowStore(db, kind)
    const rows = readers[kind](files ?? {})
    const changes = !files && store.isEmpty() ? fill(store, rows) : renew(store, rows)
    if (files) shippedWasChanged(db, kind, changes.renamedSources)
    else shippedWasLoaded(db, kind, changes.differingSources)
    changed[kind] = changes.changedIds
    const { inserted, updated, unchanged, skipped } = changes
    return { kind, inserted, updated, unchanged, skipped }
  })
  if (!files || files.routes) {
    report.push({ kind: 'routes', ...replaceRoutes(db, files?.routes ? blocksOf(files.routes) : readShippedRoutes()) })
  }
  if (!files) writeSetting(db, VERSION_KEY, shippedVersion())
  return { report, changed }
}
