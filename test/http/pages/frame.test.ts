import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { allowFormTarget, setPageHeaders } from '../../../src/http/pages/framework/headers.ts'
import { browserSession, csrfIn } from '../../support/browser-session.ts'
import { referenceRows } from '../../support/factory.ts'
import { PASSWORD, pagesWith, signedIn } from '../../support/pages.ts'
import { paxlog } from '../../support/paxlog.ts'
import { wire } from '../../support/socket.ts'
import { runNow } from '../../support/write-now.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
const openerPolicy = { 'cross-origin-opener-policy': 'same-origin' }

describe('page headers', () => {
  test('C1, C10: are set on every page, redirect and error', async () => {
    const { browser, app } = await signedIn()
    const visitor = browserSession(app)
    const answers = [
      await browser.get('/'),
      await browser.get('/settings/security'),
      await browser.get('/setup'),
      await browser.get('/share/none'),
      await browser.get('/nothing'),
      await browser.send('PUT', '/'),
      await browser.post('/settings/security/keys', {}),
      await browser.send('POST', '/logout', '{}', { 'content-type': 'application/json' }),
      await visitor.get('/'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 303, 404, 404, 405, 403, 415, 303])
    // Only home links to the web app manifest, and it has a map.
    const [home, ...others] = answers
    expect(home!.headers).toMatchObject({
      ...commonHeaders,
      ...openerPolicy,
      'content-security-policy': `${POLICY}; manifest-src 'self'; worker-src 'self'`,
    })
    for (const { headers } of others) expect(headers).toMatchObject({ ...commonHeaders, ...openerPolicy })
  })

  test('C10: omit the opener policy on every response of the sign-in, so that applications keep their window', async () => {
    const { app, services } = await paxlog()
    await services.users.createOwner({ username: 'mira', password: PASSWORD })
    const browser = browserSession(app)
    const answers = [
      await browser.get('/login'),
      await browser.signIn('mira', 'wrong'),
      await browser.post('/login', {}),
      await browser.signIn('mira', PASSWORD),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 403, 303])
    for (const { headers } of answers) {
      expect(headers).toMatchObject(commonHeaders)
      expect(headers).not.toHaveProperty('cross-origin-opener-policy')
    }
  })

  test('X7: allow one more form target', async () => {
    const app = Fastify()
    app.get('/', async (request, reply) => {
      setPageHeaders(request, reply)
      allowFormTarget(reply, 'https://board.example')
    })
    expect((await app.inject('/')).headers['content-security-policy']).toBe(
      POLICY.replace("form-action 'self'", "form-action 'self' https://board.example"),
    )
  })

  test('C10: apply to pages that load only local assets and have no inline styles or scripts', async () => {
    const { browser, app } = await signedIn()
    const pages = [
      await browser.get('/'),
      await browser.get('/settings/security'),
      await browser.get('/nothing'),
      await browserSession(app).get('/login'),
    ]
    for (const { html } of pages) {
      expect(html).toMatch(/^<!doctype html><html lang="en">/)
      expect(html).not.toMatch(/\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=")/)
      const loaded = [...html.matchAll(/<(?:link rel="(?:icon|stylesheet)"|script)[^>]*(?:href|src)="([^"]+)"/g)].map(
        ([, url]) => url,
      )
      // Home also loads the map.
      expect(loaded.length).toBeGreaterThanOrEqual(3)
      expect(html.match(/<(?:link|script|img)[ >]/g)!.length - loaded.length).toBe(
        html.includes('rel="manifest"') ? 2 : 0,
      )
      for (const url of loaded) {
        const asset = await browser.get(url!)
        expect(asset.status).toBe(200)
        expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
        expect(asset.headers['content-type']).toMatch(/^(text\/css|application\/javascript|image\/svg\+xml)/)
      }
    }
  })
})

test('home links to a web app manifest whose icons exist', async () => {
  const { browser } = await signedIn({ baseUrl: 'https://example.org/log' })
  const { html } = await browser.get('/log')
  expect(html).toContain('<link rel="manifest" href="/log/manifest.webmanifest"/>')
  const { status, headers, html: text } = await browser.get('/log/manifest.webmanifest')
  expect([status, headers['content-type']]).toEqual([200, 'application/manifest+json; charset=utf-8'])
  const manifest = JSON.parse(text)
  expect(manifest).toMatchObject({ short_name: 'Paxlog', start_url: '/log/', scope: '/log/', display: 'standalone' })
  expect(manifest.icons.map(({ sizes }: { sizes: string }) => sizes)).toEqual(['any', '192x192', '512x512'])
  for (const { src, type } of manifest.icons) {
    const icon = await browser.get(src)
    expect([icon.status, icon.headers['content-type']]).toEqual([200, type])
  }
  expect((await browser.get(manifest.icons[1].src, { 'accept-encoding': 'br' })).headers).not.toHaveProperty(
    'content-encoding',
  )
})

