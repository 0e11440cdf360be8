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
  documentInputs,
  fileInputs,
  type GrowingInput,
  otherInputs,
  queryInputs,
  type Target,
  toolInputs,
} from '../support/growing-inputs.ts'
import { measured } from '../support/measured.ts'
import { loadedFolder, ownerKey } from '../support/process.ts'
import { MAX_WORK_MS, watchedServer } from '../support/watched-server.ts'

/** Allowed cost factor for twice the size. Quadratic growth has a factor of four. */
const MAX_GROWTH_FACTOR = 3
/** Below this, noise exceeds growth. */
const FLOOR_MS = 400
/** Limit of the event loop delay by wall clock, which also depends on the load of the machine. */
const MAX_DELAY_MS = 1_000
const MAX_TRIES = 8
/** Above this, the load of the machine cannot be the cause. */
const CERTAIN_MS = 2_000
const MAX_PROBLEMS = 5
const KEYS = 8

/** CPU time of all threads of a process in milliseconds. Linux counts in steps of 10 ms. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Starts a server with an owner who has keys and a session. */
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
  // The edit form of airports needs a custom one. Other examples of the document are created during the test.
  await reference.airports.create(operator, {
    ...{ icao: 'ZZ01', iata: null, name: 'Own field', municipality: null, latitude: 47, longitude: 8 },
    ...{ timezone: 'Europe/Zurich', type: 'small_airport', continent: 'EU', country: 'CH' },
  })
  closeDatabase(db)
  const port = await freePort('127.0.0.1')
  // Forms are accepted only from the base URL.
  const address = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` }
  const server = await watchedServer(dataDir, { ...address, ADDRESS_HEADER: 'x-forwarded-for' })
  return { server, target: { origin: server.url, keys, cookie } satisfies Target }
}

interface Cost {
  cpuMs: number
  workMs: number
  delayMs: number
  status: number
}

const isAcceptable = (small: Cost, large: Cost) =>
  (large.cpuMs < FLOOR_MS || large.cpuMs <= MAX_GROWTH_FACTOR * Math.max(small.cpuMs, FLOOR_MS / MAX_GROWTH_FACTOR)) &&
  large.workMs < MAX_WORK_MS &&
  large.delayMs < MAX_DELAY_MS

const minimum = (a: Cost, b: Cost): Cost => ({
  cpuMs: Math.min(a.cpuMs, b.cpuMs),
  workMs: Math.min(a.workMs, b.workMs),
  delayMs: Math.min(a.delayMs, b.delayMs),
  status: b.status,
})

test('the cost of texts, lists and files grows linearly, and none blocks other requests', async () => {
  const { server, target } = await world()
  const { pid } = server

  async function cost(send: () => Promise<number>): Promise<Cost> {
    await server.watched()
    const before = cpuOf(pid)
    const status = await send()
    const { longestDelayMs, longestWorkMs } = await server.watched()
    return { cpuMs: cpuOf(pid) - before, workMs: longestWorkMs, delayMs: longestDelayMs, status }
  }

  /** Problems of an input by the minimum of several tries. */
  async function problemsOf({ name, size, send }: GrowingInput): Promise<string[]> {
    let small = await cost(() => send(size))
    let large = await cost(() => send(2 * size))
    for (let tries = 1; !isAcceptable(small, large) && tries < MAX_TRIES; tries++) {
      // A high cost in two tries is not noise.
      if (tries > 1 && large.cpuMs > CERTAIN_MS) break
      small = minimum(small, await cost(() => send(size)))
      large = minimum(large, await cost(() => send(2 * size)))
    }
    const problems = [small, large].filter(({ status }) => status >= 500).map(({ status }) => `${name}: ${status}`)
    if (isAcceptable(small, large)) return problems
    const costs = [small, large].map(
      ({ cpuMs, workMs, delayMs }) =>
        `${cpuMs} ms of CPU, longest task ${Math.round(workMs)} ms, delay ${Math.round(delayMs)} ms`,
    )
    return [...problems, `${name} at ${size} and ${2 * size}: ${costs.join('; ')}`]
  }

  // The example of the document has flights that the log lacks.
  const headers = { authorization: `Bearer ${target.keys[0]}`, 'content-type': 'application/json' }
  await fetch(`${target.origin}/api/v1/trips`, { method: 'POST', headers, body: '{"name":"Trip"}' })
  const groups: [string, GrowingInput[], minInputs: number][] = [
    ['bodies', await bodyInputs(target), 80],
    ['queries', await queryInputs(target), 80],
    ['others', otherInputs(target), 60],
    ['tools', await toolInputs(target), 60],
    ['forms', await formInputs(target), 200],
    ['files', fileInputs(target), 30],
    ['travel documents', documentInputs(target), 10],
  ]
  // Pages are discovered automatically. These must be among them.
  const names = groups.flatMap(([, inputs]) => inputs.map(({ name }) => name))
  for (const page of [
    ...['/ ?/', '/login', '/import/check', '/flights/1/track', '/admin/reference/airports/new', '/admin/roles/role-'],
    ...['/settings/shares/1', '/admin/custom-fields/1'],
  ]) {
    expect([page, names.some((name) => name.startsWith(page))]).toEqual([page, true])
  }
  const problems: string[] = []
  for (const [kind, inputs, minInputs] of groups) {
    process.stderr.write(`growth: ${inputs.length} ${kind}\n`)
    // Without inputs the test would prove nothing.
    expect([kind, inputs.length >= minInputs]).toEqual([kind, true])
    for (const input of inputs) {
      const found = await problemsOf(input)
      for (const each of found) process.stderr.write(`growth: ${each}\n`)
      problems.push(...found)
      if (problems.length >= MAX_PROBLEMS) break
    }
  }
  measured(`inputs of two sizes: ${groups.map(([kind, inputs]) => `${inputs.length} ${kind}`).join(', ')}`)
  expect(problems).toEqual([])
})
