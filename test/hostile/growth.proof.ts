import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { scopeNames } from '../../src/access/scopes.ts'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { freePort } from '../../src/lib/port.ts'
import { digest, newApiKey } from '../../src/lib/secret.ts'
import { formInputs } from '../support/growing-forms.ts'
import {
  bodyInputs,
  fileInputs,
  type GrowingInput,
  otherInputs,
  queryInputs,
  type Target,
  toolInputs,
} from '../support/growing-inputs.ts'
import { loadedFolder, ownerKey } from '../support/process.ts'
import { LONGEST_WORK_MS, watchedServer } from '../support/watched-server.ts'

/** Twice the size may cost this much more; a square would be four times. */
const MOST_TIMES = 3
/** Below this, noise is larger than any growth. */
const FLOOR_MS = 400
/** By the clock, which others on the machine can hold up: that the loop waited for something else than its own work. */
const LONGEST_STANDSTILL_MS = 1_000
const MOST_TRIES = 8
/** Beyond this nobody blames the neighbours. */
const CLEAR_MS = 2_000
const ENOUGH_FAULTS = 5
const KEYS = 8

/** CPU of all threads of a process in milliseconds, as Linux counts it, in steps of ten. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** An owner with keys and a session, straight in the database. */
async function world() {
  const dataDir = loadedFolder()
  const keys = [ownerKey(dataDir)]
  const db = openDatabase(dataDir)
  const insert = db.$client.prepare(
    "insert into api_keys (user_id, name, hash, scopes, created_at) values ('owner', 'test', ?, ?, 0)",
  )
  while (keys.length < KEYS) {
    keys.push(newApiKey())
    insert.run(digest(keys.at(-1)!), JSON.stringify(scopeNames))
  }
  const { sessions, reference } = createServices({ db })
  const cookie = `paxlog=${await sessions.start('owner')}`
  // Of records that have a form: what the document has as an example is made on the way, but not its airport, which is there.
  await reference.airports.create(operator, {
    ...{ icao: 'ZZ01', iata: null, name: 'Own field', municipality: null, latitude: 47, longitude: 8 },
    ...{ timezone: 'Europe/Zurich', type: 'small_airport', continent: 'EU', country: 'CH' },
  })
  closeDatabase(db)
  const port = await freePort('127.0.0.1')
  // Forms are taken from the own address alone.
  const own = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` }
  const server = await watchedServer(dataDir, { ...own, ADDRESS_HEADER: 'x-forwarded-for' })
  return { server, target: { origin: server.url, keys, cookie } satisfies Target }
}

interface Cost {
  cpuMs: number
  workMs: number
  standstillMs: number
  status: number
}

const isHarmless = (small: Cost, large: Cost) =>
  (large.cpuMs < FLOOR_MS || large.cpuMs <= MOST_TIMES * Math.max(small.cpuMs, FLOOR_MS / MOST_TIMES)) &&
  large.workMs < LONGEST_WORK_MS &&
  large.standstillMs < LONGEST_STANDSTILL_MS

const least = (a: Cost, b: Cost): Cost => ({
  cpuMs: Math.min(a.cpuMs, b.cpuMs),
  workMs: Math.min(a.workMs, b.workMs),
  standstillMs: Math.min(a.standstillMs, b.standstillMs),
  status: b.status,
})

test('no text, list or file costs more than its size, and none stops the others', async () => {
  const { server, target } = await world()
  const { pid } = server

  async function cost(send: () => Promise<number>): Promise<Cost> {
    await server.watched()
    const before = cpuOf(pid)
    const status = await send()
    const { longestDelayMs, longestWorkMs } = await server.watched()
    return { cpuMs: cpuOf(pid) - before, workMs: longestWorkMs, standstillMs: longestDelayMs, status }
  }

  /** What is wrong with an input; the least of several tries counts, and most need one. */
  async function fault({ name, size, send }: GrowingInput): Promise<string[]> {
    let small = await cost(() => send(size))
    let large = await cost(() => send(2 * size))
    for (let tries = 1; !isHarmless(small, large) && tries < MOST_TRIES; tries++) {
      // Seconds twice in a row are no noise.
      if (tries > 1 && large.cpuMs > CLEAR_MS) break
      small = least(small, await cost(() => send(size)))
      large = least(large, await cost(() => send(2 * size)))
    }
    const faults = [small, large].filter(({ status }) => status >= 500).map(({ status }) => `${name}: ${status}`)
    if (isHarmless(small, large)) return faults
    const costs = [small, large].map(
      ({ cpuMs, workMs, standstillMs }) =>
        `${cpuMs} ms, ${Math.round(workMs)} without a pause, stood still ${Math.round(standstillMs)}`,
    )
    return [...faults, `${name} at ${size} and ${2 * size}: ${costs.join('; ')} ms`]
  }

  const groups: [string, GrowingInput[], least: number][] = [
    ['bodies', await bodyInputs(target), 80],
    ['queries', await queryInputs(target), 80],
    ['others', otherInputs(target), 60],
    ['tools', await toolInputs(target), 60],
    ['forms', await formInputs(target), 200],
    ['files', fileInputs(target), 30],
  ]
  // Pages that have come since the first list of inputs: each has joined by itself, and would be missed.
  const names = groups.flatMap(([, inputs]) => inputs.map(({ name }) => name))
  for (const page of [
    ...['/ ?/', '/login', '/import/check', '/flights/1/track', '/admin/reference/airports/new', '/admin/roles/role-'],
    ...['/settings/shares/1', '/admin/custom-fields/1'],
  ]) {
    expect([page, names.some((name) => name.startsWith(page))]).toEqual([page, true])
  }
  const faults: string[] = []
  for (const [kind, inputs, fewest] of groups) {
    process.stderr.write(`growth: ${inputs.length} ${kind}\n`)
    // Who finds no inputs proves nothing.
    expect([kind, inputs.length >= fewest]).toEqual([kind, true])
    for (const input of inputs) {
      const found = await fault(input)
      for (const each of found) process.stderr.write(`growth: ${each}\n`)
      faults.push(...found)
      if (faults.length >= ENOUGH_FAULTS) break
    }
  }
  expect(faults).toEqual([])
})
