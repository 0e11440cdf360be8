import { crc32 } from 'node:zlib'
import type { ShippedAirport } from './shipped.ts'

const TWIN_KILOMETRES = 3
const SAME_SPOT_KILOMETRES = 0.2

/** A row of OurAirports that can be used. */
export type Candidate = Omit<ShippedAirport, 'icao' | 'timezone'> & {
  ident: string
  icaoCode: string | null
  markedDuplicate: boolean
}

type Codes = Pick<ShippedAirport, 'icao' | 'iata'>

/**
 * The codes that rows end up with, by their place in the file; undefined for one that is left out. A row that shares
 * nothing with another one keeps its own; it is not among them, and never held. The rows are gone through twice.
 */
export function chosenCodes(
  candidates: (unusable?: string[]) => Iterable<Candidate>,
  problems: string[],
): Map<number, Codes | undefined> {
  const shared = new Set(repeated(Iterator.from(candidates(problems)).flatMap(sumsOf)))
  const rivals = new Map<number, Candidate>()
  let count = 0
  for (const candidate of candidates()) {
    const isRival = candidate.markedDuplicate || sumsOf(candidate).some((sum) => shared.has(sum))
    if (isRival) rivals.set(count, candidate)
    count++
  }
  if (count === 0) throw new Error('It holds no airport.')
  const kept = new Set(withoutTwins(withoutRepeatedKeys([...rivals.values()], problems), problems))
  takeRepeatedCodes(kept, problems)
  const idents = new Set([...kept].map(({ ident }) => ident))
  const choice = new Map<number, Codes | undefined>()
  for (const [place, row] of rivals) {
    const { ident, icaoCode, iata } = row
    // An ICAO code that is the ident of another row would stand in the data twice.
    const icao = icaoCode !== null && (icaoCode === ident || !idents.has(icaoCode)) ? icaoCode : ident
    choice.set(place, kept.has(row) ? { icao, iata } : undefined)
  }
  return choice
}

/** What rows are told apart by. */
const keysOf = (row: Candidate) => [
  `id ${row.sourceId}`,
  `code ${row.ident}`,
  ...(row.icaoCode === null || row.icaoCode === row.ident ? [] : [`code ${row.icaoCode}`]),
  ...(row.iata === null ? [] : [`iata ${row.iata}`]),
  `name ${lettersOf(row)}`,
]

/** As checksums, which take a tenth of the memory. */
const sumsOf = (row: Candidate) => keysOf(row).map((key) => crc32(key))

function* repeated(sums: Iterable<number>): Generator<number> {
  const sorted = Uint32Array.from(sums).sort()
  for (const [index, sum] of sorted.entries()) if (sum === sorted[index + 1]) yield sum
}

function withoutRepeatedKeys(rows: Candidate[], problems: string[]): Candidate[] {
  const ids = new Set<string>()
  const idents = new Set<string>()
  return rows.filter((row) => {
    if (ids.has(row.sourceId) || idents.has(row.ident)) {
      problems.push(`${row.ident}: another row has the same id or ident.`)
      return false
    }
    ids.add(row.sourceId)
    idents.add(row.ident)
    return true
  })
}

/** Drops rows that are in the file twice: those marked by the editors, and those equal in name, type and place. */
function withoutTwins(rows: Candidate[], problems: string[]): Candidate[] {
  const cells = Map.groupBy(rows, (row) => cellOf(row, 0, 0))
  const dropped = new Set<Candidate>()
  for (const row of rows) {
    const near = [-1, 0, 1].flatMap((north) => [-1, 0, 1].flatMap((east) => cells.get(cellOf(row, north, east)) ?? []))
    const twin = near.find((other) => other !== row && !dropped.has(other) && isTwin(row, other))
    const withoutCode = row.icaoCode === null && row.iata === null
    if (!twin && !(row.markedDuplicate && withoutCode)) continue
    dropped.add(row)
    problems.push(`${row.ident}: ${twin ? `it is the same airport as ${twin.ident}` : 'it is marked as a duplicate'}.`)
  }
  return rows.filter((row) => !dropped.has(row))
}

function cellOf(row: Candidate, north: number, east: number): string {
  return `${Math.floor(row.latitude * 5) + north},${Math.floor(row.longitude * 5) + east}`
}

function isTwin(row: Candidate, other: Candidate): boolean {
  if (other.markedDuplicate) return false
  // A row marked as duplicate that has codes and no open namesake nearby is the one in use, such as Western Sydney.
  if (row.markedDuplicate) {
    return (
      other.type !== 'closed' && lettersOf(row) === lettersOf(other) && kilometresBetween(row, other) < TWIN_KILOMETRES
    )
  }
  if (row.icaoCode !== null || row.iata !== null || row.type !== other.type || row.country !== other.country)
    return false
  if (lettersOf(row) !== lettersOf(other)) return false
  // Of two equal rows the one with a code stays, else the older one.
  const otherStays = other.icaoCode !== null || other.iata !== null || Number(other.sourceId) < Number(row.sourceId)
  return otherStays && kilometresBetween(row, other) < SAME_SPOT_KILOMETRES
}

function lettersOf(row: Candidate): string {
  return row.name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function kilometresBetween(from: Candidate, to: Candidate): number {
  const radians = Math.PI / 180
  const north = (to.latitude - from.latitude) * radians
  const east = (to.longitude - from.longitude) * radians * Math.cos(((from.latitude + to.latitude) / 2) * radians)
  return 6371 * Math.hypot(north, east)
}

/** Of a code that several have, the first keeps it. */
function takeRepeatedCodes(rows: Iterable<Candidate>, problems: string[]): void {
  const iataHolders = new Map<string, string>()
  const icaoHolders = new Map<string, string>()
  const free = (holders: Map<string, string>, found: string | null, row: Candidate): string | null => {
    const holder = found === null ? undefined : holders.get(found)
    if (holder) problems.push(`${row.ident}: the code ${found} belongs to ${holder}.`)
    else if (found !== null) holders.set(found, row.ident)
    return holder ? null : found
  }
  for (const row of rows) {
    row.icaoCode = free(icaoHolders, row.icaoCode, row)
    if (row.type !== 'closed') row.iata = free(iataHolders, row.iata, row)
  }
}
