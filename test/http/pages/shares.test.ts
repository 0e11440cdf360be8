import { describe, expect, test } from 'vitest'
import { shares } from '../../../src/db/tables/index.ts'
import { write } from '../../../src/db/write.ts'
import { browserSession } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'

const PAGE = '/settings/shares'
const NOW = '2026-06-01T12:00:00Z'
const at = (time: string) => ({ now: () => Date.parse(time) })

type Instance = Awaited<ReturnType<typeof signedIn>>

const sharesOf = async ({ as, key, owner }: Pick<Instance, 'as' | 'key' | 'owner'>) =>
  (await as(key(owner.id)).get('/shares')).body.data

const checkedFlags = (html: string) => [...html.matchAll(/name="show" value="(\w+)" checked/g)].map(([, name]) => name)
const inputValue = (html: string, name: string) =>
  new RegExp(`<input[^>]*value="([^"]*)"[^>]* name="${name}"`).exec(html)?.[1]
const errorOf = (html: string, id: string) =>
  new RegExp(`<p class="field-error" id="${id}-error">([^<]*)`).exec(html)?.[1]

const everything = [
  'showMap',
  'showTracks',
  'showStats',
  'showFlightList',
  'showDates',
  'showTimes',
  'showFlightNumbers',
  'showAirlines',
  'showAircraft',
  'showSeat',
]

