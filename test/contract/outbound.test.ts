import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/lib/port.ts'
import { browserSession } from '../support/browser-session.ts'
import { each, pageRoutes } from '../support/page-routes.ts'
import { paxlog } from '../support/paxlog.ts'

const root = resolve(import.meta.dirname, '../../src')

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(root, file), 'utf8') }))

const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

describe('outgoing requests', () => {
  test('are made in two files, one of which is loaded only with an identity provider', () => {
    // The API reference shows it in examples.
    expect(filesWith(/\bfetch\(/)).toEqual(['domain/identities/provider.ts', 'http/pages/features/docs/requests.ts'])
    expect(filesWith(/'node:(?:https|tls|dns\/promises)'/)).toEqual(['domain/oauth/fetch-document.ts'])
    expect(filesWith(/'openid-client'/)).toEqual(['domain/identities/provider.ts'])
    expect(filesWith(/^import (?!type).*'\.\/provider\.ts'/m)).toEqual([])
    expect(filesWith(/import\('\.\/provider\.ts'\)/)).toEqual(['domain/identities/service.ts'])
  })

  test('are not made without OIDC_ISSUER and URLs as client_id', async () => {
    const { app, as, user, services } = await paxlog()
    const owner = user({ owner: true })
    const connections: unknown[] = []
    const recordConnection = (connection: unknown) => void connections.push(connection)
    for (const channel of ['net.client.socket', 'undici:request:create']) {
      subscribe(channel, recordConnection)
      onTestFinished(() => void unsubscribe(channel, recordConnection))
    }
    const signedIn = browserSession(app)
    signedIn.jar.set('paxlog', await services.sessions.start(owner.id))
    const pages = [...pageRoutes, ...each('GET', '/login?password=1 /login/oidc/callback?code=a&state=b')]
    for (const page of pages.filter((name) => name.startsWith('GET '))) {
      await browserSession(app).get(page.slice(4))
      await signedIn.get(page.slice(4))
    }
    for (const path of ['link', 'unlink']) {
      expect((await signedIn.submit('/settings/security', `/settings/security/oidc/${path}`, {})).status).toBe(404)
    }
    await as(owner).get('/roles/role-user')
    expect(connections).toEqual([])
    // Proves that the test detects a connection.
    await fetch(`http://127.0.0.1:${await freePort('127.0.0.1')}`).catch(() => undefined)
    expect(connections.length).toBeGreaterThan(0)
  })
})
