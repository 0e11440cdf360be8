import { type Cells, csvText } from './files.ts'

const COLUMNS = ['id', 'name', 'icao', 'iata', 'defunct', 'routes']

// Reservation systems have no ICAO code; airlines with such an IATA code have one.
const RESERVATION_SYSTEM = /^1[A-Z]$/

/** In the order of the source, then the additions, then the rows moved to the end. */
export function airlinesText(source: Cells[], corrections: Cells[], additions: Cells[]): string {
  const added = new Set(additions.map(identity))
  const corrected = correctedRows(source, corrections).filter((row) => !added.has(identity(row)))
  const codes = new Set(additions.flatMap((row) => [row.icao, row.iata]).filter(Boolean))
  // A code must find a well-known former airline before an obscure one.
  const isLast = (row: Cells) =>
    row.order === 'last' || (row.routes === '0' && row.defunct === '' && (codes.has(row.icao) || codes.has(row.iata)))
  const leading = corrected.filter((row) => !isLast(row))
  const rows = withIds(withoutRepetition([...leading, ...additions, ...corrected.filter(isLast)]))
  const wrong = rows.filter((row) => !fits(row)).map((row) => row.name)
  if (wrong.length > 0) throw new Error(`These airlines have a code of a wrong form: ${wrong.join(', ')}.`)
  return csvText(
    COLUMNS,
    // The routes of a row that was moved to the end must not bring it forward in a search.
    rows.map((row) => ({ ...row, routes: row.routes === '0' || row.order === 'last' ? '' : (row.routes ?? '') })),
  )
}

function correctedRows(source: Cells[], corrections: Cells[]): Cells[] {
  const byKey = new Map(corrections.map((line) => [line.key ?? '', line]))
  const unused = new Set(byKey.keys())
  const rows = source.flatMap((row): Cells[] => {
    const key = keyOf(row)
    const line = byKey.get(key)
    unused.delete(key)
    if (line?.action === 'drop' || (row.icao === '' && RESERVATION_SYSTEM.test(row.iata ?? ''))) return []
    return [correctedRow(row, line)]
  })
  if (unused.size > 0) throw new Error(`airline-corrections.csv names unknown airlines: ${[...unused].join(', ')}.`)
  return rows
}

function keyOf(row: Cells): string {
  return row.icao || `${row.iata} ${row.name}`
}

function correctedRow(row: Cells, line: Cells | undefined): Cells {
  return {
    name: line?.name || tidyName(row.name ?? ''),
    icao: row.icao ?? '',
    iata: changed(line?.iata, row.iata),
    defunct: line?.defunct ?? '',
    order: line?.action === 'last' ? 'last' : '',
    routes: row.routes ?? '',
  }
}

function changed(value: string | undefined, before: string | undefined): string {
  if (value === '-') return ''
  return value || before || ''
}

function tidyName(name: string): string {
  return name
    .replaceAll('&amp;', '&')
    .replace(/\s+/gu, ' ')
    .replace(/,? (?:Ltd|Limited|LLC|Inc|GmbH|S\.p\.A|S\.A)\.?$/u, '')
    .trim()
    .normalize('NFC')
}

function identity(row: Cells): string {
  return `${row.name?.toLowerCase()}\t${row.icao}`
}

function withoutRepetition(rows: Cells[]): Cells[] {
  const seen = new Set<string>()
  return rows.filter((row) => !seen.has(identity(row)) && seen.add(identity(row)))
}

/** The first holder of an ICAO code has it as its id, so that adding a former airline does not change ids. */
function withIds(rows: Cells[]): Cells[] {
  const taken = new Set<string>()
  return rows.map((row) => {
    const slug = slugOf(row.name ?? '')
    const candidates = [row.icao, slug, `${slug}-${(row.iata || row.icao || 'x').toLowerCase()}`]
    const id = candidates.find((candidate) => candidate && !taken.has(candidate))
    if (!id) throw new Error(`There is no free id for the airline ${row.name}.`)
    taken.add(id)
    return { ...row, id }
  })
}

function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ø', 'o')
    .toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}

function fits(row: Cells): boolean {
  const { name = '', icao = '', iata = '' } = row
  return name !== '' && name.length <= 200 && /^[A-Z0-9]{0,3}$/.test(icao) && /^(?:[A-Z0-9]{2}\*?)?$/.test(iata)
}
