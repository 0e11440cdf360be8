import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languageNames } from '../../../src/lib/languages.ts'
import { browserSession, withoutCsrf } from '../../support/browser-session.ts'
import { useOneProcess } from '../../support/engine.ts'
import { PASSWORD, sharedSignedIn, signedIn } from '../../support/pages.ts'
import { paxlog } from '../../support/paxlog.ts'
import { flags } from '../../support/shared-flight.ts'
import { flying, places } from '../../support/travel.ts'

const german = { 'accept-language': 'de-CH,de;q=0.9,en;q=0.5' }
const japanese = { 'accept-language': 'ja' }
const languageOf = (html: string) => /<html lang="([\w-]+)"/.exec(html)?.[1]
const COOKIE = 'paxlog-language'

describe('the language of a page', () => {
  let app: Awaited<ReturnType<typeof sharedSignedIn>>
  beforeAll(async () => {
    app = await sharedSignedIn()
  })
  afterAll(() => app.close())

  test('is the preference, else the cookie of the switch, else accepted by the browser, else English', async () => {
    const { browser, as, key, owner } = await signedIn()
    const shown = async (headers?: Record<string, string>) => languageOf((await browser.get('/trips', headers)).html)
    expect(await shown()).toBe('en')
    expect(await shown({ 'accept-language': 'sv, xx;q=0.5' })).toBe('en')
    expect(await shown({ 'accept-language': 'sv, ja;q=0.5' })).toBe('ja')
    expect(await shown(german)).toBe('de')
    browser.jar.set(COOKIE, 'ja')
    expect(await shown(german)).toBe('ja')
    browser.jar.set(COOKIE, 'xx')
    expect(await shown(german)).toBe('de')
    browser.jar.set(COOKIE, 'ja')
    await as(key(owner.id)).put('/preferences', { language: 'de' })
    expect(await shown(japanese)).toBe('de')
    await as(key(owner.id)).put('/preferences', { language: 'auto' })
    expect(await shown(german)).toBe('ja')
  })

  test('is announced with the headers that it depends on, and pages have no ETag', async () => {
    const { app: server, browser } = app
    const visitor = browserSession(server)
    const addresses = ['/', '/trips', '/nothing', '/flights/999', '/docs', '/offline', '/settings/preferences']
    for (const [one, path] of [...addresses.map((each) => [browser, each] as const), [visitor, '/login'] as const]) {
      const { headers, html } = await one.get(path, german)
      expect([path, languageOf(html), headers['content-language']]).toEqual([path, 'de', 'de'])
      expect([path, headers.vary]).toEqual([path, 'Accept-Language, Cookie, Accept-Encoding'])
      expect([path, headers.etag, headers['cache-control']]).toEqual([path, undefined, 'no-store'])
    }
  })

  test('is not announced with redirects and data without texts', async () => {
    for (const path of ['/settings', '/service-worker.js']) {
      const { headers } = await app.browser.get(path, german)
      expect([path, headers['content-language'], String(headers.vary).includes('Cookie')]).toEqual([
        path,
        undefined,
        false,
      ])
    }
  })

  test('is that of the browser in the manifest, which may be cached', async () => {
    const answer = await app.browser.get('/manifest.webmanifest', japanese)
    expect(JSON.parse(answer.html).lang).toBe('ja')
    expect(answer.headers).toMatchObject({ 'content-language': 'ja', vary: 'Accept-Language' })
  })

  test('needs no second lookup of the session, also on pages for visitors', async () => {
    useOneProcess()
    const { browser, services } = await signedIn({ unused: true })
    const { find } = services.sessions
    let lookups = 0
    services.sessions.find = (id) => {
      lookups += 1
      return find(id)
    }
    for (const path of ['/', '/trips', '/docs', '/nothing', '/offline']) {
      lookups = 0
      await browser.get(path)
      expect([path, lookups]).toEqual([path, 1])
    }
  })

  test('falls back to the cookie while the session cannot be read', async () => {
    useOneProcess()
    const { browser, services } = await signedIn({ unused: true })
    let lookups = 0
    services.sessions.find = () => {
      lookups += 1
      throw new Error('away')
    }
    browser.jar.set(COOKIE, 'ja')
    for (const path of ['/', '/nothing']) {
      lookups = 0
      expect([languageOf((await browser.get(path)).html), lookups]).toEqual(['ja', 1])
    }
  })

  test('writes dates of every precision, unless numbers are preferred', async () => {
    const instance = await signedIn()
    const { browser, as } = instance
    const owner = { ...instance.owner, key: instance.key(instance.owner.id) }
    const fly = flying(instance, places(instance.db))
    await fly(owner, 'ZRH', 'CPH', { date: '2024-05-03' })
    await fly(owner, 'ZRH', 'CPH', { date: '2023-05-01', datePrecision: 'month' })
    await fly(owner, 'ZRH', 'CPH', { date: '2022-01-01', datePrecision: 'year' })
    const shown = async (headers: Record<string, string>) =>
      [...(await browser.get('/', headers)).html.matchAll(/<time[^>]*>([^<]*)</g)].map(([, date]) => date)
    expect(await shown(japanese)).toEqual(['2024年5月3日', '2023年5月', '2022年'])
    expect(await shown(german)).toEqual(['3. Mai 2024', 'Mai 2023', '2022'])
    await as(owner).put('/preferences', { dateFormat: 'iso' })
    expect(await shown(japanese)).toEqual(['2024-05-03', '2023-05', '2022'])
  })

  test('is English for the API, with any preference', async () => {
    const { as, key, owner } = await signedIn()
    const api = as(key(owner.id))
    await api.put('/preferences', { language: 'de' })
    const { body } = await api.get('/flights/999')
    expect(body.error.message).toBe('This flight does not exist.')
  })
})

