import { type Cells, csvText } from './files.ts'

interface Airport {
  sourceId: string
  icao: string
  iata: string | null
}

/**
 * The text of former-codes.csv: codes that an airport had once, with its ICAO code of today. Those of the hand-written
 * table, the keys that OurAirports kept when a code was changed, and ICAO codes in the keywords of airports with routes.
 */
export function formerCodesText(
  airports: readonly Airport[],
  { source, aliases, use }: { source: Cells[]; aliases: Cells[]; use: ReadonlyMap<string, number> },
): string {
  const held = new Set(airports.flatMap(({ icao, iata }) => [icao, iata ?? icao]))
  const byId = new Map(airports.map((airport) => [airport.sourceId, airport]))
  const wrong = aliases.filter(({ code = '', icao = '' }) => held.has(code) || !held.has(icao))
  if (wrong.length > 0) {
    throw new Error(
      `airport-aliases.csv names a code that is in use, or an unknown airport: ${wrong.map(({ code }) => code).join(', ')}.`,
    )
  }
  const found = new Map<string, string>()
  const add = (code: string, icao: string) => {
    if (!held.has(code) && !found.has(code)) found.set(code, icao)
  }
  for (const { code = '', icao = '' } of aliases) add(code, icao)
  for (const { id = '', ident = '' } of source) {
    const airport = byId.get(id)
    if (airport && /^[A-Z]{4}$/.test(ident)) add(ident, airport.icao)
  }
  for (const { id = '', keywords = '' } of source) {
    const airport = byId.get(id)
    if (!airport || !use.has(airport.icao)) continue
    for (const word of keywords.split(/[,;/]/)) if (/^[A-Z]{4}$/.test(word.trim())) add(word.trim(), airport.icao)
  }
  const rows = [...found].map(([code, icao]) => ({ code, icao }))
  return csvText(
    ['code', 'icao'],
    rows.sort((one, other) => (one.code < other.code ? -1 : 1)),
  )
}
