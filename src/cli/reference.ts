import { readFileSync } from 'node:fs'
import { longWrites } from '../db/long-writes.ts'
import { allowLongStatements, closeDatabase, openDatabase } from '../db/open.ts'
import { createReferenceService } from '../domain/flights/touch-referencing-flights.ts'
import type { ReferenceFiles } from '../domain/reference/load.ts'
import { readRoutesFile } from '../domain/reference/routes-file.ts'
import { type Command, printJson, readFileOrFail, TEXT } from './command.ts'

export const referenceUpdate: Command = {
  name: 'reference update',
  usage: '[--airports FILE] [--airlines FILE] [--aircraft FILE] [--routes FILE]',
  summary: 'Update airports, airlines, aircraft types and the routes of flight numbers',
  details:
    'Without files, updates everything from the data of this version. With files, updates only those kinds: airports from an OurAirports airports.csv, routes from a CSV file (plain or gzip) with the columns airline, number, since and airports, the others from JSON arrays of {name, icao, iata}. Routes are replaced. Other rows are never deleted, and rows created on this instance stay as they are.',
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
    allowLongStatements(db)
    try {
      const reference = createReferenceService(db, longWrites({ db }), (operator) => operator)
      const given = Object.keys(files).length > 0
      for (const line of await reference.update(given ? files : undefined)) printJson(line)
    } finally {
      closeDatabase(db)
    }
  },
}
