import { once } from 'node:events'
import { Agent } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cluster, databaseOf, tell } from '../support/cluster.ts'
import { contentsOf } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist, run } from '../support/process.ts'
import { talk } from '../support/talk.ts'

const FLIGHT = { date: '2025-05-03', fromId: 1, toId: 2 }
const READS = 50_000
const LANES = 10

describe('READERS=2, with readers under load', () => {
  test(`gives none of ${READS} reads right after a write elsewhere what was before`, async () => {
    const { api, port } = await cluster({ env: { LOG_LEVEL: 'info' } })
    let [reads, stale, isOver] = [0, 0, false]
    const keeping = () => {
      const agent = new Agent({ keepAlive: true })
      onTestFinished(() => agent.destroy())
      return agent
    }
    const load = Array.from({ length: 4 }, async () => {
      const agent = keeping()
      while (!isOver) await api('GET', '/flights', undefined, { agent })
    })
    const lane = async () => {
      const agents = Array.from({ length: LANES }, keeping)
      const { id } = JSON.parse((await api('POST', '/flights', FLIGHT)).body).data
      for (let round = 0; reads < READS; round++) {
        const note = `note ${round}`
        expect((await api('PUT', `/flights/${id}`, { ...FLIGHT, note }, { agent: agents[0]! })).status).toBe(200)
        const answers = await Promise.all(agents.map((agent) => api('GET', `/flights/${id}`, undefined, { agent })))
        reads += answers.length
        stale += answers.filter(({ body }) => JSON.parse(body).data.note !== note).length
      }
    }
    await Promise.all([lane(), lane(), lane()])
    isOver = true
    await Promise.all(load)
    expect(stale).toBe(0)
    expect((await tell(port, { path: '/ready' })).status).toBe(200)
  })
})

describe('READERS=2, when somebody ends', () => {
  test('goes on when one of them is killed, loses nothing, and stops in good order', async () => {
    const server = await cluster()
    const { api, members, child, exited, port, dataDir, logged } = server
    const acknowledged: string[] = []
    let isOver = false
    const seen = new Set<number | string>()
    const timed = async (kind: 'read' | 'write', work: () => Promise<{ status: number }>) => {
      const status = await work().then(
        (answer) => answer.status,
        () => 'broken' as const,
      )
      seen.add(`${kind} ${status}`)
      return status
    }
    const writer = async (lane: number) => {
      for (let count = 0; !isOver; count++) {
        const note = `lane ${lane} flight ${count}`
        const status = await timed('write', () => api('POST', '/flights', { ...FLIGHT, note }))
        if (status === 201) acknowledged.push(note)
        else await wait(50)
      }
    }
    const reader = async () => {
      while (!isOver) if ((await timed('read', () => api('GET', '/flights'))) === 'broken') await wait(20)
    }
    const clients = [writer(0), writer(1), reader(), reader()]
    const isWholeWithout = (pid: number) => members().length === 3 && !members().includes(pid)
    // The oldest is the writer at first, then each reader.
    for (let kills = 0; kills < 3; kills++) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length - before, { timeout: 120_000 }).toBeGreaterThan(5)
      const victim = members()[0]!
      process.kill(victim, 'SIGKILL')
      await expect.poll(() => isWholeWithout(victim), { timeout: 120_000 }).toBe(true)
      await expect
        .poll(
          () =>
            tell(port, { path: '/ready' }).then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 120_000 },
        )
        .toBe(200)
    }
    child.kill('SIGTERM')
    expect(await exited).toEqual({ code: 0, signal: null })
    isOver = true
    await Promise.all(clients)
    // Reading goes on without a writer; a write gets an answer, or its connection breaks.
    expect([...seen].sort()).toEqual(expect.arrayContaining(['read 200', 'write 201', 'write 503']))
    expect([...seen].filter((each) => !/^(read (200|broken)|write (201|503|broken))$/.test(String(each)))).toEqual([])
    expect(Object.keys(contentsOf(dataDir))).toEqual(['paxlog.db'])
    const client = databaseOf(server)
    const notes = new Set(client.prepare('select note from flights').pluck().all())
    expect(acknowledged.filter((note) => !notes.has(note))).toEqual([])
    expect(client.pragma('integrity_check', { simple: true })).toBe('ok')
    await logged(({ msg }) => msg === 'The writer has ended and is started again.')
  })

  test('by a signal finishes a request whose body is still arriving, and takes no new one', async () => {
    const { port, key, child, exited } = await cluster()
    const body = JSON.stringify({ name: 'Crew', permissions: [] })
    const running = await talk(port)
    const head = `POST /api/v1/roles HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n`
    running.socket.write(head + body.slice(0, 10))
    await wait(1000)
    child.kill('SIGTERM')
    const isOpen = () =>
      tell(port, { path: '/health' }).then(
        () => true,
        () => false,
      )
    await expect.poll(isOpen, { timeout: 6_000 }).toBe(false)
    running.socket.write(body.slice(10))
    await running.closed
    expect(running.text()).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
    expect(await exited).toEqual({ code: 0, signal: null })
  })

  test('on a port that is taken ends with one sentence, and with the supervisor everybody ends', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const env = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: join(temporaryFolder(), 'data'), READERS: '2' }
    const { code, stderr } = await run([dist('main.js')], { env })
    expect([code, stderr]).toEqual([
      1,
      `Port ${port} on 127.0.0.1 is taken by another program: choose another PORT or HOST.\n`,
    ])
    const { child, members } = await cluster()
    const all = members()
    expect(all).toHaveLength(3)
    child.kill('SIGKILL')
    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    await expect.poll(() => all.filter(isAlive), { timeout: 60_000 }).toEqual([])
  })
})
