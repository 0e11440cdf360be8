import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/app/config.ts'
import { startServer } from '../../src/app/server.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { cli, loadedFolder, objects, serve } from '../support/process.ts'
import { talk } from '../support/talk.ts'

describe('the limits of HTTP', () => {
  test('are set on the listening server', async () => {
    const config = loadConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: loadedFolder() })
    const { app, stop } = await startServer(config, createLogger('silent'))
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = app.server
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 72_000,
      timeout: 300_000,
    })
    await stop()
  })

  test('disconnect a client that sends headers slowly, even if it never closes its side', {
    timeout: 600_000,
  }, async () => {
    const { port, origin } = await serve()
    const slow = await talk(port)
    slow.socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n')
    const timer = setInterval(() => slow.socket.write('X-Slow: 1\r\n'), 500)
    const began = performance.now()
    await slow.closed
    clearInterval(timer)
    const took = performance.now() - began
    expect(took).toBeGreaterThan(8_000)
    expect(took).toBeLessThan(25_000)
    expect(slow.text()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(slow.text()).toMatch(
      /\r\n\r\n\{"error":\{"code":"bad_request","message":"The request did not arrive in time\."\}\}$/,
    )
    expect((await fetch(`${origin}/health`)).status).toBe(200)
  })

  test.each([
    [
      'headers that are too large',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
    ],
    ['something that is not HTTP', 'hello?\r\n\r\n', '400 Bad Request'],
    ['a request without a host', 'GET /health HTTP/1.1\r\n\r\n', '400 Bad Request'],
  ])('answer %s and close the connection', async (_what, bytes, status) => {
    const { port } = await serve()
    const { socket, text, closed } = await talk(port)
    socket.write(bytes)
    await closed
    expect(text()).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\\r\\n`))
  })
})

describe('the request log', () => {
  test('has one line per request with id, method, route, status and time, without the query', async () => {
    const { origin, log, logText, logged } = await serve()
    await fetch(`${origin}/health?secret=canary-1`)
    await fetch(`${origin}/api/v1/users/canary-2?cursor=canary-3`)
    await fetch(`${origin}/login?code=canary-4`, { redirect: 'manual' })
    await fetch(`${origin}/api/nowhere?token=canary-5`, { method: 'POST', body: '{}' })
    const requests = () => log().filter(({ msg }) => msg === 'request')
    while (requests().length < 4) await logged(() => requests().length >= 4)
    expect(requests()).toHaveLength(4)
    expect(requests()).toMatchObject([
      { method: 'GET', route: '/health', status: 200 },
      { method: 'GET', route: '/api/v1/users/:id', status: 401 },
      { method: 'GET', route: '/login', status: 303 },
      { method: 'POST', status: 404 },
    ])
    for (const line of requests()) expect(line).toMatchObject({ reqId: expect.any(String), ms: expect.any(Number) })
    expect(new Set(requests().map(({ reqId }) => reqId)).size).toBe(4)
    expect(logText()).not.toContain('canary')
  })

  test('contains no secrets at any level', async () => {
    const { origin, dataDir, logText, child, exited } = await serve({ env: { LOG_LEVEL: 'trace' } })
    const paxlog = (...args: string[]) => cli([...args, '--data-dir', dataDir], { input: 'canary-password-1\n' })
    await paxlog('user', 'create', '--owner', '--username', 'ada', '--password-stdin')
    const [{ key }] = objects(await paxlog('key', 'create', '--username', 'ada', '--name', 'x', '--scopes', 'all'))
    const send = (path: string, authorization: string, body?: unknown) =>
      fetch(`${origin}/api/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization, 'content-type': 'application/json', cookie: 'session=canary-cookie' },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
    expect((await send('/me', `Bearer ${key}`)).status).toBe(200)
    expect((await send('/me', 'Bearer canary-bearer')).status).toBe(401)
    expect((await send('/users', `Bearer ${key}`, { username: 'bob', password: 'canary-password-2' })).status).toBe(201)
    expect((await send('/users', `Bearer ${key}`, { username: 'x', password: 'canary-password-3' })).status).toBe(422)
    expect((await send('/users', `Bearer ${key}`, '{"password": "canary-password-4"')).status).toBe(400)
    child.kill('SIGTERM')
    await exited
    expect(logText()).toContain('"route":"/api/v1/users"')
    for (const secret of [key, 'canary', 'argon2id']) expect(logText()).not.toContain(secret)
  })

  test('has a line for an aborted request', async () => {
    const { port, log, logged } = await serve()
    const { socket } = await talk(port)
    socket.write('POST /api/v1/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{')
    await wait(200)
    socket.destroy()
    const isRequest = ({ msg }: { msg?: string }) => msg === 'request'
    await logged(isRequest)
    expect(log().filter(isRequest)).toHaveLength(1)
  })
})
