import { once } from 'node:events'
import { Agent } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Cluster, cluster, databaseOf, tell } from '../support/cluster.ts'
import { contentsOf } from '../support/database.ts'
import { oauthClient, pkce } from '../support/oauth-client.ts'
import { type Answer, openAgain, type Paxlog, temporaryFolder } from '../support/paxlog.ts'
import { dist, run, serve } from '../support/process.ts'
import { talk } from '../support/talk.ts'

const FLIGHT = { date: '2025-05-03', fromId: 1, toId: 2 }
const READS = 50_000
const LANES = 10
const RACES = 100

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

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

/** An application that speaks to the cluster; what the user decides on the consent page is written to the file beside it. */
async function applicationOf({ dataDir, port }: Cluster) {
  const beside = await openAgain(dataDir, { baseUrl: `http://localhost:${port}` })
  let calls = 0
  async function request({ method, url, headers = {}, payload }: Parameters<Paxlog['request']>[0]): Promise<Answer> {
    const { status, body, ...answer } = await tell(port, {
      method: method!,
      path: String(url),
      // Limits count by address: here only the races decide.
      headers: { ...(headers as Record<string, string>), 'x-forwarded-for': `10.0.${calls >> 8}.${calls++ & 255}` },
      body: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })
    return { status, headers: answer.headers, text: body, body: JSON.parse(body) }
  }
  return { client: await oauthClient({ ...beside, request }), user: beside.user() }
}

describe('READERS=2, with everybody at once', () => {
  test(`has one winner in each of ${RACES} races for a code and for a refresh token`, async () => {
    const server = await cluster({ env: { ADDRESS_HEADER: 'X-Forwarded-For' } })
    const { client, user } = await applicationOf(server)
    const approval = { scopes: ['profile.read'] }
    const me = (token: string) =>
      tell(server.port, { path: '/api/v1/me', headers: { authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
      )
    const winnerOf = (answers: Answer[]) => {
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
      return answers.find(({ status }) => status === 200)!.body
    }
    const atOnce = (work: () => Promise<Answer>) => Promise.all([work(), work(), work(), work()])
    for (let race = 0; race < RACES; race++) {
      const { verifier, challenge } = pkce()
      const code = client.code(user, challenge, approval)
      const redeemed = winnerOf(await atOnce(() => client.exchange(code, verifier)))
      // A code that is used again takes back what came of it, at every reader.
      expect(await Promise.all([me(redeemed.access_token), me(redeemed.access_token)])).toEqual([401, 401])
      const first = await client.connect(user, approval)
      const renewed = winnerOf(await atOnce(() => client.refresh(first.refresh_token)))
      expect(await Promise.all([me(first.access_token), me(renewed.access_token)])).toEqual([401, 401])
    }
  })
})

describe('READERS=2, when somebody ends', () => {
  test('gives up with exit code 1 after more than ten ends within a minute, and leaves nobody behind', async () => {
    const { members, exited, log } = await cluster()
    let hasEnded = false
    void exited.then(() => {
      hasEnded = true
    })
    const killed = new Set<number>()
    while (!hasEnded) {
      for (const pid of members()) {
        if (killed.has(pid)) continue
        killed.add(pid)
        process.kill(pid, 'SIGKILL')
      }
      await wait(20)
    }
    expect(await exited).toEqual({ code: 1, signal: null })
    expect(killed.size).toBeGreaterThan(10)
    const fatal = log().filter(({ level }) => level === 60 || level === 'fatal')
    expect(fatal).toMatchObject([
      { process: 'supervisor', msg: expect.stringMatching(/^Members ended 11 times within a minute/) },
    ])
    expect([...killed].filter(isAlive)).toEqual([])
  })

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
    await expect.poll(() => all.filter(isAlive), { timeout: 60_000 }).toEqual([])
  })
})

test('four first starts at the same time wait for each other', async () => {
  const dataDir = join(temporaryFolder(), 'data')
  const servers = await Promise.all([0, 0, 0, 0].map(() => serve({ dataDir })))
  for (const { origin } of servers) expect((await fetch(`${origin}/ready`)).status).toBe(200)
})
