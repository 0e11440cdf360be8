import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { codingOf } from '../../../src/http/pages/framework/compression.ts'
import { packageRoot } from '../../../src/lib/package-root.ts'
import { csrfIn } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'

async function visited() {
  const { browser, app } = await signedIn()
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const fetched = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers: { cookie, ...headers } })
  /** What home loads, apart from pictures, which are compressed by themselves. */
  async function loaded(): Promise<string[]> {
    const { payload } = await fetched('/')
    return [...payload.matchAll(/(?:href|src)="(\/assets\/[^"]+(?<!png))"/g)].map(([, path]) => path!)
  }
  return { browser, fetched, loaded }
}

describe('how a text is sent', () => {
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
  ])('%j gets %s', (header, coding) => {
    expect(codingOf(header)).toBe(coding)
  })
})

describe('a page', () => {
  test('is the same however it is sent, and says by what it varies', async () => {
    const { fetched } = await visited()
    const path = '/settings/preferences'
    const plain = await fetched(path)
    const brotli = await fetched(path, { 'accept-encoding': 'gzip, br' })
    const gzipped = await fetched(path, { 'accept-encoding': 'gzip' })
    const codings = [plain, brotli, gzipped].map(({ headers }) => headers['content-encoding'])
    expect(codings).toEqual([undefined, 'br', 'gzip'])
    for (const { headers } of [plain, brotli, gzipped]) {
      expect(headers.vary).toBe('Accept-Encoding')
      expect(headers['cache-control']).toBe('no-store')
    }
    const marks = /name="csrf" value="[\w-]+"/g
    const texts = [brotliDecompressSync(brotli.rawPayload), gunzipSync(gzipped.rawPayload)].map(String)
    for (const text of texts) expect(text.replace(marks, '')).toBe(plain.payload.replace(marks, ''))
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(Number(brotli.headers['content-length'])).toBe(brotli.rawPayload.length)
  })

  test('has the same headers with HEAD as with GET', async () => {
    const { fetched } = await visited()
    const [head, get] = await Promise.all(
      (['HEAD', 'GET'] as const).map((method) => fetched('/docs', { cookie: '', 'accept-encoding': 'br' }, method)),
    )
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary']) {
      expect([name, head!.headers[name]]).toEqual([name, get!.headers[name]])
    }
    expect(head!.headers['content-encoding']).toBe('br')
    expect(head!.rawPayload.length).toBe(0)
  })

  test('that fits into one packet is sent as it is, and so is a redirect', async () => {
    const { fetched } = await visited()
    const missing = await fetched('/nothing', { 'accept-encoding': 'br' })
    expect([missing.statusCode, missing.headers['content-encoding']]).toEqual([404, undefined])
    const elsewhere = await fetched('/setup', { 'accept-encoding': 'br' })
    expect([elsewhere.statusCode, elsewhere.headers['content-encoding']]).toEqual([303, undefined])
  })

  test('that shows a secret for the one time is not compressed', async () => {
    const { browser } = await visited()
    const csrf = csrfIn((await browser.get('/settings/security')).html)
    const fields = { csrf, name: 'board', scope: 'profile.read' }
    const made = await browser.post('/settings/security/keys', fields, { 'accept-encoding': 'br, gzip' })
    expect(made.html).toMatch(/pxl_\w{43}/)
    expect(made.headers).not.toHaveProperty('content-encoding')
  })

  test('has other marks in its forms at every rendering, and all of them count', async () => {
    const { browser, fetched } = await visited()
    const pages = [await fetched('/settings/security'), await fetched('/settings/security')]
    const [first, second] = pages.map(({ payload }) => csrfIn(payload))
    expect(first).not.toBe(second)
    for (const csrf of [first!, second!, first!]) {
      const fields = { csrf, name: 'board', scope: 'profile.read' }
      expect((await browser.post('/settings/security/keys', fields)).status).toBe(200)
    }
  })
})

test('an answer of the API is sent as it is', async () => {
  const { fetched } = await visited()
  const { headers } = await fetched('/api/v1', { 'accept-encoding': 'br, gzip' })
  expect(headers).not.toHaveProperty('content-encoding')
})

describe('what a page loads', () => {
  test('is named by its content, kept for good, and sent in every form', async () => {
    const { fetched, loaded } = await visited()
    for (const path of await loaded()) {
      expect(path).toMatch(/-\w{8,}\.\w+$/)
      const plain = await fetched(path)
      const brotli = await fetched(path, { 'accept-encoding': 'br' })
      const gzipped = await fetched(path, { 'accept-encoding': 'gzip' })
      expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true)
      expect(gunzipSync(gzipped.rawPayload).equals(plain.rawPayload)).toBe(true)
      for (const { headers } of [plain, brotli, gzipped]) {
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
        expect(headers.vary).toBe('accept-encoding')
      }
      expect(new Set([plain, brotli, gzipped].map(({ headers }) => headers.etag)).size).toBe(3)
    }
  })

  test('is not sent again to whoever has it in this form', async () => {
    const { fetched, loaded } = await visited()
    const [path] = await loaded()
    const { headers } = await fetched(path!, { 'accept-encoding': 'br' })
    const again = await fetched(path!, { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.rawPayload.length, again.headers.etag]).toEqual([304, 0, headers.etag])
    const other = await fetched(path!, { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) })
    expect(other.statusCode).toBe(200)
  })

  test('weighs no more than it may: styles 12 kB, and all that home loads with a map that moves 390 kB beside the page', () => {
    const folder = join(packageRoot, 'dist/assets')
    const weightOf = (names: RegExp) =>
      readdirSync(folder)
        .filter((file) => names.test(file) && file.endsWith('.gz'))
        .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
    expect(weightOf(/^style-/)).toBeLessThan(12_000)
    const all = weightOf(/^(style|paxlog|icon|map|land-coarse)-/)
    expect(all).toBeLessThan(390_000)
    // They were found.
    expect(all).toBeGreaterThan(200_000)
  })

  test('is nothing else than that', async () => {
    const { fetched, loaded } = await visited()
    const [path] = await loaded()
    const wrong = ['style.css', 'style-x.css', '..%2fmain.js', '%2e%2e%2fmain.js', 'constructor', '']
    for (const url of [`${path}.br`, ...wrong.map((file) => `/assets/${file}`)]) {
      expect([url, (await fetched(url)).statusCode]).toEqual([url, 404])
    }
  })
})
