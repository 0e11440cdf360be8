import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { freePort } from '../../src/lib/port.ts'
import { fieldsIn } from '../support/form-fields.ts'
import { hostileImports, hostileJson, hostileTracks, longBackup, longTracks } from '../support/hostile-bodies.ts'
import { measured } from '../support/measured.ts'
import { limitedNode, MIN_MEMORY_MB } from '../support/memory-group.ts'
import { loadedFolder, ownerKey } from '../support/process.ts'
import { watchedServer } from '../support/watched-server.ts'

const MEGABYTE = 2 ** 20
/** Contract 17.11: CPU time of one event loop task, which does not depend on the load of the machine. */
const MAX_WORK_MS = 250
/** For parsing a body of 20 MB. */
const MAX_PARSE_MS = 400
/** CPU time of all threads. It grows linearly; quadratic growth would take hours. */
const MAX_CPU_MS = 15_000

/** CPU time of all threads of a process in milliseconds. Linux counts in steps of 10 ms. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

interface Answer {
  status: number
  text: string
}

async function start({ memoryMb = MIN_MEMORY_MB } = {}) {
  const dataDir = loadedFolder()
  const key = ownerKey(dataDir)
  const db = openDatabase(dataDir)
  const cookie = `paxlog=${await createServices({ db }).sessions.start('owner')}`
  const idOf = (icao: string) => db.$client.prepare('select id from airports where icao = ?').pluck().get(icao)
  const flight = { date: '2025-05-03', fromId: idOf('LSZH'), toId: idOf('LPPT') }
  closeDatabase(db)
  const port = await freePort('127.0.0.1')
  const environment = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` }
  const server = await watchedServer(dataDir, environment, { program: limitedNode(memoryMb) })
  const longest = { tasks: 0, cpuMs: 0, megabytes: 0, requests: 0 }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: string): Promise<Answer> => {
    const answer = await fetch(server.url + path, { method, headers, body })
    return { status: answer.status, text: await answer.text() }
  }
  expect((await send('POST', '/api/v1/flights', JSON.stringify(flight))).status).toBe(201)

  async function upload(path: string, content: string): Promise<Answer> {
    const html = await (await fetch(server.url + path, { headers: { cookie } })).text()
    const form = new FormData()
    for (const [name, value] of Object.entries(fieldsIn(html, path))) form.set(name, value as string)
    form.set('file', new File([content], 'file'))
    const formHeaders = { cookie, origin: server.url }
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: formHeaders,
      body: form,
      redirect: 'manual',
    })
    return { status: answer.status, text: await answer.text() }
  }

  /** Sends a request and checks its cost. */
  async function checkCost(
    name: string,
    work: () => Promise<Answer>,
    statuses: readonly number[],
    maxWorkMs = MAX_WORK_MS,
  ) {
    await server.watched()
    const before = cpuOf(server.pid)
    const { status, text } = await work()
    const { longestDelayMs, longestWorkMs, mostBytes } = await server.watched()
    const cpuMs = cpuOf(server.pid) - before
    const figures = [longestWorkMs, longestDelayMs, cpuMs, mostBytes / MEGABYTE].map(Math.round)
    process.stdout.write(
      `${name}: ${status}, event loop ${figures[0]} ms of CPU and ${figures[1]} ms delay, CPU ${figures[2]} ms, ${figures[3]} MB resident\n`,
    )
    longest.requests++
    longest.tasks = Math.max(longest.tasks, figures[0]!)
    longest.cpuMs = Math.max(longest.cpuMs, cpuMs)
    longest.megabytes = Math.max(longest.megabytes, figures[3]!)
    expect([name, statuses.includes(status), status, text.slice(0, 200)]).toEqual([
      name,
      true,
      status,
      expect.anything(),
    ])
    expect([name, longestWorkMs < maxWorkMs, figures]).toEqual([name, true, figures])
    expect([name, cpuMs < MAX_CPU_MS, figures]).toEqual([name, true, figures])
    return text
  }
  const measuredLongest = (what: string) =>
    measured(
      `${longest.requests} ${what} in ${memoryMb} MB: longest task ${longest.tasks} ms, at most ${longest.cpuMs} ms of CPU and ${longest.megabytes} MB resident`,
    )
  return { server, flight, send, upload, checkCost, measuredLongest }
}

test('a JSON body does not block the event loop longer than the limit, on every surface', async () => {
  const { flight, send, checkCost, measuredLongest } = await start()
  const properties = JSON.stringify(flight).slice(1, -1)
  for (const [name, make] of Object.entries(hostileJson)) {
    const value = make()
    const message = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${value}}}`
    const parsed = [MAX_PARSE_MS] as const
    await checkCost(
      `v1, ${name}`,
      () => send('POST', '/api/v1/flights', `{${properties},"x":${value}}`),
      [201, 400, 422],
      ...parsed,
    )
    await checkCost(`legacy, ${name}`, () => send('POST', '/api/flight/save', `{"x":${value}}`), [400, 422], ...parsed)
    await checkCost(`MCP, ${name}`, () => send('POST', '/api/mcp', message), [200, 400], ...parsed)
    const track = `{"sourceFormat":"gpx","coordinates":${value}}`
    await checkCost(`track, ${name}`, () => send('PUT', '/api/v1/flights/1/track', track), [400, 422], ...parsed)
  }
  measuredLongest('JSON bodies of up to 20 MB')
})

test('an import file does not block the event loop and fits into memory', async () => {
  const { send: post, upload, checkCost, measuredLongest } = await start()
  for (const [name, contentOf] of Object.entries(hostileImports)) {
    const content = contentOf()
    await checkCost(`import, ${name}`, () => post('POST', '/api/v1/flights/import?dryRun=true', content), [200, 422])
  }
  const empty = hostileImports['empty lists alone']!()
  const page = await checkCost('page, empty lists alone', () => upload('/import', empty), [422])
  expect(page).toContain('The file is too complex')
  const send = (bytes?: number) => post('POST', '/api/v1/flights/import', longBackup('u1', bytes))
  const report = await checkCost('import, 10 MB of tracks', () => send(10 * MEGABYTE), [200])
  expect(JSON.parse(report).data).toMatchObject({ rejected: [] })
  // Depends on when the worker collects its garbage.
  const longest = await checkCost('import, 20 MB of tracks', () => send(), [200, 422])
  expect(longest).toMatch(/"rejected":\[\]|The file is too complex: it needs more memory/)
  measuredLongest('import files')
})

test('a backup with 20 MB of tracks fits into a container of 512 MB', async () => {
  const { send, checkCost } = await start({ memoryMb: 512 })
  const backup = longBackup('u1')
  const report = await checkCost('import, 20 MB of tracks', () => send('POST', '/api/v1/flights/import', backup), [200])
  expect(JSON.parse(report).data).toMatchObject({ rejected: [] })
})

test('a track file does not block the event loop and fits into memory', async () => {
  const { upload, checkCost, measuredLongest } = await start()
  for (const [name, contentOf] of Object.entries(hostileTracks)) {
    const content = contentOf()
    await checkCost(`track, ${name}`, () => upload('/flights/1/track', content), [422])
  }
  for (const [name, contentOf] of Object.entries(longTracks)) {
    const content = contentOf()
    await checkCost(`track, longest ${name}`, () => upload('/flights/1/track', content), [303])
  }
  measuredLongest('track files')
})
