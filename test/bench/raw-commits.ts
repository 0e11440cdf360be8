/** The baseline of durable writes: commits of one row with the driver only. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { placeholders } from '../../src/db/statements.ts'
import { flights } from '../../src/db/tables/index.ts'
import { smallRows } from './small-rows.ts'

const [, , row, seconds] = process.argv
const folder = mkdtempSync(join(tmpdir(), 'paxlog-raw-'))

/** Inserts flights into a Paxlog database with its indexes and references, but without passengers. */
async function flightRows() {
  const db = openDatabase(folder)
  const { reference } = createServices({ db, baseUrl: 'http://127.0.0.1' })
  await reference.loadShipped()
  const [fromId, toId] = ['ZRH', 'LIS'].map((code) => reference.codes.airport(code)!) as [number, number]
  const insert = db.insert(flights).values(placeholders(flights, 'id')).prepare()
  const none = { departureScheduled: null, arrivalScheduled: null, takeoffScheduled: null, takeoffActual: null }
  const nowhere = { departureTerminal: null, departureGate: null, arrivalTerminal: null, arrivalGate: null }
  const values = {
    ...none,
    ...nowhere,
    date: '2026-03-04',
    datePrecision: 'day' as const,
    departure: '2026-03-04T10:20:00.000Z',
    arrival: '2026-03-04T13:15:00.000Z',
    landingScheduled: null,
    landingActual: null,
    duration: 10_500,
    flightNumber: 'LX2084',
    aircraftReg: 'HB-JCA',
    note: 'Over the Alps',
    fromId,
    toId,
    airlineId: null,
    aircraftId: null,
    distanceMeters: 1_723_100,
    completedFrom: Date.parse('2026-03-04T13:15:00Z'),
    createdAt: '2026-03-04T14:00:00.000Z',
    updatedAt: '2026-03-04T14:00:00.000Z',
    lastChange: 0,
  }
  return { add: () => insert.run(values), close: () => closeDatabase(db) }
}

const { add, close } = row === 'flight' ? await flightRows() : smallRows(folder)
const start = performance.now()
let commits = 0
while (performance.now() - start < Number(seconds) * 1000) {
  add()
  commits++
}
process.stdout.write(String(commits / ((performance.now() - start) / 1000)))
close()
rmSync(folder, { recursive: true })