describe('shares page', () => {
  test('redirects to the sign-in and back', async () => {
    const { app } = await signedIn()
    expect(await browserSession(app).get(PAGE)).toMatchObject({
      status: 303,
      location: '/login?next=%2Fsettings%2Fshares',
    })
  })

  test('is hidden and returns 403 without the permission to share', async () => {
    const { app, user, services } = await signedIn()
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(user({ role: ['flight.read.own'] }).id))
    expect((await browser.get('/settings/preferences')).html).not.toContain(PAGE)
    for (const path of [PAGE, `${PAGE}/1`]) expect((await browser.get(path)).status).toBe(403)
    expect((await browser.submit('/settings/preferences', PAGE, {})).status).toBe(403)
  })

  test('starts with one button and the defaults of the API', async () => {
    const { browser } = await signedIn()
    const { html } = await browser.get(PAGE)
    expect(html).toContain('You have no shares.')
    expect(html).toContain('<summary class="button primary">New share</summary>')
    expect(checkedFlags(html)).toEqual(['showMap', 'showDates', 'showFlightNumbers', 'showAirlines'])
  })

  test('creates a share with a random address and links to its page', async () => {
    const instance = await signedIn()
    const { browser } = instance
    const answer = await browser.submit(PAGE, PAGE, { slug: '', show: ['showMap', 'showStats'] })
    expect(answer).toMatchObject({ status: 303, location: PAGE })
    const [share] = await sharesOf(instance)
    expect(share).toMatchObject({ showMap: true, showStats: true, showDates: false, expiresAt: null, dateFrom: null })
    expect(share.slug).toMatch(/^[a-z0-9]{12}$/)
    const { html } = await browser.get(PAGE)
    expect(html).toContain(`Your page is open at ${share.url}`)
    expect(html).toContain(`<code id="address-${share.id}">${share.url}</code>`)
    expect(html).toContain(`href="/share/${share.slug}"`)
    expect(html).toContain('map, statistics; all your flights')
    expect((await browser.get(`/share/${share.slug}`)).status).toBe(200)
  })

  test('stores all fields', async () => {
    const instance = await signedIn(at(NOW))
    const { browser } = instance
    const fields = { slug: 'Summer_2025', dateFrom: '2025-06-01', dateTo: '2025-08-31', expires: '2026-12-31' }
    await browser.submit(PAGE, PAGE, { ...fields, show: everything })
    const [share] = await sharesOf(instance)
    expect(share).toMatchObject({
      slug: 'Summer_2025',
      dateFrom: '2025-06-01',
      dateTo: '2025-08-31',
      expiresAt: '2026-12-31T23:59:59.000Z',
      ...Object.fromEntries(everything.map((flag) => [flag, true])),
    })
    const list = (await browser.get(PAGE)).html
    expect(list).toContain('flights from 1 Jun 2025 to 31 Aug 2025')
    expect(list).toMatch(/open until.*31 Dec 2026, 23:59 UTC/s)
    const { html } = await browser.get(`${PAGE}/${share.id}`)
    expect(['slug', 'dateFrom', 'dateTo', 'expires'].map((name) => inputValue(html, name))).toEqual(
      Object.values(fields),
    )
    expect(checkedFlags(html)).toEqual(everything)
  })

  test('changes a share and keeps the exact expiry time of an unchanged day', async () => {
    const instance = await signedIn(at(NOW))
    const { browser, as, key, owner } = instance
    const api = as(key(owner.id))
    const { id } = (await api.post('/shares', { slug: 'one', expiresAt: '2026-07-01T08:15:00Z' })).body.data
    const page = `${PAGE}/${id}`
    expect(await browser.submit(page, page, { slug: '', expires: '2026-07-01', show: ['showStats'] })).toMatchObject({
      status: 303,
      location: PAGE,
    })
    const changed = { slug: 'one', showMap: false, showStats: true, expiresAt: '2026-07-01T08:15:00.000Z' }
    expect((await sharesOf(instance))[0]).toMatchObject(changed)
    await browser.submit(page, page, { slug: 'two', expires: '2026-07-02' })
    const extended = { slug: 'two', showStats: false, expiresAt: '2026-07-02T23:59:59.000Z' }
    expect((await sharesOf(instance))[0]).toMatchObject(extended)
    await browser.submit(page, page, { slug: 'two', expires: '' })
    expect((await sharesOf(instance))[0].expiresAt).toBeNull()
  })

  test('marks an expired share as closed', async () => {
    let now = Date.parse(NOW)
    const { browser } = await signedIn({ now: () => now })
    await browser.submit(PAGE, PAGE, { slug: 'brief', expires: '2026-06-02' })
    expect((await browser.get('/share/brief')).status).toBe(200)
    now = Date.parse('2026-06-03T00:00:00Z')
    expect((await browser.get('/share/brief')).status).toBe(404)
    expect((await browser.get(PAGE)).html).toContain('closed since')
  })

  test('deletes a share after confirmation', async () => {
    const instance = await signedIn()
    const { browser } = instance
    await browser.submit(PAGE, PAGE, { slug: 'gone' })
    const [{ id }] = await sharesOf(instance)
    expect((await browser.get(PAGE)).html).toContain('The page stops working immediately')
    expect(await browser.submit(PAGE, `${PAGE}/${id}/delete`, {})).toMatchObject({ status: 303, location: PAGE })
    expect(await sharesOf(instance)).toEqual([])
    expect((await browser.get(PAGE)).html).toContain('The share was deleted. Its page no longer exists.')
    expect((await browser.get('/share/gone')).status).toBe(404)
  })

  test('paginates 10 000 shares, newest first, without repetitions', async () => {
    const { db, browser, owner } = await signedIn(at(NOW))
    const flags = Object.fromEntries(everything.map((flag) => [flag, true])) as Record<string, true>
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      ...flags,
      slug: `trip-${index}`,
      userId: owner.id,
      createdAt: Date.parse(NOW) + index,
    })) as (typeof shares.$inferInsert)[]
    await write(db, 'accounts', () => {
      for (let from = 0; from < rows.length; from += 500) {
        db.insert(shares)
          .values(rows.slice(from, from + 500))
          .run()
      }
    })
    const listPage = async (page: string) => {
      const { status, html } = await browser.get(`${PAGE}${page}`)
      expect(status).toBe(200)
      return { html, slugs: [...html.matchAll(/<h2>(trip-\d+)</g)].map(([, slug]) => slug) }
    }
    const first = await listPage('')
    expect([first.slugs.length, first.slugs[0], first.slugs.at(-1)]).toEqual([50, 'trip-9999', 'trip-9950'])
    expect(first.html).toContain('Page 1 of 200')
    expect(first.html).toContain('href="/settings/shares?page=2#shares"')
    expect((await listPage('?page=2')).slugs[0]).toBe('trip-9949')
    const last = await listPage('?page=200')
    expect([last.slugs.at(-1), last.html.includes('>Next<')]).toEqual(['trip-0', false])
    // Page numbers out of range show the closest page.
    expect((await listPage('?page=201')).slugs).toEqual(last.slugs)
    for (const invalid of ['?page=0', '?page=-3', '?page=x', '?page=1&page=2', '?page=1e9999']) {
      expect((await listPage(invalid)).slugs[0]).toBe('trip-9999')
    }
    expect(first.html.length).toBeLessThan(150_000)
  })
})

