import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { readRoutesFile } from '../routes-file.ts'
import { blocksOf } from '../routes-store.ts'
import type { AirportCorrection } from '../shipped.ts'
import { aircraftText, iataAircraftText } from './aircraft.ts'
import { airlinesText } from './airlines.ts'
import { airportsText, formerCodesText } from './airports.ts'
import { csvRows, csvText, dataRows, hideSystem, sourceText, versionOf, writeData } from './files.ts'
import { aircraftSearch, airlineSearch, airportSearch } from './search.ts'
import { validityText } from './validity.ts'

const USAGE =
  'Usage: npm run reference:build -- --airports FILE.csv[.gz] --airlines FILE.csv[.gz] --aircraft FILE.csv[.gz] --use FILE.csv[.gz] --routes FILE.csv[.gz] --ended FILE.csv[.gz] --date YYYY-MM-DD [--verbose]'

async function build(): Promise<void> {
  const { values } = parseArgs({
    options: {
      airports: { type: 'string' },
      airlines: { type: 'string' },
      aircraft: { type: 'string' },
      use: { type: 'string' },
      routes: { type: 'string' },
      ended: { type: 'string' },
      date: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  })
  const { airports, airlines, aircraft, use, routes, ended, date } = values
  if (!airports || !airlines || !aircraft || !use || !routes || !ended || !date || !/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    throw new Error('The six source files and the date of the sources are needed.')
  }
  const corrections = dataRows('airport-corrections.csv') as AirportCorrection[]
  const airportSource = sourceText(airports)
  const airportLines = airportsText(airportSource, corrections)
  const sources = {
    source: csvRows(airportSource),
    aliases: dataRows('airport-aliases.csv'),
    use: new Map(csvRows(sourceText(use)).map(({ icao = '', pairs }) => [icao, Number(pairs)])),
    cities: dataRows('cities.csv'),
    cityNames: dataRows('city-names.csv'),
    regions: dataRows('regions.csv'),
    moved: dataRows('moved-airports.csv'),
    dated: new Set(dataRows('airport-validity.csv').map(({ id = '' }) => id)),
  }
  const formerLines = formerCodesText(airportLines.airports, sources)
  const airlineLines = airlinesText(
    csvRows(sourceText(airlines)),
    dataRows('airline-corrections.csv'),
    dataRows('airline-additions.csv'),
  )
  const models = csvRows(sourceText(aircraft))
  const aircraftLines = aircraftText(models, dataRows('aircraft-corrections.csv'))
  const iataLines = iataAircraftText(dataRows('iata-aircraft.csv'), csvRows(aircraftLines))
  const otherNames = dataRows('other-names.csv')
  const routeBlocks = [...blocksOf(readRoutesFile(routes, ended), 9)]
  for (const { packed } of routeBlocks) hideSystem(packed)
  const formerCodes = csvRows(formerLines)
  const indexes = {
    airports: await airportSearch(airportLines.airports, { ...sources, formerCodes }),
    airlines: await airlineSearch(csvRows(airlineLines), otherNames),
    aircraft: await aircraftSearch(csvRows(aircraftLines), {
      source: models,
      iataCodes: csvRows(iataLines),
      otherNames,
    }),
  }
  const searchFiles = Object.entries(indexes).flatMap(([kind, { rows, terms }]) => [
    [`${kind}-search.ndjson.gz`, rows] as const,
    [`${kind}-terms.tsv.gz`, terms] as const,
  ])
  const made = {
    ...Object.fromEntries(searchFiles),
    'airports.tsv.gz': airportLines.text,
    'airlines.csv': airlineLines,
    'aircraft.csv': aircraftLines,
    'iata-aircraft.csv': iataLines,
    'former-codes.csv': formerLines,
    'airport-validity.csv': validityText(
      'airport-validity.csv',
      airportLines.airports.map(({ sourceId }) => sourceId),
    ),
    'airline-validity.csv': validityText(
      'airline-validity.csv',
      csvRows(airlineLines).map(({ id = '' }) => id),
    ),
    'routes.csv': csvText(
      ['airline', 'number', 'bytes'],
      routeBlocks.map(({ airline, firstNumber, packed }) => ({
        airline,
        number: String(firstNumber),
        bytes: String(packed.length),
      })),
    ),
  }
  const version = versionOf([...Object.values(made), ...routeBlocks.map(({ packed }) => gunzipSync(packed))])
  for (const [name, content] of Object.entries(made)) writeData(name, content)
  writeFileSync(
    new URL('../data/routes.tsv.gz', import.meta.url),
    Buffer.concat(routeBlocks.map(({ packed }) => packed)),
  )
  writeData('meta.json', `${JSON.stringify({ date, version }, null, 2)}\n`)
  if (values.verbose) process.stdout.write(`${airportLines.notes.join('\n')}\n`)
  const rows = (text: string) => text.split('\n').length - 2
  process.stdout.write(
    `${rows(airportLines.text)} airports (${airportLines.notes.length} notes, --verbose shows them), ${rows(airlineLines)} airlines, ` +
      `${rows(aircraftLines)} aircraft types, ${rows(iataLines)} IATA aircraft codes, ${rows(formerLines)} former codes of airports, ` +
      `${routeBlocks.length} blocks of routes; version ${version}.\n`,
  )
}

try {
  await build()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`)
  process.exitCode = 1
}
