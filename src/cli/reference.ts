import { readFileSync } from 'node:fs'
import { createServices } from '../app/services.ts'
import { longWrites } from '../db/long-writes.ts'
import { closeDatabase, openDatabase, openExisting } from '../db/open.ts'
import type { CodeProblem } from '../domain/flights/code-check.ts'
import { createReferenceService } from '../domain/flights/touch-referencing-flights.ts'
import type { ReferenceFiles } from '../domain/reference/load.ts'
import { readRoutesFile } from '../domain/reference/routes-file.ts'
import { type Command, printJson, readFileOrFail, TEXT } from './command.ts'

const PAGE_SIZE = 500

const printedRecord = ({ id, iata, icao, name }: CodeProblem['record']) => ({ id, iata, icao, name })

const printedProblem = ({ member, record, validFrom, validUntil, replacement }: CodeProblem) => ({
  member,
  ...printedRecord(record),
  validFrom,
  validUntil,
  replacement: replacement && printedRecord(replacement),
})

const referenceCheck: Command = {
  name: 'reference check',
  usage: '',
  summary: 'List flights whose airport or airline did not exist on their day',
  details:
    'Prints one line of JSON for each flight, newest first, with the airport or airline that had the code on the day, if known. Nothing is changed: an administrator corrects flights on the page Reference data, Check flights.',
  run: (call) => {
    const { dataDir, databaseUrl } = call.config()
    const db = openExisting(dataDir, databaseUrl)
    try {
      const { all } = createServices({ db }).codeCheck
      const count = all.count()
      for (let offset = 0; offset < count; offset += PAGE_SIZE) {
        for (const { id, date, flightNumber, problems } of all.list({ limit: PAGE_SIZE, offset }))
          printJson({ flight: id, date, flightNumber, problems: problems.map(printedProblem) })
      }
      printJson({ flights: count })
    } finally {
      closeDatabase(db)
    }
  },
}

const referenceUpdate: Command = {
  name: 'reference update',
  usage: '[--airports FILE] [--airlines FILE] [--aircraft FILE] [--routes FILE]',
  summary: 'Update airports, airlines, aircraft types and the routes of flight numbers',
  details:
    'Without files, updates everything from the data of this version. With files, updates only those kinds: airports from an OurAirports airports.csv, routes from a CSV file (plain or gzip) with the columns airline, number, airports, since and optionally until, the others from JSON arrays of {name, icao, iata}. Routes are replaced. Other rows are never deleted, and rows created on this instance stay as they are.',
  options: { airports: TEXT, airlines: TEXT, aircraft: TEXT, routes: TEXT },
  run: async (call) => {
    const files: ReferenceFiles = {}
    for (const kind of ['airports', 'airlines', 'aircraft'] as const) {
      const file = call.option(kind)
      if (file !== undefined) files[kind] = readFileOrFail(file, (path) => readFileSync(path, 'utf8'))
    }
    const routes = call.option('routes')
    // An invalid file is refused before the database is opened.
    if (routes !== undefined) files.routes = await readRoutesFile(routes)
    const { dataDir, databaseUrl } = call.config()
    const db = openDatabase(dataDir, databaseUrl)
    try {
      const reference = createReferenceService(db, longWrites({ db }), (operator) => operator)
      const given = Object.keys(files).length > 0
      for (const line of await reference.update(given ? files : undefined)) printJson(line)
    } finally {
      closeDatabase(db)
    }
  },
}

export const referenceCommands = [referenceUpdate, referenceCheck] as const
