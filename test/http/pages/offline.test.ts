import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { browserSession } from '../../support/browser-session.ts'
import { PASSWORD, signedIn } from '../../support/pages.ts'

const HEADER = 'x-paxlog-session'
const SWITCH = 'data-offline-switch'

describe('offline use', () => {
  test('has a service worker at the root, which browsers always revalidate', async () => {
    const { browser } = await signedIn()
    const { status, headers, html } = await browser.get('/service-worker.js')
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/javascript; charset=utf-8',
      'no-cache',
    ])
    expect(html).toContain(HEADER)
  })

  test('has a page for pages that are not stored', async () => {
    const { app } = await signedIn()
    const { status, html } = await browserSession(app).get('/offline')
    expect(status).toBe(200)
    expect(html).toContain('<h1>You are offline</h1>')
  })

  test('labels the pages of a session and language, so that pages of another one are not stored with them', async () => {
    const { browser, app, services, owner } = await signedIn()
    const other = browserSession(app)
    other.jar.set('paxlog', await services.sessions.start(owner.id))
    const labels = [await browser.get('/'), await browser.get('/settings/security'), await other.get('/')].map(
      ({ headers }) => headers[HEADER],
    )
    expect(labels[0]).toMatch(/^.{22}$/)
    expect(labels[1]).toBe(labels[0])
    expect(labels[2]).toMatch(/^.{22}$/)
    expect(labels[2]).not.toBe(labels[0])
    browser.jar.set('paxlog-language', 'de')
    const german = (await browser.get('/')).headers[HEADER]
    expect([german === labels[0], (await browser.get('/trips')).headers[HEADER] === german]).toEqual([false, true])
    const visitor = browserSession(app)
    for (const path of ['/login', '/', '/docs', '/offline']) {
      expect((await visitor.get(path)).headers).not.toHaveProperty(HEADER)
    }
  })

  test('ends with the session: sign-out and account deletion delete what the browser stored', async () => {
    const { browser, app, services } = await signedIn()
    const cleared = (answer: { headers: Record<string, unknown> }) => answer.headers['clear-site-data']
    expect(cleared(await browser.get('/settings/security'))).toBeUndefined()
    expect(cleared(await browser.submit('/settings/security', '/logout', {}))).toBe('"storage"')
    await services.users.create(operator, { username: 'noor', displayName: 'Noor', password: PASSWORD })
    const noor = browserSession(app)
    await noor.signIn('noor', PASSWORD)
    const page = '/settings/security'
    expect(cleared(await noor.submit(page, `${page}/delete`, { confirm: 'noor', password: 'wrong one' }))).toBe(
      undefined,
    )
    expect(cleared(await noor.submit(page, `${page}/delete`, { confirm: 'noor', password: PASSWORD }))).toBe(
      '"storage"',
    )
  })

  test('is not offered below a path, where other programs share the storage of the origin', async () => {
    const root = await signedIn()
    expect((await root.browser.get('/settings/preferences')).html).toContain(SWITCH)
    const { browser } = await signedIn({ baseUrl: 'https://example.org/log' })
    const { html } = await browser.get('/log/settings/preferences')
    expect(html).toContain('Distances')
    expect(html).not.toContain(SWITCH)
    const { status, headers } = await browser.submit('/log/settings/preferences', '/log/logout', {})
    expect(status).toBe(303)
    expect(headers).not.toHaveProperty('clear-site-data')
  })
})
