import { fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { longWrites } from '../db/long-writes.ts'
import { allowLongStatements, closeDatabase, openDatabase } from '../db/open.ts'
import { createReferenceService } from '../domain/flights/touch-referencing-flights.ts'
import type { ReferenceFiles } from '../domain/reference/load.ts'
import { readRoutesFile } from '../domain/reference/routes-file.ts'
import { type Command, printJson, readFileOrFail } from './command.ts'

const CHUNK_BYTES = 256 * 1024

/** The text of a file in chunks. It can be iterated more than once. */
function chunksOf(path: string): Iterable<string> {
  const file = openSync(path, 'r')
  if (!fstatSync(file).isFile()) throw new Error('it is read more than once and must be a file')
  const bytes = Buffer.allocUnsafe(CHUNK_BYTES)
  return {
    *[Symbol.iterator]() {
      const decoder = new StringDecoder('utf8')
      for (let position = 0, read = -1; read !== 0; position += read) {
        read = readSync(file, bytes, { position })
        yield decoder.write(bytes.subarray(0, read))
      }
      yield decoder.end()
    },
  }
}

export const referenceUpdate: Command = {
  name: 'reference update',
  usage: '[--airports FILE] [--airlines FILE] [--aircraft FILE] [--routes FILE]',
  summary: 'Renew airports, airlines, aircraft types and the routes of flight numbers',
  details:
    'Without files, everything is renewed from the data that this version ships. With files, only those kinds: airports from an OurAirports airports.csv, routes from a CSV, plain or packed by gzip, with the columns airline, number, since and airports, the others from JSON arrays of {name, icao, iata}. Routes take the place of those that were there. Of the others no row is deleted, and rows made on this instance are left alone.',
  options: {
    airports: { type: 'string' },
    airlines: { type: 'string' },
    aircraft: { type: 'string' },
    routes: { type: 'string' },
  },
  run: async (call) => {
    const files: ReferenceFiles = {}
    for (const kind of ['airlines', 'aircraft'] as const) {
      const file = call.option(kind)
      if (file !== undefined) files[kind] = readFileOrFail(file, (path) => readFileSync(path, 'utf8'))
    }
    const airports = call.option('airports')
    if (airports !== undefined) files.airports = readFileOrFail(airports, chunksOf)
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