describe('server caches', () => {
  test('never show one language to readers of another', async () => {
    const instance = await signedIn()
    const { browser, app, as, user, services, owner, key } = instance
    const records = places(instance.db)
    const other = user()
    await flying(instance, records)(other, 'ZRH', 'LIS', {
      date: '2024-03-01',
      passengers: [{ userId: other.id }, { userId: owner.id }],
    })
    await as(key(owner.id)).put('/preferences', { language: 'de' })
    await as(other).put('/preferences', { language: 'ja' })
    const otherBrowser = browserSession(app)
    otherBrowser.jar.set('paxlog', await services.sessions.start(other.id))
    const paths = ['/', '/map', '/statistics', '/statistics/2024', '/countries', '/docs', '/docs/listFlights']
    const texts = async (reader: typeof browser) => {
      const pages = []
      for (const path of paths) pages.push(withoutCsrf((await reader.get(path)).html))
      return pages
    }
    const first = [await texts(browser), await texts(otherBrowser)]
    const second = [await texts(otherBrowser), await texts(browser)]
    expect(second.toReversed()).toEqual(first)
    expect(first.map((pages) => pages.map(languageOf))).toEqual([paths.map(() => 'de'), paths.map(() => 'ja')])
    expect(first[0]!.every((html) => !/[\u3040-\u30ff]/.test(html.replaceAll('日本語', '')))).toBe(true)
  })
})

