import { once } from 'node:events'
import { Agent } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { digest, newToken } from '../../src/lib/secret.ts'
import { type Cluster, cluster, tell } from '../support/cluster.ts'
import { contentsOf } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { cli, dist, objects, run, serve } from '../support/process.ts'
import { talk } from '../support/talk.ts'

const FLIGHT = { date: '2025-05-03', fromId: 1, toId: 2 }

const open = ({ dataDir }: Cluster) => {
  const client = new Database(join(dataDir, 'paxlog.db'))
  onTestFinished(() => void client.close())
  return client
}

/** A browser of the owner: cookies, and the hidden field of a page's form. */
function browser({ port }: Cluster, client: Database.Database) {
  const id = newToken()
  const now = Date.now()
  client
    .prepare("insert into sessions (hash, user_id, created_at, last_used_at) values (?, 'owner', ?, ?)")
    .run(digest(id), now - 7_200_000, now - 7_200_000)
  const cookies = new Map([['paxlog', id]])
  async function visit(path: string, form?: Record<string, string>) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await tell(port, {
      method: form ? 'POST' : 'GET',
      path,
      headers: { cookie, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const lastUse = () => client.prepare('select last_used_at from sessions where hash = ?').pluck().get(digest(id))
  return { visit, cookies, began: now, lastUse }
}

describe('READERS=2', () => {
  test('is one instance to everybody: reads are shared out, and one process writes and counts', async () => {
    const server = await cluster({ env: { ADDRESS_HEADER: 'X-Forwarded-For' } })
    const { api, port, log, dataDir, members } = server
    const client = open(server)
    expect(members()).toHaveLength(3)
    expect(log().find(({ address }) => address)).toMatchObject({ process: 'supervisor', readers: 2 })
    expect((await tell(port, { path: '/ready' })).body).toBe('{"status":"ready"}')

    // Whoever reads sees what was acknowledged, on whichever connection.
    const { id } = JSON.parse((await api('POST', '/flights', FLIGHT)).body).data
    const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
    onTestFinished(() => {
      for (const agent of agents) agent.destroy()
    })
    for (let round = 0; round < 300; round++) {
      const note = `note ${round}`
      expect((await api('PUT', `/flights/${id}`, { ...FLIGHT, note }, { agent: agents[0]! })).status).toBe(200)
      const reads = agents.map((agent) => api('GET', `/flights/${id}`, undefined, { agent }))
      for (const { status, body } of await Promise.all(reads)) {
        expect([status, JSON.parse(body).data.note]).toEqual([200, note])
      }
    }

    // A key that was deleted is dead at once, also where it has just been used.
    for (let round = 0; round < 2; round++) {
      const made = await cli([
        'key',
        'create',
        '--username',
        'owner',
        '--name',
        `k${round}`,
        '--scopes',
        'read',
        '--data-dir',
        dataDir,
      ])
      const [{ key, id: keyId }] = objects(made)
      const use = () =>
        Promise.all(
          agents.map((agent) => tell(port, { path: '/api/v1/me', headers: { authorization: `Bearer ${key}` }, agent })),
        )
      expect((await use()).map(({ status }) => status)).toEqual([200, 200, 200])
      client.prepare('delete from api_keys where id = ?').run(keyId)
      expect((await use()).map(({ status }) => status)).toEqual([401, 401, 401])
    }

    // Ten registrations a minute and address, however many processes there are.
    const register = () =>
      tell(port, {
        method: 'POST',
        path: '/oauth/register',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
        body: JSON.stringify({ redirect_uris: ['https://board.example/cb'] }),
      })
    const statuses: number[] = []
    for (let count = 0; count < 12; count++) statuses.push((await register()).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429])

    // What a form has done is told by the next page, once; and a session lives on although readers serve its pages.
    const { visit, cookies, lastUse, began } = browser(server, client)
    const page = await visit('/settings/preferences')
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)![1]!
    await expect.poll(lastUse, { timeout: 60_000 }).toBeGreaterThanOrEqual(began)
    const fields = Object.fromEntries(
      [...page.body.matchAll(/<select[^>]*name="(\w+)"[\s\S]*?<option[^>]*value="([^"]*)"/g)].map(([, name, value]) => [
        name!,
        value!,
      ]),
    )
    const saved = await visit('/settings/preferences', { ...fields, csrf })
    expect(saved.status).toBe(303)
    expect(cookies.has('paxlog-form')).toBe(true)
    const told = await visit(saved.headers.location!)
    expect(told.body).toMatch(/role="status"/)
    expect(cookies.has('paxlog-form')).toBe(false)
    expect((await visit(saved.headers.location!)).body).not.toMatch(/role="status"/)

    // Which of them did what, in one log; the time of the last use of a key is written by the writer.
    const by = (method: string, route: string) =>
      new Set(log().flatMap((line) => (line.method === method && line.route === route ? [line.process] : [])))
    await expect
      .poll(() => by('GET', '/api/v1/flights/:id'), { timeout: 60_000 })
      .toEqual(new Set(['reader 1', 'reader 2']))
    for (const [method, route] of [
      ['PUT', '/api/v1/flights/:id'],
      ['POST', '/oauth/register'],
    ] as const) {
      await expect.poll(() => by(method, route), { timeout: 60_000 }).toEqual(new Set(['writer']))
    }
    const keyUse = () => client.prepare("select last_used_at from api_keys where name = 'test'").pluck().get()
    await expect.poll(keyUse, { timeout: 60_000 }).toBeGreaterThan(0)
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
    const client = open(server)
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

test('four first starts at the same time wait for each other', async () => {
  const dataDir = join(temporaryFolder(), 'data')
  const servers = await Promise.all([0, 0, 0, 0].map(() => serve({ dataDir })))
  for (const { origin } of servers) expect((await fetch(`${origin}/ready`)).status).toBe(200)
})
