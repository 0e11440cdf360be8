import { describe, expect, test } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import { passText } from '../../support/boarding-pass.ts'
import { browserSession, csrfIn } from '../../support/browser-session.ts'
import { referenceRows } from '../../support/factory.ts'
import { fieldsIn } from '../../support/form-fields.ts'
import { signedIn } from '../../support/pages.ts'

const PAGE = '/flights/new/document'
const SAVE = `${PAGE}/save`

const passOf = (route: string, day = '123') =>
  passText({ name: 'HOLM/MIRA', legs: [{ route, number: '0001', day }], issue: '4120' })

async function setUp() {
  const instance = await signedIn({ now: () => Date.parse('2024-06-01T12:00:00Z') })
  referenceRows(instance.db)
  const api = instance.as(instance.key(instance.owner.id))
  const flights = async () => (await api.get('/flights')).body.data as { id: number; date: string }[]
  const read = (text: string) => instance.browser.upload(PAGE, PAGE, { text })
  const save = (html: string, fields: Record<string, string | string[]>) =>
    instance.browser.post(SAVE, { ...withItems(html), ...fields })
  return { ...instance, api, flights, read, save }
}

const decoded = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const withItems = (html: string) => ({
  csrf: csrfIn(html),
  item: [...html.matchAll(/name="item" value="([^"]*)"/g)].map(([, item]) => decoded(item!)),
})