describe('a share', () => {
  async function shared() {
    const instance = await paxlog()
    const owner = instance.user()
    await flying(instance, places(instance.db))(owner, 'ZRH', 'LIS', { date: '2024-03-01' })
    await instance.as(owner).put('/preferences', { language: 'de' })
    const everything = Object.fromEntries(flags.map((flag) => [flag, true]))
    const { slug } = (await instance.as(owner).post('/shares', everything)).body.data
    return { ...instance, slug: slug as string, visitor: browserSession(instance.app) }
  }

  test('follows the visitor, with its link preview, and sets no cookie', async () => {
    const { slug, visitor } = await shared()
    for (const [language, locale] of [
      ['ja', 'ja_JP'],
      ['de', 'de_DE'],
      ['sv', 'en_GB'],
    ] as const) {
      const { html, headers } = await visitor.get(`/share/${slug}`, { 'accept-language': language })
      expect([languageOf(html), html.includes(`property="og:locale" content="${locale}"`)]).toEqual([
        language === 'sv' ? 'en' : language,
        true,
      ])
      expect(headers.vary).toBe('Accept-Language, Cookie, Accept-Encoding')
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  test('has a preview picture per language, which is English for Japanese', async () => {
    const { slug, app } = await shared()
    const picture = async (language: string, shown = language) => {
      const headers = { 'accept-language': language }
      const { rawPayload, headers: answered } = await app.inject({ url: `/share/${slug}/map.png`, headers })
      expect(answered).toMatchObject({ 'content-language': shown, vary: 'Accept-Language, Cookie' })
      return rawPayload
    }
    const [english, other] = [await picture('en'), await picture('de')]
    expect(other.equals(english)).toBe(false)
    expect((await picture('en')).equals(english)).toBe(true)
    expect((await picture('de')).equals(other)).toBe(true)
    // The fonts of pictures have no Japanese letters.
    expect((await picture('ja', 'en')).equals(english)).toBe(true)
  })
})

describe('the language switch of visitors', () => {
  test('names each language in itself on sign-in, setup, share, error and public pages', async () => {
    const { app } = await paxlog()
    const { app: withOwner } = await signedIn()
    for (const [server, path] of [
      [app, '/setup'],
      [withOwner, '/login'],
      [withOwner, '/nothing'],
      [withOwner, '/share/none'],
      [withOwner, '/oauth/authorize'],
      [withOwner, '/docs'],
      [withOwner, '/offline'],
    ] as const) {
      const { html } = await browserSession(server).get(path)
      const footer = /<footer>.*<\/footer>/s.exec(html)?.[0] ?? ''
      expect([path, footer.includes('action="/language"')]).toEqual([path, true])
      expect(footer).toContain(`<button type="submit" name="language" value="en" aria-pressed="true">English`)
      expect(footer).toContain(`value="de" lang="de" aria-pressed="false">Deutsch`)
      expect(footer).toContain(`value="ja" lang="ja" aria-pressed="false">日本語`)
      expect(footer).not.toContain('csrf')
    }
  })

  test('sets a cookie and returns to the same page', async () => {
    const { app } = await signedIn()
    const visitor = browserSession(app)
    for (const page of ['/login?next=%2Ftrips', '/docs?q=flight', '/docs/listFlights']) {
      const { html } = await visitor.get(page)
      expect(html).toContain(`name="next" value="${page}"`)
      const answer = await visitor.post('/language', { language: 'de', next: page })
      expect(answer).toMatchObject({ status: 303, location: page })
      expect(visitor.jar.get(COOKIE)).toBe('de')
      expect(languageOf((await visitor.get(page)).html)).toBe('de')
      visitor.jar.delete(COOKIE)
    }
    await visitor.post('/language', { language: 'de', next: '/login' })
    expect(visitor.attributes.get(COOKIE)).toBe('Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax')
  })

  test('opens the start page from errors, which do not repeat the requested address', async () => {
    const { app } = await signedIn()
    const visitor = browserSession(app)
    for (const page of ['/nothing', '/share/none']) {
      const { html, status } = await visitor.get(page)
      expect(status).toBe(404)
      expect(html).toContain('name="next" value="/"')
      expect(html).not.toContain(page)
    }
    expect(await visitor.post('/language', { language: 'de', next: '/' })).toMatchObject({ status: 303, location: '/' })
  })

  test('keeps the page to open after a rejected sign-in', async () => {
    const { app } = await signedIn()
    const visitor = browserSession(app)
    const refused = await visitor.submit('/login', '/login', { username: 'x', password: 'y', next: '/trips' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('name="next" value="/login?next=%2Ftrips"')
  })

  test('returns only to pages of this instance', async () => {
    const { app } = await paxlog({ baseUrl: 'http://localhost/log' })
    const visitor = browserSession(app)
    for (const next of [
      'https://example.org/',
      '//example.org',
      '/\\example.org',
      '/other',
      '/log/../other',
      '/log/%2e%2e/x',
    ]) {
      expect(await visitor.post('/log/language', { language: 'de', next })).toMatchObject({ location: '/log' })
    }
    expect(await visitor.post('/log/language', { language: 'de', next: '/log/x' })).toMatchObject({
      location: '/log/x',
    })
    expect(await visitor.post('/log/language', { language: 'de', next: '/log/logout' })).toMatchObject({
      location: '/log',
    })
  })

  test('ignores unknown languages, and rejects other sites', async () => {
    const { app } = await signedIn()
    const visitor = browserSession(app)
    for (const language of ['xx', 'auto', '', 'constructor', 'de; Path=/x']) {
      expect((await visitor.post('/language', { language })).status).toBe(303)
    }
    expect(visitor.jar.get(COOKIE)).toBeUndefined()
    const fromElsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of fromElsewhere) {
      expect((await visitor.post('/language', { language: 'de' }, headers)).status).toBe(403)
    }
    expect(visitor.jar.get(COOKIE)).toBeUndefined()
  })

  test('is kept after the sign-in', async () => {
    const { app } = await signedIn()
    const visitor = browserSession(app)
    await visitor.post('/language', { language: 'ja', next: '/login' })
    await visitor.signIn('mira', PASSWORD)
    expect(languageOf((await visitor.get('/')).html)).toBe('ja')
  })
})

describe('the language switch of users', () => {
  test('sets the preference in the account menu, and Browser default undoes the choice of a visitor', async () => {
    const { browser, as, key, owner } = await signedIn()
    const api = as(key(owner.id))
    const choose = (language: string, next = '/trips') =>
      browser.submit('/trips', '/settings/language', { language, next })
    for (const name of Object.values(languageNames)) {
      expect((await browser.get('/trips')).html).toContain(name)
    }
    expect(await choose('de')).toMatchObject({ status: 303, location: '/trips' })
    expect((await api.get('/preferences')).body.data.language).toBe('de')
    const { html } = await browser.get('/trips')
    expect(languageOf(html)).toBe('de')
    expect(html).toContain('value="de" aria-pressed="true">Deutsch')
    browser.jar.set(COOKIE, 'ja')
    await choose('auto')
    expect(browser.jar.get(COOKIE)).toBeUndefined()
    expect(languageOf((await browser.get('/trips', german)).html)).toBe('de')
    expect((await choose('xx')).status).toBe(422)
    expect((await browser.post('/settings/language', { language: 'de' })).status).toBe(403)
  })

  test('sets the preference below pages without a menu', async () => {
    const { browser, as, key, owner } = await signedIn()
    const { html } = await browser.get('/nothing')
    expect(html).toContain('<form method="post" action="/settings/language">')
    await browser.submit('/nothing', '/settings/language', { language: 'de', next: '/nothing' })
    expect(languageOf((await browser.get('/nothing', japanese)).html)).toBe('de')
    expect((await as(key(owner.id)).get('/preferences')).body.data.language).toBe('de')
  })

  test('confirms new preferences in the new language', async () => {
    const { browser } = await signedIn()
    const page = '/settings/preferences'
    const fields = Object.fromEntries(
      [...(await browser.get(page)).html.matchAll(/<select[^>]* name="(\w+)".*?<option value="(\w+)" selected/gs)].map(
        ([, name, value]) => [name!, value!],
      ),
    )
    await browser.submit(page, page, { ...fields, language: 'ja' })
    const { html } = await browser.get(page)
    expect(languageOf(html)).toBe('ja')
    expect(html).not.toContain('Your preferences were saved.')
  })
})