describe('navigation', () => {
  /** Returns the current entries of the bar and of its section, each with its aria-current value. */
  const currentEntries = (html: string) => {
    const links = html
      .replace(/<svg.*?<\/svg>/gs, '')
      .matchAll(/<a href="([^"]*)" aria-current="(\w+)"[^>]*>([^<]*)<\/a>/g)
    // An entry can be in both the bar and the menu.
    return [...new Set([...links].map(([, , value, name]) => `${name} ${value}`))]
  }

  test('marks the current entry on every page that requires a session, including forms and detail pages', async () => {
    const { browser, owner, db, services, as, key } = await signedIn()
    const { airports } = referenceRows(db)
    const api = as(key(owner.id))
    const flight = await api.post('/flights', { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS })
    const share = await api.post('/shares', {})
    const field = await api.post('/custom-fields', {
      entityType: 'flight',
      key: 'meal',
      label: 'Meal',
      fieldType: 'text',
    })
    const expected: [string, string[]][] = [
      ['/', ['Flights page']],
      ['/flights/new', ['Flights true']],
      ['/import', ['Flights true']],
      [`/flights/${flight.body.data.id}`, ['Flights true']],
      [`/flights/${flight.body.data.id}/edit`, ['Flights true']],
      ['/settings/preferences', ['Settings page', 'Preferences page']],
      ['/settings/shares', ['Settings true', 'Shares page']],
      [`/settings/shares/${share.body.data.id}`, ['Settings true', 'Shares true']],
      ['/settings/security', ['Settings true', 'Security page']],
      ['/admin/users', ['Administration page', 'Users page']],
      [`/admin/users/${services.users.owner()!.id}`, ['Administration true', 'Users true']],
      ['/admin/roles', ['Administration true', 'Roles page']],
      ['/admin/roles/role-user', ['Administration true', 'Roles true']],
      ['/admin/custom-fields', ['Administration true', 'Custom fields page']],
      [`/admin/custom-fields/${field.body.data.id}`, ['Administration true', 'Custom fields true']],
      ['/docs', ['API page']],
      ['/docs/getMe', ['API true']],
    ]
    for (const [path, names] of expected) {
      const { status, html } = await browser.get(path)
      expect([path, status, currentEntries(html)]).toEqual([path, 200, names])
    }
  })
})

describe('shortcuts', () => {
  test('redirect from section paths such as /settings to a page', async () => {
    const { app, browser, user, services } = await signedIn()
    const redirects = { '/settings': '/settings/preferences', '/admin': '/admin/users', '/flights': '/' }
    for (const [from, to] of Object.entries(redirects)) {
      expect(await browser.get(from)).toMatchObject({ status: 303, location: to })
      const next = encodeURIComponent(from)
      expect(await browserSession(app).get(from)).toMatchObject({ status: 303, location: `/login?next=${next}` })
    }
    expect((await browser.get('/flights?year=2024&text=a')).location).toBe('/?year=2024&text=a')
    const reader = browserSession(app)
    reader.jar.set('paxlog', await services.sessions.start(user({ role: ['flight.read.own'] }).id))
    expect(await reader.get('/admin')).toMatchObject({ status: 303, location: '/' })
    const underPath = await signedIn({ baseUrl: 'http://localhost/log' })
    expect((await underPath.browser.get('/log/settings')).location).toBe('/log/settings/preferences')
    expect((await underPath.browser.get('/log/flights')).location).toBe('/log')
  })

  test('include a button to add a flight and an account menu that works without scripts', async () => {
    const { app, browser, user, services } = await signedIn()
    const { html } = await browser.get('/')
    expect(html).toMatch(/<li class="add"><a href="\/flights\/new" aria-label="Add flight"/)
    const menu = /<details class="menu account">.*?<\/header>/s.exec(html)![0]
    for (const part of ['<bdi>Mira</bdi>', 'href="/settings/preferences"', 'href="/docs"', 'action="/logout"']) {
      expect(menu).toContain(part)
    }
    const reader = browserSession(app)
    reader.jar.set('paxlog', await services.sessions.start(user({ role: ['flight.read.own'] }).id))
    expect((await reader.get('/')).html).not.toMatch(/class="add"|Administration/)
  })
})

