import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { codingOf } from '../../../src/http/pages/framework/compression.ts'
import { packageRoot } from '../../../src/lib/package-root.ts'
import { csrfIn } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'

async function setUp() {
  const { browser, app } = await signedIn()
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers: { cookie, ...headers } })
  /** Returns the assets of home, except PNG files, which are not compressed again. */
  async function assetPaths(): Promise<string[]> {
    const { payload } = await request('/')
    return [...payload.matchAll(/(?:href|src)="(\/assets\/[^"]+(?<!png))"/g)].map(([, path]) => path!)
  }
  return { browser, request, assetPaths }
}

describe('content coding', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['identity', 'identity'],
    ['identity;q=1, br;q=0.5', 'identity'],
    ['*', 'br'],
    ['*;q=0.3, br;q=0', 'gzip'],
    ['br;q=high', 'identity'],
    [`${'x,'.repeat(5000)}br`, 'identity'],
  ])('%j selects %s', (header, coding) => {
    expect(codingOf(header)).toBe(coding)
  })
})

describe('page', () => {
  test('has the same content in every coding and sets Vary', async () => {
    const { request } = await setUp()
    const path = '/settings/preferences'
    const plain = await request(path)
    const brotli = await request(path, { 'accept-encoding': 'gzip, br' })
    const gzipped = await request(path, { 'accept-encoding': 'gzip' })
    const codings = [plain, brotli, gzipped].map(({ headers }) => headers['content-encoding'])
    expect(codings).toEqual([undefined, 'br', 'gzip'])
    for (const { headers } of [plain, brotli, gzipped]) {
      expect(headers.vary).toBe('Accept-Language, Cookie, Accept-Encoding')
      expect(headers['cache-control']).toBe('no-store')
    }
    const csrfFields = /name="csrf" value="[\w-]+"/g
    const texts = [brotliDecompressSync(brotli.rawPayload), gunzipSync(gzipped.rawPayload)].map(String)
    for (const text of texts) expect(text.replace(csrfFields, '')).toBe(plain.payload.replace(csrfFields, ''))
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(Number(brotli.headers['content-length'])).toBe(brotli.rawPayload.length)
  })

  test('has the same headers with HEAD as with GET', async () => {
    const { request } = await setUp()
    const [head, get] = await Promise.all(
      (['HEAD', 'GET'] as const).map((method) => request('/docs', { cookie: '', 'accept-encoding': 'br' }, method)),
    )
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary']) {
      expect([name, head!.headers[name]]).toEqual([name, get!.headers[name]])
    }
    expect(head!.headers['content-encoding']).toBe('br')
    expect(head!.rawPayload.length).toBe(0)
  })

  test('is not compressed if it fits into one packet or is a redirect', async () => {
    const { request } = await setUp()
    const found = await request('/search/airports?q=zrh', { 'accept-encoding': 'br' })
    expect([found.statusCode, found.headers['content-encoding']]).toEqual([200, undefined])
    const redirect = await request('/setup', { 'accept-encoding': 'br' })
    expect([redirect.statusCode, redirect.headers['content-encoding']]).toEqual([303, undefined])
  })

  test('is not compressed if it shows a secret', async () => {
    const { browser } = await setUp()
    const csrf = csrfIn((await browser.get('/settings/security')).html)
    const fields = { csrf, name: 'board', scope: 'profile.read' }
    const created = await browser.post('/settings/security/keys', fields, { 'accept-encoding': 'br, gzip' })
    expect(created.html).toMatch(/pxl_\w{43}/)
    expect(created.headers).not.toHaveProperty('content-encoding')
  })

  test('has a new CSRF token in each response, and earlier tokens stay valid', async () => {
    const { browser, request } = await setUp()
    const pages = [await request('/settings/security'), await request('/settings/security')]
    const [first, second] = pages.map(({ payload }) => csrfIn(payload))
    expect(first).not.toBe(second)
    for (const csrf of [first!, second!, first!]) {
      const fields = { csrf, name: 'board', scope: 'profile.read' }
      expect((await browser.post('/settings/security/keys', fields)).status).toBe(200)
    }
  })
})

test('an API response is not compressed', async () => {
  const { request } = await setUp()
  const { headers } = await request('/api/v1', { 'accept-encoding': 'br, gzip' })
  expect(headers).not.toHaveProperty('content-encoding')
})

describe('assets', () => {
  test('have a hash in their name, are cacheable forever, and are available in every coding', async () => {
    const { request, assetPaths } = await setUp()
    for (const path of await assetPaths()) {
      expect(path).toMatch(/-\w{8,}\.\w+$/)
      const plain = await request(path)
      const brotli = await request(path, { 'accept-encoding': 'br' })
      const gzipped = await request(path, { 'accept-encoding': 'gzip' })
      expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true)
      expect(gunzipSync(gzipped.rawPayload).equals(plain.rawPayload)).toBe(true)
      for (const { headers } of [plain, brotli, gzipped]) {
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
        expect(headers.vary).toBe('accept-encoding')
      }
      expect(new Set([plain, brotli, gzipped].map(({ headers }) => headers.etag)).size).toBe(3)
    }
  })

  test('return 304 if the ETag of the coding matches', async () => {
    const { request, assetPaths } = await setUp()
    const [path] = await assetPaths()
    const { headers } = await request(path!, { 'accept-encoding': 'br' })
    const again = await request(path!, { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.rawPayload.length, again.headers.etag]).toEqual([304, 0, headers.etag])
    const other = await request(path!, { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) })
    expect(other.statusCode).toBe(200)
  })

  test('stay below 16 kB for styles, and 390 kB for styles and scripts of home with the interactive map', () => {
    const folder = join(packageRoot, 'dist/assets')
    const sizeOf = (names: RegExp) =>
      readdirSync(folder)
        .filter((file) => names.test(file) && file.endsWith('.gz'))
        .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
    expect(sizeOf(/^style-/)).toBeLessThan(16_000)
    const all = sizeOf(/^(style|paxlog|icon|map)-/)
    expect(all).toBeLessThan(390_000)
    // Fails if the pattern matches no files.
    expect(all).toBeGreaterThan(200_000)
  })

  test('return 404 for other names', async () => {
    const { request, assetPaths } = await setUp()
    const [path] = await assetPaths()
    const wrong = ['style.css', 'style-x.css', '..%2fmain.js', '%2e%2e%2fmain.js', 'constructor', '']
    for (const url of [`${path}.br`, ...wrong.map((file) => `/assets/${file}`)]) {
      expect([url, (await request(url)).statusCode]).toEqual([url, 404])
    }
  })
})
