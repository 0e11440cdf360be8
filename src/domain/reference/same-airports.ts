import type { ShippedAirport } from './shipped.ts'

const TWIN_KILOMETRES = 3
const SAME_SPOT_KILOMETRES = 0.2

/** A row of OurAirports that can be used. */
export type Candidate = Omit<ShippedAirport, 'icao' | 'timezone'> & {
  ident: string
  icaoCode: string | null
  markedDuplicate: boolean
}

/** Drops rows that repeat another one, and takes codes away that an earlier row has. */
export function withoutDuplicates(rows: Candidate[], problems: string[]): Candidate[] {
  const kept = withoutTwins(withoutRepeatedKeys(rows, problems), problems)
  takeRepeatedCodes(kept, problems)
  return kept
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
  const namesakes = Map.groupBy(rows, lettersOf)
  const dropped = new Set<Candidate>()
  for (const row of rows) {
    const twin = namesakes
      .get(lettersOf(row))!
      .find((other) => other !== row && !dropped.has(other) && isTwin(row, other))
    const withoutCode = row.icaoCode === null && row.iata === null
    if (!twin && !(row.markedDuplicate && withoutCode)) continue
    dropped.add(row)
    problems.push(`${row.ident}: ${twin ? `it is the same airport as ${twin.ident}` : 'it is marked as a duplicate'}.`)
  }
  return rows.filter((row) => !dropped.has(row))
}

/** Both have the same name. */
function isTwin(row: Candidate, other: Candidate): boolean {
  if (other.markedDuplicate) return false
  // A row marked as duplicate that has codes and no open namesake nearby is the one in use, such as Western Sydney.
  if (row.markedDuplicate) {
    return other.type !== 'closed' && kilometresBetween(row, other) < TWIN_KILOMETRES
  }
  if (row.icaoCode !== null || row.iata !== null || row.type !== other.type || row.country !== other.country)
    return false
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
function takeRepeatedCodes(rows: readonly Candidate[], problems: string[]): void {
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
