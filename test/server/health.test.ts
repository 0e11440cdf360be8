import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { paxlog } from '../support/paxlog.ts'
import { serve } from '../support/process.ts'

describe('health', () => {
  test('/health, /ready and /api/ping respond by contract without a credential', async () => {
    const { request } = await paxlog()
    expect(await request({ url: '/health' })).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await request({ url: '/ready' })).toMatchObject({ status: 200, body: { status: 'ready' } })
    const ping = await request({ url: '/api/ping' })
    expect([ping.status, ping.text, ping.headers['content-type']]).toEqual([
      200,
      'pong',
      expect.stringMatching(/^text\/plain/),
    ])
    for (const url of ['/health', '/ready', '/api/ping']) {
      const { headers } = await request({ url, headers: { origin: 'https://example.org' } })
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      expect(headers).not.toHaveProperty('access-control-allow-origin')
      expect((await request({ method: 'HEAD', url })).status).toBe(200)
    }
  })

  test('the endpoints are under the path of BASE_URL, and /health and /ready also at the root', async () => {
    const { request } = await paxlog({ baseUrl: 'https://example.org/my/log' })
    for (const url of ['/health', '/ready', '/my/log/health', '/my/log/ready', '/my/log/api/ping', '/my/log/api/v1']) {
      expect([url, (await request({ url })).status]).toEqual([url, 200])
    }
    for (const url of ['/api/ping', '/api/v1', '/my/health', '/my/log/log/health']) {
      expect([url, (await request({ url })).status]).toEqual([url, 404])
    }
    const { headers } = await request({ url: '/health' })
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })

  test('/ready returns 503 while another process holds the write lock, and blocks no other request', async () => {
    const { origin, dataDir } = await serve()
    const other = new Database(join(dataDir, 'paxlog.db'))
    other.exec('begin immediate')
    const began = performance.now()
    const waiting = Promise.all(Array.from({ length: 5 }, () => fetch(`${origin}/ready`)))
    const alive = await fetch(`${origin}/health`)
    expect(alive.status).toBe(200)
    for (const answer of await waiting) {
      expect(answer.status).toBe(503)
      expect(await answer.json()).toEqual({
        status: 'unavailable',
        reason: 'The database cannot be read or written.',
      })
    }
    expect(performance.now() - began).toBeLessThan(5_000)
    other.exec('rollback')
    other.close()
    expect((await fetch(`${origin}/ready`)).status).toBe(200)
  })

  test('/ready waits for a short write of another process', async () => {
    const { origin, dataDir } = await serve()
    const other = new Database(join(dataDir, 'paxlog.db'))
    other.exec('begin immediate')
    setTimeout(() => other.exec('rollback').close(), 300)
    expect((await fetch(`${origin}/ready`)).status).toBe(200)
  })

  test('/ready writes nothing', async () => {
    const { request, db } = await paxlog()
    const before = db.$client.prepare('select total_changes()').pluck().get()
    await request({ url: '/ready' })
    expect(db.$client.prepare('select total_changes()').pluck().get()).toBe(before)
    expect(db.$client.inTransaction).toBe(false)
    expect(requireSqlite(db).pragma('busy_timeout', { simple: true })).toBe(0)
  })
})
