import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { PASSWORD, signedIn, signedInByForm } from '../../support/pages.ts'

const HOUR_MS = 3_600_000

describe('cookies', () => {
  test('C15: have the __Host- prefix under https and are Secure, HttpOnly and SameSite=Lax, without Domain', async () => {
    const { browser } = await signedInByForm({ baseUrl: 'https://fly.example' })
    expect([...browser.jar.keys()].sort()).toEqual(['__Host-paxlog', '__Host-paxlog-csrf'])
    expect(browser.attributes.get('__Host-paxlog')).toBe('Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax')
    expect(browser.attributes.get('__Host-paxlog-csrf')).toBe('Path=/; HttpOnly; Secure; SameSite=Lax')
  })

  test('C16: have plain names under http and are not Secure, with any path in BASE_URL', async () => {
    const { browser } = await signedInByForm({ baseUrl: 'http://fly.example/log' })
    expect([...browser.jar.keys()].sort()).toEqual(['paxlog', 'paxlog-csrf'])
    expect(browser.attributes.get('paxlog')).toBe('Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax')
    expect(browser.attributes.get('paxlog-csrf')).toBe('Path=/; HttpOnly; SameSite=Lax')
  })

  test('C16: are ignored under https if they have the plain name', async () => {
    const { browser, app } = await signedIn({ baseUrl: 'https://fly.example' })
    const other = browserSession(app)
    other.jar.set('paxlog', browser.jar.get('__Host-paxlog')!)
    expect((await other.get('/')).status).toBe(303)
  })

  test('C15: are sent again only when a request renews the session', async () => {
    let time = Date.parse('2026-01-01')
    const { browser } = await signedIn({ now: () => time })
    expect((await browser.get('/')).headers).not.toHaveProperty('set-cookie')
    time += HOUR_MS
    expect((await browser.get('/')).headers['set-cookie']).toBe(
      `paxlog=${browser.jar.get('paxlog')}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`,
    )
    expect((await browser.get('/')).headers).not.toHaveProperty('set-cookie')
    time += 30 * 24 * HOUR_MS
    expect((await browser.get('/')).status).toBe(303)
  })

  test('are removed with the attributes they were set with', async () => {
    const { browser } = await signedIn({ baseUrl: 'https://fly.example' })
    await browser.submit('/', '/logout', {})
    expect(browser.attributes.get('__Host-paxlog')).toBe('Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax')
  })

  test('B8: do not authenticate API requests', async () => {
    const { browser } = await signedIn()
    for (const path of ['/api/v1/me', '/api/v1/flights']) expect((await browser.get(path)).status).toBe(401)
  })

  test('are ignored if they are malformed', async () => {
    const { app, services, owner } = await signedIn()
    const browser = browserSession(app)
    const id = await services.sessions.start(owner.id)
    for (const value of [`${id}x`, id.slice(1), '', `"${id}"x`, '%00', 'é'.repeat(43), 'a'.repeat(5000)]) {
      browser.jar.set('paxlog', value)
      expect((await browser.get('/')).status).toBe(303)
    }
    browser.jar.set('paxlog', id)
    expect((await browser.get('/')).status).toBe(200)
  })

  test('L1: are never logged, nor are passwords, keys and form values', async () => {
    const lines: string[] = []
    const { browser } = await signedIn({ log: (line) => lines.push(line) })
    const created = await browser.submit('/settings/security', '/settings/security/keys', {
      name: 'board',
      scope: 'profile.read',
    })
    const key = /pxl_\w+/.exec(created.html)![0]
    await browser.submit('/settings/security', '/settings/security/password', {
      current: 'wrong secret',
      password: 'x',
    })
    const log = lines.join('\n')
    expect(log).toContain('/settings/security/keys')
    for (const secret of [key, PASSWORD, 'wrong secret', ...browser.jar.values()]) expect(log).not.toContain(secret)
  })
})
