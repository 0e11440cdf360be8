import { type Cells, csvText } from './files.ts'

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

export function aircraftText(source: Cells[], corrections: Cells[]): string {
  const aircraft = source.filter(({ icao = '', species }) => species && /^[A-Z0-9]{2,4}$/.test(icao))
  const byDesignator = Map.groupBy(aircraft, ({ icao = '' }) => icao)
  const names = new Map([...byDesignator].map(([icao, rows]) => [icao, nameByRule(rows)]))
  for (const line of corrections) names.set(line.icao ?? '', line.name ?? '')
  const rows = [...names].map(([icao, name]) => ({ id: icao, name, icao }))
  const wrong = rows.filter(({ icao, name }) => !/^[A-Z0-9]{2,4}$/.test(icao) || name === '' || name.length > 200)
  if (wrong.length > 0) throw new Error(`These aircraft types are wrong: ${wrong.map((row) => row.icao).join(', ')}.`)
  return csvText(
    ['id', 'name', 'icao'],
    rows.sort((one, other) => (one.icao < other.icao ? -1 : 1)),
  )
}

/** Checks and sorts the lines. */
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

/** The first current model of the maker with most models, or the only longer model that begins with it. */
function nameByRule(rows: Cells[]): string {
  const current = rows.some((row) => row.active === '1') ? rows.filter((row) => row.active === '1') : rows
  const byMaker = Map.groupBy(current, ({ manufacturer = '' }) => manufacturer)
  const [maker, ofMaker] = [...byMaker].reduce((best, entry) => (entry[1].length > best[1].length ? entry : best))
  const models = ofMaker.map((row) => tidy(row.model ?? ''))
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
