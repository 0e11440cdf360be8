import { type Cells, csvText } from './files.ts'

// Spellings of makers that read oddly in a list of aircraft.
const MAKERS: Record<string, string> = {
  Beech: 'Beechcraft',
  BAYKAR: 'Baykar',
  Comac: 'COMAC',
  'DIRGANTARA INDONESIA': 'Indonesian Aerospace',
  'Gates Learjet': 'Learjet',
  'Hawker Beechcraft': 'Beechcraft',
  SAAB: 'Saab',
  'SAAB Fairchild': 'Saab',
  "Van'S": "Van's",
}

/** The text of aircraft.csv: one clear name for each designator, by designator. */
export function aircraftText(source: Cells[], corrections: Cells[]): string {
  const rowsByDesignator = new Map<string, Cells[]>()
  for (const row of source) {
    const icao = row.icao ?? ''
    if (!row.species || !/^[A-Z0-9]{2,4}$/.test(icao)) continue
    rowsByDesignator.set(icao, [...(rowsByDesignator.get(icao) ?? []), row])
  }
  const names = new Map([...rowsByDesignator].map(([icao, rows]) => [icao, nameByRule(rows)]))
  for (const line of corrections) names.set(line.icao ?? '', line.name ?? '')
  const rows = [...names].map(([icao, name]) => ({ id: icao, name, icao }))
  const wrong = rows.filter(({ icao, name }) => !/^[A-Z0-9]{2,4}$/.test(icao) || name === '' || name.length > 200)
  if (wrong.length > 0) throw new Error(`These aircraft types are wrong: ${wrong.map((row) => row.icao).join(', ')}.`)
  return csvText(
    ['id', 'name', 'icao'],
    rows.sort((one, other) => (one.icao < other.icao ? -1 : 1)),
  )
}

/** The text of iata-aircraft.csv, sorted, once every target is known to exist. */
export function iataAircraftText(lines: Cells[], aircraft: Cells[]): string {
  const designators = new Set(aircraft.map((row) => row.icao))
  const codes = new Map(lines.map((line) => [line.iata ?? '', line.icao ?? '']))
  const wrong = [...codes].filter(([iata, icao]) => !/^[A-Z0-9]{3}$/.test(iata) || !designators.has(icao))
  if (wrong.length > 0)
    throw new Error(`These IATA aircraft codes are wrong: ${wrong.map((pair) => pair.join(' ')).join(', ')}.`)
  if (codes.size !== lines.length) throw new Error('iata-aircraft.csv holds a code twice.')
  return csvText(
    ['iata', 'icao'],
    [...codes].map(([iata, icao]) => ({ iata, icao })).sort((one, other) => (one.iata < other.iata ? -1 : 1)),
  )
}

/**
 * The maker with most models of a designator stands for it, with its first current model; where just one longer model
 * adds a name to that one, the longer one reads better.
 */
function nameByRule(rows: Cells[]): string {
  const current = rows.some((row) => row.active === '1') ? rows.filter((row) => row.active === '1') : rows
  const counts = new Map<string, number>()
  for (const row of current) counts.set(row.manufacturer ?? '', (counts.get(row.manufacturer ?? '') ?? 0) + 1)
  const maker = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0]
  const models = current.filter((row) => row.manufacturer === maker).map((row) => tidy(row.model ?? ''))
  const first = models.find((model) => /\d/.test(model)) ?? models[0] ?? ''
  const longer = [...new Set(models.filter((model) => model.startsWith(`${first} `)))]
  return fullName(tidyMaker(maker), longer.length === 1 ? longer[0]! : first)
}

function tidyMaker(maker: string): string {
  const plain = tidy(maker.replace(/\s*\([^)]*\)/g, '')).replace(/^Pzl\b/, 'PZL')
  return MAKERS[plain] ?? plain
}

function fullName(maker: string, model: string): string {
  return model.toLowerCase().startsWith(maker.toLowerCase()) ? model : `${maker} ${model}`.trim()
}

function tidy(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().normalize('NFC')
}