describe('form errors', () => {
  test('are shown on their fields and in the summary, and all entries are kept', async () => {
    const instance = await signedIn(at(NOW))
    const { browser } = instance
    const sent = {
      slug: 'not a slug',
      dateFrom: '2025-06-01',
      dateTo: '2025-05-01',
      expires: 'soon',
      show: ['showSeat'],
    }
    const { status, html } = await browser.submit(PAGE, PAGE, sent)
    expect(status).toBe(422)
    expect(html).toContain('<title>Error: Shares – Paxlog</title>')
    expect(errorOf(html, 'slug')).toContain('Must be letters')
    expect(errorOf(html, 'date-to')).toBe('Must not be before the first day.')
    expect(errorOf(html, 'expires')).toMatch(/^Must be/)
    for (const id of ['slug', 'date-to', 'expires']) expect(html).toContain(`<a href="#${id}">`)
    expect(['slug', 'dateFrom', 'dateTo', 'expires'].map((name) => inputValue(html, name))).toEqual(
      Object.values(sent).slice(0, 4),
    )
    expect(checkedFlags(html)).toEqual(['showSeat'])
    expect(await sharesOf(instance)).toEqual([])
  })

  test('include an expiry in the past in both forms', async () => {
    const instance = await signedIn(at(NOW))
    const { browser } = instance
    const past = await browser.submit(PAGE, PAGE, { slug: 'late', expires: '2026-05-31' })
    expect([past.status, errorOf(past.html, 'expires')]).toEqual([422, 'Must not be in the past.'])
    // Today is still valid.
    await browser.submit(PAGE, PAGE, { slug: 'late', expires: '2026-06-01' })
    const [{ id }] = await sharesOf(instance)
    const again = await browser.submit(`${PAGE}/${id}`, `${PAGE}/${id}`, { slug: 'late', expires: '2020-01-01' })
    expect([again.status, errorOf(again.html, 'expires')]).toEqual([422, 'Must not be in the past.'])
    expect(again.html).toContain('<title>Error: Share late – Paxlog</title>')
  })

  test('include an address that is taken by another user in both forms', async () => {
    const instance = await signedIn()
    const { browser, as, user } = instance
    await as(user()).post('/shares', { slug: 'Taken' })
    await browser.submit(PAGE, PAGE, { slug: 'mine' })
    const [{ id }] = await sharesOf(instance)
    for (const page of [PAGE, `${PAGE}/${id}`]) {
      const { status, html } = await browser.submit(page, page, { slug: 'taken', show: ['showMap'] })
      expect([status, errorOf(html, 'slug')]).toEqual([409, 'This address is taken. Choose another one.'])
      expect(inputValue(html, 'slug')).toBe('taken')
    }
  })

  test('shares of other users return 404', async () => {
    const instance = await signedIn()
    const { browser, as, user } = instance
    const { id } = (await as(user()).post('/shares', { slug: 'theirs' })).body.data
    for (const wrong of [id, 999, 'x', '0']) {
      expect((await browser.get(`${PAGE}/${wrong}`)).status).toBe(404)
      expect((await browser.submit(PAGE, `${PAGE}/${wrong}`, { slug: 'mine' })).status).toBe(404)
      expect((await browser.submit(PAGE, `${PAGE}/${wrong}/delete`, {})).status).toBe(404)
    }
    expect((await browser.get('/share/theirs')).status).toBe(200)
  })

  test('C2: forms without a CSRF token are rejected', async () => {
    const instance = await signedIn()
    const { browser } = instance
    await browser.submit(PAGE, PAGE, { slug: 'mine' })
    const [{ id }] = await sharesOf(instance)
    for (const path of [PAGE, `${PAGE}/${id}`, `${PAGE}/${id}/delete`]) {
      expect((await browser.post(path, { slug: 'other' })).status).toBe(403)
    }
    expect((await sharesOf(instance)).map(({ slug }: { slug: string }) => slug)).toEqual(['mine'])
  })
})

test('all links and forms include the path of BASE_URL', async () => {
  const { browser } = await signedIn({ baseUrl: 'http://localhost/flights' })
  await browser.submit(`/flights${PAGE}`, `/flights${PAGE}`, { slug: 'mine' })
  const { html } = await browser.get(`/flights${PAGE}`)
  const targets = [...html.matchAll(/(?:href|action)="([^"#][^"]*)"/g)].map(([, target]) => target)
  expect(targets).toContain('/flights/share/mine')
  expect(targets.filter((target) => !/^\/flights(\/|$)/.test(target!))).toEqual([])
})