describe('a travel document on a page', () => {
  test('needs the permission to add flights', async () => {
    const { app, user, services } = await setUp()
    const visitor = browserSession(app)
    expect(await visitor.get(PAGE)).toMatchObject({ status: 303, location: `/login?next=${encodeURIComponent(PAGE)}` })
    const permissions: Permission[] = ['flight.read.own']
    visitor.jar.set('paxlog', await services.sessions.start(user({ role: permissions }).id))
    expect((await visitor.get(PAGE)).status).toBe(403)
    expect((await visitor.upload('/', PAGE, { text: passOf('ZRHLISLX') })).status).toBe(403)
  })

  test('allows WebAssembly only on the pages with the barcode reader', async () => {
    const { browser } = await setUp()
    const policyOf = async (path: string) => String((await browser.get(path)).headers['content-security-policy'])
    for (const path of [PAGE, '/flights/new']) expect(await policyOf(path)).toContain("'wasm-unsafe-eval'")
    for (const path of ['/', '/import', '/settings']) expect(await policyOf(path)).not.toContain('wasm')
  })

  test('shows the flights of a pasted text and saves the only one', async () => {
    const { read, save, flights, browser } = await setUp()
    const found = await read(passOf('ZRHLISLX'))
    expect(found.status).toBe(200)
    expect(found.html).toContain('1 flight found')
    expect(found.html).toContain('HOLM/MIRA')
    expect(await flights()).toEqual([])
    const saved = await save(found.html, { flight: '0' })
    const [flight] = await flights()
    expect(flight).toMatchObject({ date: '2024-05-02' })
    expect([saved.status, saved.location]).toEqual([303, `/flights/${flight!.id}`])
    expect((await browser.get(saved.location!)).html).toContain('1 flight was added.')
  })

  test('saves a flight once although the form is sent twice', async () => {
    const { read, save, flights } = await setUp()
    const { html } = await read(passOf('ZRHLISLX'))
    const answers = await Promise.all([save(html, { flight: '0' }), save(html, { flight: '0' })])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    expect(await flights()).toHaveLength(1)
  })

  test('selects only flights that are not in the log', async () => {
    const { read, save, flights } = await setUp()
    await save((await read(passOf('ZRHLISLX'))).html, { flight: '0' })
    const { html } = await read(`${passOf('ZRHLISLX')}\n${passOf('LISZRHLX', '125')}`)
    expect(html).toContain('Already in your log.')
    const boxes = [...html.matchAll(/<input type="checkbox" name="flight" value="(\d)"( checked)?/g)]
    expect(boxes.map(([, index, checked]) => [index, checked !== undefined])).toEqual([
      ['0', false],
      ['1', true],
    ])
    expect((await save(html, { flight: '1' })).status).toBe(303)
    expect(await flights()).toHaveLength(2)
  })

  test('selects a flight of several passengers once, that of the user', async () => {
    const { read } = await setUp()
    const leg = { route: 'ZRHLISLX', number: '0001', day: '123' }
    const passes = ['HOLM/JON', 'HOLM/MIRA MS', 'HOLM/KIM'].map((name) =>
      passText({ name, legs: [leg], issue: '4120' }),
    )
    const { html } = await read(passes.join('\n'))
    const boxes = [...html.matchAll(/<input type="checkbox" name="flight" value="(\d)"( checked)?/g)]
    expect(boxes.map(([, , checked]) => checked !== undefined)).toEqual([false, true, false])
  })

  test('asks for an unknown airport in place and keeps what cannot be saved', async () => {
    const { read, save, flights } = await setUp()
    const { html } = await read(`${passOf('ZRHQQQLX')}\n${passOf('LISZRHLX', '125')}`)
    expect(html).toContain('Airport QQQ is not known.')
    const rest = await save(html, { flight: ['0', '1'], 'to.0': '' })
    expect(rest.status).toBe(422)
    expect(rest.html).toContain('1 flight was added. Fix the others and save again.')
    expect(rest.html).toContain('Enter the arrival airport.')
    expect(withItems(rest.html).item).toHaveLength(1)
    expect(await flights()).toHaveLength(1)
    expect((await save(rest.html, { flight: '0', 'to.0': 'LIS' })).status).toBe(303)
    expect(await flights()).toHaveLength(2)
  })

  test('restores the flights after the sign-in if the session ended before they were saved', async () => {
    const { browser, read, save, flights, services, owner, user } = await setUp()
    const { html } = await read(`${passOf('ZRHQQQLX')}\n${passOf('LISZRHLX', '125')}`)
    await services.sessions.end(browser.jar.get('paxlog')!)
    const answer = await browser.post(SAVE, { ...fieldsIn(html, SAVE), flight: '0', 'to.0': 'Nowhere' })
    expect(answer.location).toBe(`/login?next=${encodeURIComponent(`${PAGE}?kept=1`)}`)
    browser.jar.set('paxlog', await services.sessions.start(user({ username: 'otto' }).id))
    expect((await browser.get(`${PAGE}?kept=1`)).html).not.toContain('HOLM/MIRA')
    browser.jar.set('paxlog', await services.sessions.start(owner.id))
    const restored = await browser.get(`${PAGE}?kept=1`)
    expect(restored.html).toContain('2 flights found')
    expect(fieldsIn(restored.html, SAVE)).toMatchObject({ flight: '0', 'to.0': 'Nowhere' })
    expect(await flights()).toEqual([])
    expect((await save(restored.html, { flight: '0', 'to.0': 'LIS' })).status).toBe(303)
    expect(await flights()).toHaveLength(1)
    expect((await browser.get(`${PAGE}?kept=1`)).html).not.toContain('HOLM/MIRA')
  })

  test('reads a pasted text of many lines, and rejects one of more than 256 KiB instead of a part of it', async () => {
    const { read } = await setUp()
    const passes = Array.from({ length: 40 }, (_, index) => passOf('ZRHLISLX', String(index + 1).padStart(3, '0')))
    const { status, html } = await read(passes.join('\n'))
    expect([status, html.includes('40 flights found')]).toEqual([200, true])
    const long = await read(`${passes[0]}\n${' '.repeat(256 * 1024)}`)
    expect([long.status, long.html.includes('The form has too much data besides its file.')]).toEqual([400, true])
  })

  test('explains what cannot be read', async () => {
    const { browser, read } = await setUp()
    expect((await read('hello')).html).toContain('No flight found.')
    const nothing = await browser.upload(PAGE, PAGE, { text: '' })
    expect([nothing.status, nothing.html.includes('Choose a file or paste a text.')]).toEqual([422, true])
    const photo = new Blob([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')])
    expect((await browser.upload(PAGE, PAGE, { file: photo })).html).toContain('which needs JavaScript')
    const large = new Blob([Buffer.alloc(2 * 1024 * 1024 + 1, 'M')])
    expect((await browser.upload(PAGE, PAGE, { file: large })).status).toBe(413)
  })

  test('rejects items that no page has shown', async () => {
    const { read, browser, flights } = await setUp()
    const { csrf } = withItems((await read(passOf('ZRHLISLX'))).html)
    for (const item of ['', '{', '{}', '[]', 'null', '{"kind":"event"}']) {
      expect((await browser.post(SAVE, { csrf, item, flight: '0' })).status).toBe(400)
    }
    expect((await browser.post(SAVE, { csrf, flight: '0' })).status).toBe(422)
    expect(await flights()).toEqual([])
  })
})
