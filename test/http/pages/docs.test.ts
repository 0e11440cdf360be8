import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { type OperationId, policy, ruleOf } from '../../../src/access/policy.ts'
import { scopes } from '../../../src/access/scopes.ts'
import { allOperations } from '../../../src/app/operations.ts'
import { statusesOf } from '../../../src/http/v1/responses.ts'
import { browserSession } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'
import { paxlog } from '../../support/paxlog.ts'

const ids = Object.keys(policy) as OperationId[]
const BASE = 'https://fly.example/log'

const conditionsOf = (id: OperationId) => Object.values(ruleOf(id).conditions ?? {})
const unescaped = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** Returns the text of a page without tags. */
const textOf = (html: string) => unescaped(html.replace(/<[^>]+>/g, '')).replace(/\s+/g, ' ')

async function setUp(baseUrl?: string) {
  const instance = await paxlog(baseUrl === undefined ? {} : { baseUrl })
  const visitor = browserSession(instance.app)
  const root = baseUrl === undefined ? '' : new URL(baseUrl).pathname
  const page = async (path: string) => {
    const { status, html } = await visitor.get(root + path)
    expect([path, status]).toEqual([path, 200])
    return html
  }
  return { ...instance, page, root }
}

describe('API reference', () => {
  test('lists every operation of the policy with its fixed and conditional scopes, without a sign-in', async () => {
    const { page } = await setUp()
    const html = await page('/docs')
    for (const id of ids) {
      const [, line] = new RegExp(`<li id="${id}">(.*?)</li>`, 's').exec(html) ?? []
      expect([id, line !== undefined]).toEqual([id, true])
      const needed = [...ruleOf(id).needs, ...conditionsOf(id).map(({ needs }) => needs)]
      const shown = [...line!.matchAll(/<code>([a-z_.]+)<\/code>/g)].map(([, scope]) => scope)
      expect([id, shown]).toEqual([id, [...new Set(needed)]])
    }
    for (const { name, description } of scopes) expect(textOf(html)).toContain(`${name}${description}`)
  })

  test('has a page for each operation with method, path, scopes, conditions and every status', async () => {
    const { page, services } = await setUp()
    for (const operation of allOperations(services)) {
      const html = await page(`/docs/${operation.id}`)
      const text = textOf(html)
      const [method, path] = operation.route.split(' ')
      expect(text).toContain(`${method} /api/v1${path}`)
      expect(text).toContain(operation.summary)
      for (const scope of ruleOf(operation.id).needs) expect(text).toContain(scope)
      for (const { needs, when } of conditionsOf(operation.id)) expect(text).toContain(`${needs}: needed when ${when}.`)
      const statuses = [...html.matchAll(/<code class="status[^"]*">(\d+)<\/code>/g)].map(([, status]) =>
        Number(status),
      )
      expect([operation.id, statuses]).toEqual([operation.id, statusesOf(operation)])
    }
  })

  test('shows the members of bodies with type, limits, null and required', async () => {
    const { page } = await setUp()
    const flight = textOf(await page('/docs/createFlight'))
    expect(flight).toContain('date day required')
    expect(flight).toContain('departure date-time or null')
    expect(flight).toContain('passengers list of PassengerWrite 1 to 500 items')
    expect(flight).toContain('One of window, aisle, middle, pilot, copilot, jumpseat, other.')
    const user = textOf(await page('/docs/createUser'))
    expect(user).toContain('username text required3 to 20 characters')
  })

  test('has valid requests in every language with the address of this instance', async () => {
    const { page } = await setUp(BASE)
    for (const id of ['', ...ids.map((each) => `/${each}`)]) {
      const html = await page(`/docs${id}`)
      const commands = [...html.matchAll(/<pre><code id="([\w-]+)">(.*?)<\/code><\/pre>/gs)]
      expect([id, commands.length > 0]).toEqual([id, true])
      for (const [, name, text] of commands) {
        if (name !== 'start-key') expect(unescaped(text!)).toContain(BASE)
        if (name === 'javascript') await transform(unescaped(text!), { loader: 'js' })
        else if (name !== 'python' && !name!.startsWith('start-mcp')) {
          execFileSync('bash', ['-n', '-c', unescaped(text!)])
        }
      }
    }
  })

  test('finds operations that contain every word of a query, without a script', async () => {
    const { page } = await setUp(BASE)
    const found = async (query: string) =>
      [...(await page(`/docs?q=${encodeURIComponent(query)}`)).matchAll(/<li id="(\w+)">/g)].map(([, id]) => id)
    expect(await found('delete flight')).toContain('deleteFlight')
    expect(await found(' Delete  FLIGHT ')).not.toContain('deleteRole')
    expect(await found('listroles')).toEqual(['listRoles'])
    expect(await found('visited_countries.write')).toEqual(['putVisitedCountry', 'deleteVisitedCountry'])
    expect(await found('')).toHaveLength(ids.length)
    const none = await page('/docs?q=%3Cb%3Eteleport')
    expect(none).toContain('No operations match.')
    expect(none).toContain('value="&lt;b>teleport"')
    expect(none).toContain('<a href="/log/docs">Show all operations</a>')
    // Results are not cached as the overview.
    expect(await page('/docs')).toContain('Getting started')
  })

  test('has no broken links, also under a base path', async () => {
    const { page, app, root } = await setUp(BASE)
    const pages = ['/docs', ...ids.map((id) => `/docs/${id}`)]
    const targets = new Set<string>()
    for (const path of pages) {
      const html = await page(path)
      const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))
      expect([path, anchors.size]).toEqual([path, [...html.matchAll(/ id="/g)].length])
      for (const [, href] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        if (href!.startsWith('#')) expect([path, href, anchors.has(href!.slice(1))]).toEqual([path, href, true])
        else targets.add(href!)
      }
    }
    for (const target of targets) {
      expect(target.startsWith(root)).toBe(true)
      const [path, anchor] = target.split('#')
      const answer = await app.inject(path!)
      expect([target, [200, 303].includes(answer.statusCode)]).toEqual([target, true])
      if (anchor) expect(answer.body).toContain(` id="${anchor}"`)
    }
  })

  test('keeps every page below 100 kB compressed', async () => {
    const { page } = await setUp()
    for (const id of ['', ...ids.map((each) => `/${each}`)]) {
      expect([id, gzipSync(await page(`/docs${id}`)).length < 100_000]).toEqual([id, true])
    }
  })

  test('returns 404 for an unknown operation', async () => {
    const { app } = await setUp()
    expect((await app.inject('/docs/flyToTheMoon')).statusCode).toBe(404)
    expect((await app.inject('/docs/constructor')).statusCode).toBe(404)
  })

  test('shows the navigation to signed-in users only', async () => {
    const { app, browser } = await signedIn()
    const [signedInPage, publicPage] = [await browser.get('/docs'), await browserSession(app).get('/docs')]
    expect(signedInPage.html).toContain('<a href="/docs" aria-current="page">API</a>')
    expect(signedInPage.html).toContain('Sign out')
    expect(publicPage.html).not.toContain('Sign out')
    expect((await browser.get('/')).html).toContain('<a href="/docs">')
  })

  test('has no named fields, so that values cannot end up in an address', async () => {
    const { page } = await setUp()
    for (const id of ids) {
      const html = await page(`/docs/${id}`)
      const content = /<main.*<\/main>/s.exec(html)![0]
      expect([id, /<(input|select|textarea)[^>]* name=/.test(content)]).toEqual([id, false])
    }
    expect(await page('/docs/getMe')).toMatch(/<input id="try-key" type="password" autocomplete="off"/)
  })
})
