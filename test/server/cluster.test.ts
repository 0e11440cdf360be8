import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { digest, newToken } from '../../src/lib/secret.ts'
import { type Cluster, childrenOf, cluster, databaseOf, tell } from '../support/cluster.ts'
import { command } from '../support/command.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist, objects, run, serve } from '../support/process.ts'

const FLIGHT = { date: '2025-05-03', fromId: 1, toId: 2 }

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
    const client = databaseOf(server)
    expect(members()).toHaveLength(3)
    expect(log().find(({ address }) => address)).toMatchObject({ process: 'supervisor', readers: 2 })
    expect((await tell(port, { path: '/ready' })).body).toBe('{"status":"ready"}')

    // Whoever reads sees what was acknowledged, on whichever connection.
    const { id } = JSON.parse((await api('POST', '/flights', FLIGHT)).body).data
    const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
    onTestFinished(() => {
      for (const agent of agents) agent.destroy()
    })
    for (let round = 0; round < 60; round++) {
      const note = `note ${round}`
      expect((await api('PUT', `/flights/${id}`, { ...FLIGHT, note }, { agent: agents[0]! })).status).toBe(200)
      const reads = agents.map((agent) => api('GET', `/flights/${id}`, undefined, { agent }))
      for (const { status, body } of await Promise.all(reads)) {
        expect([status, JSON.parse(body).data.note]).toEqual([200, note])
      }
    }

    // A key that was deleted is dead at once, also where it has just been used.
    for (let round = 0; round < 2; round++) {
      const whose = ['--username', 'owner', '--name', `k${round}`, '--scopes', 'read']
      const made = await command(['key', 'create', ...whose, '--data-dir', dataDir])
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
    // The system deals connections out; one idle reader may get them all.
    const readers = () => [...by('GET', '/api/v1/flights/:id')].join()
    await expect.poll(readers, { timeout: 60_000 }).toMatch(/^reader \d(,reader \d)?$/)
    for (const [method, route] of [
      ['PUT', '/api/v1/flights/:id'],
      ['POST', '/oauth/register'],
    ] as const) {
      await expect.poll(() => by(method, route), { timeout: 60_000 }).toEqual(new Set(['writer']))
    }
    const keyUse = () => client.prepare("select last_used_at from api_keys where name = 'test'").pluck().get()
    await expect.poll(keyUse, { timeout: 60_000 }).toBeGreaterThan(0)
  })

  test('that cannot start says why in one sentence', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const env = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: file, READERS: '2' }
    const { code, stdout, stderr } = await run([dist('main.js')], { env })
    expect([code, stdout, stderr]).toEqual([1, '', `DATA_DIR ${file} is a file, not a directory.\n`])
  })

  test('names its address in the first line of the log, and each writer tells its own setup code', async () => {
    const { child, log, logged } = await serve({ env: { READERS: '1' } })
    const codes = () => log().flatMap(({ msg }) => /setup code (\S+)\.$/.exec(msg)?.[1] ?? [])
    await logged(() => codes().length === 1)
    expect(log()[0]).toMatchObject({ process: 'supervisor', address: expect.any(String), readers: 1 })
    process.kill(childrenOf(child.pid!)[0]!, 'SIGKILL')
    await logged(() => codes().length === 2)
    expect(new Set(codes()).size).toBe(2)
  })

  test('starts a writer again that ends before the readers are there', async () => {
    const before = childrenOf(process.pid)
    const server = cluster()
    const supervisor = () => childrenOf(process.pid).find((pid) => !before.includes(pid) && childrenOf(pid).length > 1)
    await expect.poll(supervisor, { timeout: 60_000, interval: 5 }).toBeDefined()
    const [writer] = childrenOf(supervisor()!)
    process.kill(writer!, 'SIGKILL')
    const { port, members } = await server
    const ready = async () => (await tell(port, { path: '/ready' })).status
    await expect.poll(ready, { timeout: 60_000 }).toBe(200)
    expect(members()).not.toContain(writer)
  })
})