describe('error pages', () => {
  test('are HTML for unknown paths, also for forms', async () => {
    const { app } = await paxlog()
    const browser = browserSession(app)
    for (const url of ['/nothing', '/settings/nothing', '/share', '/share/a/b']) {
      const { status, html, headers } = await browser.get(url)
      expect([url, status, headers['content-type']]).toEqual([url, 404, 'text/html; charset=utf-8'])
      expect(html).toContain('Page not found')
    }
    expect((await browser.send('POST', '/nothing', '{"a":1}', { 'content-type': 'application/json' })).status).toBe(404)
    expect((await browser.post('/nothing', { a: 'x'.repeat(70_000) })).status).toBe(404)
  })

  test('are the same for dot segments, which are not resolved', async () => {
    const { app } = await paxlog()
    const { request } = await wire(app)
    for (const path of ['/share/..', '/share/%2e%2E', '/settings/./security', '/settings/../login']) {
      const { status, headers, body } = await request(`GET ${path}`)
      expect([path, status, headers['x-frame-options']]).toEqual([path, 404, 'DENY'])
      expect(body).toContain('Page not found')
    }
  })

  test('return 405 with Allow for an unsupported method before the body is read', async () => {
    const { app } = await paxlog()
    const browser = browserSession(app)
    const expected: [string, string, string][] = [
      ['POST', '/', 'GET, HEAD'],
      ['DELETE', '/login', 'GET, HEAD, POST'],
      ['GET', '/logout', 'POST'],
      ['GET', '/settings/security/keys/1/delete', 'POST'],
      ['PUT', '/share/summer', 'GET, HEAD'],
      ['OPTIONS', '/setup/', 'GET, HEAD, POST'],
    ]
    for (const [method, url, allow] of expected) {
      const answer = await browser.send(method, url)
      expect([url, answer.status, answer.headers.allow?.toString().split(', ').sort().join(', ')]).toEqual([
        url,
        405,
        allow,
      ])
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  test('return 413 for a form over 64 KiB and 415 for other content types', async () => {
    const { browser } = await signedIn()
    const page = '/settings/security/keys'
    const csrf = csrfIn((await browser.get('/')).html)
    const form = `csrf=${csrf}&scope=profile.read&name=`
    expect((await browser.send('POST', page, `${form}&x=${'x'.repeat(64 * 1024 - form.length - 3)}`)).status).toBe(422)
    const large = await browser.send('POST', page, 'x'.repeat(64 * 1024 + 1))
    expect([large.status, large.html.includes('64 KiB')]).toEqual([413, true])
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'nonsense']) {
      const answer = await browser.send('POST', page, '{}', { 'content-type': type })
      expect([type, answer.status, answer.headers['content-type']]).toEqual([type, 415, 'text/html; charset=utf-8'])
    }
  })

  test('return 400 for a repeated field', async () => {
    const { browser } = await signedIn()
    const answer = await browser.submit('/', '/settings/security/keys', { name: ['a', 'b'], scope: 'profile.read' })
    expect(answer.status).toBe(400)
    expect(answer.html).toContain('The field name was sent more than once.')
  })

  test('return 500 without the cause', async () => {
    const instance = await paxlog()
    const users = {
      ...instance.services.users,
      owner: () => {
        throw new Error('the secret cause')
      },
    }
    const app = await pagesWith(instance, { users })
    const { status, html, headers } = await browserSession(app).get('/login')
    expect([status, headers['content-type']]).toEqual([500, 'text/html; charset=utf-8'])
    expect(html).not.toContain('secret cause')
    expect(html).not.toMatch(/at \w+ \(/)
  })

  test('C12: escape names and fields', async () => {
    const { browser, db } = await signedIn()
    const name = '<img src=x onerror=alert(1)></script>"\'&'
    runNow(db, 'update users set display_name = ?', name)
    await browser.submit('/', '/settings/security/keys', { name, scope: 'profile.read' })
    for (const url of ['/', '/settings/security']) {
      const { html } = await browser.get(url)
      expect(html).toContain('&lt;img src=x onerror=alert(1)>')
      expect(html).not.toContain('<img')
    }
    const rejected = await browser.submit('/', '/settings/security/keys', { name: 'a', scope: name })
    expect([rejected.status, rejected.html.includes('<img')]).toEqual([403, false])
  })

  test('do not allow prototype pollution by field names', async () => {
    const { browser } = await signedIn()
    for (const field of ['__proto__', 'constructor', '__proto__[status]', 'constructor.prototype']) {
      const answer = await browser.submit('/', '/settings/security/keys', { [field]: 'x', name: 'a', scope: [] })
      expect(answer.status).toBe(422)
    }
    expect(({} as Record<string, unknown>).status).toBeUndefined()
  })
})
