import { describe, expect, test } from 'vitest'
import { mcpDefaultScopes } from '../../../src/access/scopes.ts'
import { oauthClient } from '../../support/oauth-client.ts'
import { paxlog } from '../../support/paxlog.ts'
import { mcpClient } from './support.ts'

async function startApp() {
  const app = await paxlog()
  const mira = app.user({ username: 'mira' })
  return { ...app, mira, board: await oauthClient(app) }
}

describe('an access token at /api/mcp', () => {
  test('B1: is valid if issued for this resource with the scopes of the first challenge', async () => {
    const { request, mira, board } = await startApp()
    const { headers } = await mcpClient(request, undefined).send('tools/list')
    const scopes = /scope="([^"]+)"/.exec(String(headers['www-authenticate']))![1]!.split(' ')
    expect(scopes).toEqual(mcpDefaultScopes)
    const { access_token: token } = await board.connect(mira, { scopes, resource: 'mcp' })
    const { call, send } = mcpClient(request, token)
    expect((await send('tools/list')).body.result.tools).toHaveLength(57)
    const { data } = (await call('get_me')).body.result.structuredContent
    expect(data).toMatchObject({ username: 'mira', credential: { kind: 'oauth' } })
    expect([...data.credential.scopes].sort()).toEqual([...scopes].sort())
  })

  test('M12 B6: returns 401 if issued for /api/v1, and vice versa', async () => {
    const { request, as, mira, board } = await startApp()
    const forV1 = await board.connect(mira, { resource: 'v1' })
    const forMcp = await board.connect(mira, { resource: 'mcp' })
    const rejected = await mcpClient(request, forV1.access_token).send('ping')
    expect([rejected.status, rejected.body.error.code]).toEqual([401, 'unauthorized'])
    expect(rejected.headers['www-authenticate']).toContain('/oauth-protected-resource/api/mcp"')
    expect(rejected.headers['www-authenticate']).toContain('error="invalid_token"')
    expect((await as(forMcp.access_token).get('/me')).status).toBe(401)
    expect((await as(forV1.access_token).get('/me')).status).toBe(200)
    expect((await mcpClient(request, forMcp.access_token).send('ping')).status).toBe(200)
  })

  test('M13: receives a missing scope in the challenge and can obtain it', async () => {
    const { request, mira, board } = await startApp()
    const { access_token: token } = await board.connect(mira, { scopes: ['flight.read.own'], resource: 'mcp' })
    const { status, headers } = await mcpClient(request, token).call('get_stats')
    expect(status).toBe(403)
    const scopes = /scope="([^"]+)"/.exec(String(headers['www-authenticate']))![1]!.split(' ')
    expect(scopes).toEqual(['stats.read', 'flight.read.own'])
    const { access_token: wider } = await board.connect(mira, { scopes, resource: 'mcp' })
    expect((await mcpClient(request, wider).call('get_stats')).status).toBe(200)
  })

  test('B14: is rejected by the next request after revocation', async () => {
    const { request, mira, board } = await startApp()
    const { access_token: token, refresh_token: refresh } = await board.connect(mira, { resource: 'mcp' })
    const { send } = mcpClient(request, token)
    expect((await send('ping')).status).toBe(200)
    await board.revoke(refresh)
    expect((await send('ping')).status).toBe(401)
  })

  test('M36: shares its rate limit with refreshed tokens', async () => {
    const { request, services, mira, board } = await startApp()
    const resource = services.oauth.resources.urls.mcp
    const first = await board.connect(mira, { resource: 'mcp' })
    const calls = Array.from({ length: 600 }, () => mcpClient(request, first.access_token).call('get_me'))
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
    const { body: next } = await board.refresh(first.refresh_token, { resource })
    expect((await mcpClient(request, next.access_token).call('get_me')).status).toBe(429)
    const other = await board.connect(mira, { resource: 'mcp' })
    expect((await mcpClient(request, other.access_token).call('get_me')).status).toBe(200)
  })

  test('M11: returns a challenge with the metadata URL of this endpoint', async () => {
    const { request } = await startApp()
    const { headers } = await mcpClient(request, undefined).send('ping')
    const url = new URL(/resource_metadata="([^"]+)"/.exec(String(headers['www-authenticate']))![1]!)
    const { status, body } = await request({ url: url.pathname })
    expect([status, body.resource]).toEqual([200, 'http://localhost:3000/api/mcp'])
  })
})
