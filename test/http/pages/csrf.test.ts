import Fastify, { type FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { csrfField, requireCsrf } from '../../../src/http/pages/framework/csrf.ts'
import { errorPages } from '../../../src/http/pages/framework/errors.tsx'
import { acceptForms } from '../../../src/http/pages/framework/form.ts'
import { readCookies } from '../../../src/http/pages/framework/session.ts'
import { browserSession, csrfIn } from '../../support/browser-session.ts'
import { PASSWORD, signedIn } from '../../support/pages.ts'
import { paxlog } from '../../support/paxlog.ts'

const KEYS = '/settings/security/keys'
const fields = { name: 'board', scope: 'profile.read' }

async function countKeys({ services, owner }: Awaited<ReturnType<typeof signedIn>>) {
  return services.keys.listOf(owner.id).length
}

describe('a form of a signed-in user', () => {
  test('C2: is rejected with 403 if its CSRF token is missing, empty, wrong or repeated', async () => {
    const instance = await signedIn()
    const { browser } = instance
    const csrf = csrfIn((await browser.get('/')).html)
    const wrong = csrf.startsWith('A') ? `B${csrf.slice(1)}` : `A${csrf.slice(1)}`
    for (const value of [[], '', wrong, csrf.slice(0, -2), [csrf, csrf]]) {
      expect((await browser.post(KEYS, { ...fields, csrf: value })).status).toBe(403)
    }
    expect(await countKeys(instance)).toBe(0)
    expect((await browser.post(KEYS, { ...fields, csrf })).status).toBe(200)
  })

  test('C2: is rejected with the token of another session of the same user', async () => {
    const instance = await signedIn()
    const other = browserSession(instance.app)
    await other.signIn('mira', PASSWORD)
    const csrf = csrfIn((await other.get('/')).html)
    expect((await instance.browser.post(KEYS, { ...fields, csrf })).status).toBe(403)
    expect((await other.post(KEYS, { ...fields, csrf })).status).toBe(200)
  })

  test('C2: is rejected with a token from before the sign-in', async () => {
    const instance = await signedIn()
    const before = browserSession(instance.app)
    const csrf = csrfIn((await before.get('/login')).html)
    instance.browser.jar.set('paxlog-csrf', before.jar.get('paxlog-csrf')!)
    expect((await instance.browser.post(KEYS, { ...fields, csrf })).status).toBe(403)
  })

  test('C3: is rejected if Sec-Fetch-Site is not same-origin', async () => {
    const instance = await signedIn()
    const csrf = csrfIn((await instance.browser.get('/')).html)
    for (const site of ['cross-site', 'same-site', 'none', '']) {
      const answer = await instance.browser.post(KEYS, { ...fields, csrf }, { 'sec-fetch-site': site })
      expect(answer.status).toBe(403)
    }
    expect(await countKeys(instance)).toBe(0)
    const sameOrigin = await instance.browser.post(KEYS, { ...fields, csrf }, { 'sec-fetch-site': 'same-origin' })
    expect(sameOrigin.status).toBe(200)
  })

  test('C3: is rejected from other origins, and accepted from its own origin and from "null"', async () => {
    const { browser } = await signedIn({ baseUrl: 'http://fly.example:8080' })
    const csrf = csrfIn((await browser.get('/')).html)
    const statusFrom = async (origin: string) => (await browser.post(KEYS, { ...fields, csrf }, { origin })).status
    for (const origin of ['http://evil.example', 'https://fly.example:8080', 'http://fly.example', '']) {
      expect([origin, await statusFrom(origin)]).toEqual([origin, 403])
    }
    for (const origin of ['http://fly.example:8080', 'null']) expect(await statusFrom(origin)).toBe(200)
  })

  test('redirects to the sign-in without a session before any other check', async () => {
    const { browser } = await signedIn()
    browser.jar.delete('paxlog')
    const answer = await browser.post(KEYS, fields)
    expect(answer).toMatchObject({ status: 303, location: '/login?next=%2Fsettings%2Fsecurity' })
  })
})

describe('CSRF error page', () => {
  test('names BASE_URL and the address that the browser used, and escapes both', async () => {
    const { app } = await paxlog({ baseUrl: 'https://fly.example/log' })
    const browser = browserSession(app, { headers: { host: '192.168.1.5:3000' } })
    const { status, html, headers } = await browser.post('/log/setup', {})
    expect(status).toBe(403)
    expect(html).toContain('<code>https://fly.example/log</code>')
    expect(html).toContain('<code>192.168.1.5:3000</code>')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const other = await browser.post('/log/setup', {}, { origin: 'http://<b>.example' })
    expect(other.html).toContain('<code>http://&lt;b>.example</code>')
  })
})

describe('C4: sign-in form', () => {
  test('is rejected without the cookie of this browser, with another cookie, and from another site', async () => {
    const { app, services } = await paxlog()
    await services.users.createOwner({ username: 'mira', password: PASSWORD })
    const attacker = browserSession(app)
    const csrf = csrfIn((await attacker.get('/login')).html)
    const credentials = { username: 'mira', password: PASSWORD, csrf }
    const victim = browserSession(app)
    expect((await victim.post('/login', credentials)).status).toBe(403)
    await victim.get('/login')
    expect((await victim.post('/login', credentials)).status).toBe(403)
    expect((await attacker.post('/login', credentials, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await attacker.post('/login', credentials)).status).toBe(303)
  })
})

describe('a form with a binding', () => {
  test('C2: is rejected with a token for another binding or without one', async () => {
    const { services } = await paxlog()
    const { id: owner } = await services.users.createOwner({ username: 'mira', password: PASSWORD })
    const app = Fastify()
    app.setErrorHandler(errorPages({ baseUrl: 'http://localhost', basePath: '' }).failed)
    await readCookies(app, {
      sessions: services.sessions,
      baseUrl: 'http://localhost',
      addressOf: () => '127.0.0.1',
    })
    await acceptForms(app)
    const bindingOf = (request: FastifyRequest) => (request.params as { id: string }).id
    app.get('/plain', async (request) => csrfField(request))
    app.get('/:id', async (request) => csrfField(request, bindingOf(request)))
    app.post('/:id', async (request) => requireCsrf(request, bindingOf(request)))
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(owner))
    const [one, two, plain] = await Promise.all(
      ['/one', '/two', '/plain'].map(async (path) => (await browser.get(path)).html),
    )
    const statusOf = async (csrf: string) => (await browser.post('/one', { csrf })).status
    expect([await statusOf(one!), await statusOf(two!), await statusOf(plain!)]).toEqual([200, 403, 403])
  })
})
