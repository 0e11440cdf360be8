import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { loadedFolder, ownerKey, serve } from '../support/process.ts'
import { talk } from '../support/talk.ts'

const RUNNING = 200
const IDLE = 500

const many = <Item>(count: number, make: (index: number) => Promise<Item>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

test(`N12: a stop during ${RUNNING} requests and ${IDLE} idle connections loses no response and no write`, async () => {
  const dataDir = loadedFolder()
  const key = ownerKey(dataDir)
  const { child, port, origin, exited } = await serve({ dataDir })
  const idle = await many(IDLE, () => talk(port))
  for (const { socket } of idle) socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await Promise.all(idle.map(({ received }) => received(/\{"status":"ok"\}/)))
  const running = await many(RUNNING, async (index) => {
    const body = JSON.stringify({ name: `Role ${index}`, permissions: [] })
    const connection = await talk(port)
    const head = ['POST /api/v1/roles HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`]
    connection.socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
    return { ...connection, rest: body.slice(5) }
  })
  // After these responses the server has read the requests.
  for (let round = 0; round < 3; round++) await fetch(`${origin}/health`)
  const began = performance.now()
  child.kill('SIGTERM')
  await Promise.all(idle.map(({ closed }) => closed))
  await expect
    .poll(
      () =>
        fetch(`${origin}/ready`).then(
          ({ status }) => status,
          () => 'closed',
        ),
      { timeout: 6_000 },
    )
    .not.toBe(200)
  for (const { socket, rest } of running) socket.write(rest)
  await Promise.all(running.map(({ closed }) => closed))
  const answers = running.map(({ text }) => /^HTTP\/1\.1 (\d+)/.exec(text())?.[1] ?? `reset after "${text()}"`)
  expect(answers).toEqual(Array.from({ length: RUNNING }, () => '201'))
  expect(await exited).toEqual({ code: 0, signal: null })
  process.stdout.write(`${RUNNING} running, ${IDLE} idle: stopped after ${Math.round(performance.now() - began)} ms\n`)
  expect(performance.now() - began).toBeLessThan(12_000)
  // The write-ahead log was checkpointed.
  expect(readdirSync(dataDir)).toEqual(['paxlog.db'])
  const db = openDatabase(dataDir)
  expect(db.$client.prepare("select count(*) from roles where name like 'Role %'").pluck().get()).toBe(RUNNING)
  db.$client.close()
})
