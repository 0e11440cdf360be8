import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import { postgresOf } from '../../../src/db/postgres/open.ts'
import { formatNames, formats } from '../../../src/domain/transfer/formats/registry.ts'
import { sampleBytes } from '../../domain/transfer/sample.ts'
import { browserSession } from '../../support/browser-session.ts'
import { useOneProcess } from '../../support/engine.ts'
import { referenceRows } from '../../support/factory.ts'
import { fieldsIn } from '../../support/form-fields.ts'
import { signedIn } from '../../support/pages.ts'
import { openAgain } from '../../support/paxlog.ts'

const PAGE = '/import'
const CHECK = '/import/check'
type Browser = ReturnType<typeof browserSession>

async function setUp(options: Parameters<typeof signedIn>[0] = {}) {
  const instance = await signedIn(options)
  referenceRows(instance.db)
  const api = instance.as(instance.key(instance.owner.id))
  const count = async () => (await api.get('/stats')).body.data.flights as number
  async function browserOf(permissions: readonly Permission[]) {
    const browser = browserSession(instance.app)
    browser.jar.set('paxlog', await instance.services.sessions.start(instance.user({ role: permissions }).id))
    return browser
  }
  return { ...instance, api, count, browserOf }
}

const csv = (...rows: string[]) => new Blob([['date,from,to,flight_number,plane,from_oid', ...rows].join('\n')])
const sampleFile = csv('2024-05-03,ZRH,LIS,LX1,,1', '2024-05-04,LIS,ZRH,LX2,,2', '2024-05-05,QQQ,ZRH,LX3,,3')

/** Uploads a file and returns the preview. */
async function uploadAndPreview(browser: Browser, file: Blob, fields: Record<string, string> = {}) {
  expect(await browser.upload(PAGE, PAGE, { ...fields, file })).toMatchObject({ status: 303, location: CHECK })
  return browser.get(CHECK)
}

async function press(browser: Browser, action: string, fields: Record<string, string> = {}) {
  const answer = await browser.submit(PAGE, CHECK, { ...fields, do: action })
  return answer.status === 303 ? browser.get(answer.location!) : answer
}

const figures = (html: string) => [...html.matchAll(/<dt>([^<]+)<\/dt><dd>([^<]+)<\/dd>/g)].map(([, , count]) => count)

describe('import page', () => {
  test('requires a sign-in and the permission', async () => {
    const { app, browserOf } = await setUp()
    const visitor = browserSession(app)
    for (const page of [PAGE, CHECK]) {
      expect(await visitor.get(page)).toMatchObject({
        status: 303,
        location: `/login?next=${encodeURIComponent(page)}`,
      })
      expect((await (await browserOf(['flight.read.own'])).get(page)).status).toBe(403)
    }
    expect((await (await browserOf(['flight.read.own'])).upload('/', PAGE, { file: sampleFile })).status).toBe(403)
    expect((await (await browserOf(['flight.read.own'])).submit('/', CHECK, { do: 'import' })).status).toBe(403)
  })

  test('redirects from its former address and lists every format', async () => {
    const { browser } = await setUp()
    expect(await browser.get('/flights/import')).toMatchObject({ status: 303, location: PAGE })
    const { html } = await browser.get(PAGE)
    for (const name of formatNames) {
      expect(html).toContain(`>${formats[name].title.replace('&', '&amp;')}</option>`)
    }
  })

  test('previews the import without saving, then imports on confirmation', async () => {
    const { browser, count } = await setUp()
    const { html } = await uploadAndPreview(browser, sampleFile)
    expect(html).toContain('Recognised: <strong>OpenFlights</strong>, 3 flights')
    expect(figures(html)).toEqual(['2', '0', '1'])
    expect(html).toMatch(/3 May 2024.*ZRH – LIS.*LX1.*>New</s)
    expect(html).toMatch(/<legend>Line 4<\/legend><ul[^>]*><li[^>]*>[^<]*QQQ/)
    expect(await count()).toBe(0)
    const done = await press(browser, 'import')
    expect(done.html).toMatch(/>Line<\/th>.*<td>4<\/td><td>.*QQQ/s)
    expect(done.html).toContain('<h1>2 flights imported</h1>')
    expect(figures(done.html)).toEqual(['2', '0', '1'])
    expect(await count()).toBe(2)
    // Reloading the page or sending the form again changes nothing.
    expect((await browser.get(CHECK)).html).toContain('<h1>2 flights imported</h1>')
    expect((await browser.submit(PAGE, CHECK, { do: 'import' })).location).toBe(CHECK)
    expect(await count()).toBe(2)
    const again = await uploadAndPreview(browser, sampleFile)
    expect(figures(again.html)).toEqual(['0', '2', '1'])
    expect(again.html).toContain('Duplicate</span>')
    expect(again.html).toContain('This file contains no new flights.')
    expect(again.html).not.toContain('value="import"')
  })

  test('imports once and shows the report if the form is sent twice', async () => {
    useOneProcess()
    const { browser, count } = await setUp()
    await uploadAndPreview(browser, sampleFile)
    await Promise.all([press(browser, 'import'), press(browser, 'import')])
    expect(await count()).toBe(2)
    expect((await browser.get(CHECK)).html).toContain('<h1>2 flights imported</h1>')
  })

  test('imports repeated rows once and shows the others as duplicates', async () => {
    const { browser, count } = await setUp()
    const row = '2024-05-03,ZRH,LIS,LX1,,1'
    const { html } = await uploadAndPreview(browser, csv(row, row, '2024-05-04,ZRH,LIS,LX1,,1'))
    expect(figures(html)).toEqual(['2', '1', '0'])
    expect([...html.matchAll(/<td[^>]*>(?:<span[^>]*>)?(New|Duplicate)</g)].map(([, state]) => state)).toEqual([
      'New',
      'Duplicate',
      'New',
    ])
    expect(figures((await press(browser, 'import')).html)).toEqual(['2', '1', '0'])
    expect(await count()).toBe(2)
  })

  test('shows the line and all problems of a row, before and after the import', async () => {
    const { browser } = await setUp()
    const file = csv('2024-05-03,ZRH,LIS,LX1,,1', '', '2024-02-30,QQQ,Q,LX2,,2')
    const table =
      /Line<\/th>.*<td>4<\/td><td><ul><li[^>]*>The date 2024-02-30 is not a day that exists\.<\/li><li[^>]*>The airport Q is neither.*<\/li><li[^>]*>Airport code QQQ is not known\.<\/li><\/ul><\/td>/s
    expect((await uploadAndPreview(browser, file)).html).toMatch(
      /<legend>Line 4<\/legend><ul[^>]*><li[^>]*>The date 2024-02-30 is not a day that exists\.<\/li><li[^>]*>The airport Q is neither[^<]*<\/li><li[^>]*>Airport code QQQ is not known\.<\/li><\/ul>/,
    )
    expect((await press(browser, 'import')).html).toMatch(table)
    const backup = new Blob([JSON.stringify({ users: [{ id: 'm', username: 'mira' }], flights: [{}] })])
    expect((await uploadAndPreview(browser, backup)).html).toMatch(/Record<\/th>.*<td>1<\/td><td><ul><li/s)
  })

  test('replaces an unknown code with another airport', async () => {
    const { browser, count, services } = await setUp()
    const cph = services.reference.codes.airport('CPH')!
    const firstPreview = await uploadAndPreview(browser, sampleFile)
    expect(firstPreview.html).toContain('Replace QQQ with')
    const unknown = await press(browser, 'check', { 'place-QQQ': 'nowhere at all' })
    expect(unknown.status).toBe(422)
    expect(unknown.html).toContain('#place-QQQ">Airport QQQ: Airport not found. Use a code or a name.')
    const several = await press(browser, 'import', { 'place-QQQ': 'airport' })
    expect(several.html).toContain('Several airports match. Choose one.')
    expect(several.html).toMatch(/type="radio" name="place-QQQ.id"/)
    const offered = fieldsIn(several.html, CHECK)
    expect(offered).toMatchObject({ 'place-QQQ': 'airport', 'place-QQQ.asked': 'airport' })
    const chosen = { 'place-QQQ': 'airport', 'place-QQQ.asked': 'airport', 'place-QQQ.id': String(cph) }
    expect((await press(browser, 'check', chosen)).html).toContain('QQQ is replaced with CPH')
    await press(browser, 'forget')
    expect(await count()).toBe(0)
    const named = await press(browser, 'check', { 'place-QQQ': 'CPH' })
    expect(figures(named.html)).toEqual(['3', '0', '0'])
    expect(named.html).toContain('QQQ is replaced with CPH – Copenhagen Kastrup Airport.')
    expect(figures((await press(browser, 'forget')).html)).toEqual(['2', '0', '1'])
    expect((await press(browser, 'import', { 'place-QQQ': 'CPH' })).html).toContain('3 flights imported')
    expect(await count()).toBe(3)
  })

  test('creates the airports that a backup describes if permitted, and mentions restoring', async () => {
    const { browser, browserOf, services, count } = await setUp()
    const meadow = { icao: 'CH-0042', name: 'Meadow', lat: 47.1, lon: 9.1, tz: 'Europe/Zurich', country: 'CH' }
    const flight = { date: '2024-05-03', from: { ...meadow, continent: 'EU' }, to: 'LPPT' }
    const file = (username: string) =>
      new Blob([
        JSON.stringify({
          users: [{ id: 'm', username }],
          flights: [{ ...flight, passengers: [{ userId: 'm' }] }],
        }),
      ])
    const member = await browserOf(['flight.read.own', 'flight.import.own'])
    const { html } = await uploadAndPreview(member, file('otto'))
    expect(html).toContain('An administrator can create them, or restore the whole backup')
    expect(html).not.toContain('value="make"')
    expect((await press(member, 'make')).status).toBe(403)
    const ownerPreview = await uploadAndPreview(browser, file('mira'))
    expect(figures(ownerPreview.html)).toEqual(['0', '0', '1'])
    expect(ownerPreview.html).toContain('Restoring the whole backup creates them.')
    expect(ownerPreview.html).toMatch(/href="\/admin\/reference\/airports\/new\?[^"]*icao=CH-0042[^"]*"/)
    expect(figures((await press(browser, 'check', { mode: 'restore' })).html)).toEqual(['1', '0', '0'])
    expect(services.reference.codes.airport('CH-0042')).toBeUndefined()
    await press(browser, 'check')
    const created = await press(browser, 'make')
    expect(created.html).toContain('Created 1 airport.')
    expect(figures(created.html)).toEqual(['1', '0', '0'])
    expect((await press(browser, 'import')).html).toContain('1 flight imported')
    expect(await count()).toBe(1)
  })

  test('C2: rejects a form without a CSRF token before it reads the file', async () => {
    const { browser, count } = await setUp()
    expect((await browser.upload(PAGE, PAGE, { file: sampleFile }, 'wrong')).status).toBe(403)
    const late = new FormData()
    late.set('file', sampleFile)
    late.set('csrf', fieldsIn((await browser.get(PAGE)).html, PAGE).csrf as string)
    const request = new Response(late)
    const body = Buffer.from(await request.arrayBuffer())
    const type = request.headers.get('content-type')!
    expect((await browser.send('POST', PAGE, body, { 'content-type': type })).status).toBe(403)
    await uploadAndPreview(browser, sampleFile)
    expect((await browser.post(CHECK, { do: 'import', csrf: 'wrong' })).status).toBe(403)
    expect(await count()).toBe(0)
  })

  test.each([
    ['no file', new Blob([]), 'Choose a file that is not empty.'],
    ['a file in an unknown format', new Blob(['a,b\n1,2\n']), 'The format of the file is not known.'],
    ['a file that is not text', new Blob([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)]), 'UTF-8'],
  ])('shows the error on its field: %s', async (_, file, reason) => {
    const { browser } = await setUp()
    const { status, html } = await browser.upload(PAGE, PAGE, { format: 'auto', file })
    expect(status).toBe(422)
    expect(html).toContain('<title>Error: Import flights – Paxlog</title>')
    expect(html).toMatch(/<p class="field-error" id="file-error">/)
    expect(html).toContain(reason)
    expect((await browser.get(CHECK)).location).toBe(PAGE)
  })

  test('rejects a form without a file and an unknown format', async () => {
    const { browser } = await setUp()
    const empty = await browser.submit(PAGE, PAGE, {})
    expect(empty.status).toBe(422)
    expect(empty.html).toContain('Choose a file that is not empty.')
    const wrong = await browser.upload(PAGE, PAGE, { format: 'punchcard', file: sampleFile })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('#format">Format: ')
  })

  test('asks for the user of a backup with several users', async () => {
    const { browser, count } = await setUp()
    const users = ['anna', 'otto'].map((username) => ({ id: username, username, displayName: username }))
    const flight = (userId: string) => ({ date: '2024-05-03', from: 'ZRH', to: 'LIS', passengers: [{ userId }] })
    const file = new Blob([JSON.stringify({ users, flights: [flight('anna'), flight('otto')] })])
    const firstPreview = await uploadAndPreview(browser, file)
    expect(firstPreview.html).toContain('Choose below which one is you.')
    expect(firstPreview.html).toContain('<option value="otto">otto</option>')
    const answer = await press(browser, 'check', { fileUser: 'otto' })
    expect(figures(answer.html)).toEqual(['1', '0', '1'])
    expect((await press(browser, 'import', { fileUser: 'otto' })).html).toContain('1 flight imported')
    expect(await count()).toBe(1)
  })

  test('restores a whole backup only with permission for all flights', async () => {
    const { browser, browserOf, count } = await setUp()
    const file = new Blob([sampleBytes('backup.json') as Uint8Array<ArrayBuffer>])
    const member = await browserOf(['flight.read.own', 'flight.import.own'])
    expect((await uploadAndPreview(member, file)).html).not.toContain('Restoring a backup')
    expect((await press(member, 'import', { mode: 'restore' })).status).toBe(403)
    expect((await uploadAndPreview(browser, file)).html).toContain('Restoring a backup')
    const { status, html } = await press(browser, 'check', { mode: 'restore' })
    expect(status).toBe(200)
    expect(html).toContain('Recognised: <strong>Paxlog or AirTrail backup</strong>')
    expect(await count()).toBe(0)
  })

  test.each([
    ['fileUser', 'anna', 'Your name in the backup: Only backups contain several users.'],
    ['others', 'true', 'Import flights of other people too: This file does not say whose flights it contains.'],
    ['mode', 'restore', 'Whose flights: Only backups can be restored.'],
  ])('rejects a choice that does not apply to the file: %s', async (name, value, reason) => {
    const { browser, count } = await setUp()
    await uploadAndPreview(browser, sampleFile)
    const { status, html } = await press(browser, 'import', { [name]: value })
    expect(status).toBe(422)
    expect(html).toContain(`#${name}">${reason}`)
    expect(await count()).toBe(0)
  })

  test('imports flights of other people if requested', async () => {
    const { browser } = await setUp()
    const head = 'flight_date,flight_code,departure_airport_code,arrival_airport_code,ownership'
    const file = new Blob([`${head}\n2024-05-03,LX1,ZRH,LIS,friend\n`])
    expect(figures((await uploadAndPreview(browser, file)).html)).toEqual(['0', '0', '1'])
    expect(figures((await press(browser, 'check', { others: 'true' })).html)).toEqual(['1', '0', '0'])
  })

  test('previews a long file in a worker with the same result', async () => {
    const { browser } = await setUp()
    const rows = Array.from({ length: 600 }, (_, index) => `2024-05-03,ZRH,${index % 2 ? 'LIS' : 'QQQ'},LX${index},,1`)
    const { html } = await uploadAndPreview(browser, csv(...rows))
    expect(figures(html)).toEqual(['300', '0', '300'])
    expect(html).toContain('The first 10 flights')
    expect(html).toContain('And 100 more.')
    expect(figures((await press(browser, 'check', { 'place-QQQ': 'CPH' })).html)).toEqual(['600', '0', '0'])
  })

  test('keeps one private file per user and session for half an hour or until a restart', async () => {
    let now = Date.parse('2026-05-03T10:00:00Z')
    const { browser, app, db, services, owner, browserOf } = await setUp({ now: () => now })
    await uploadAndPreview(browser, sampleFile)
    const folder = join(dirname(db.$client.name), 'import-files')
    const modes = () => readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))
    expect(modes()).toEqual(['600', '600'])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    // The files contain no session secret.
    const [note] = readdirSync(folder).filter((name) => name.endsWith('.json'))
    expect(readFileSync(join(folder, note!), 'utf8')).not.toContain(browser.jar.get('paxlog'))
    const otherBrowser = browserSession(app)
    otherBrowser.jar.set('paxlog', await services.sessions.start(owner.id))
    expect((await otherBrowser.get(CHECK)).location).toBe(PAGE)
    expect((await (await browserOf(['flight.import.own'])).get(CHECK)).location).toBe(PAGE)
    expect((await browser.get(PAGE)).html).toContain('You have an unfinished import.')
    now += 1000
    await uploadAndPreview(browser, csv('2024-05-03,ZRH,LIS,LX9,,1'))
    expect(modes()).toEqual(['600', '600'])
    now += 30 * 60_000
    expect((await browser.get(CHECK)).location).toBe(PAGE)
    const late = await press(browser, 'import')
    expect(late.html).toContain('The file has expired. Upload it again.')
    await services.pendingUploads.sweep()
    expect(readdirSync(folder)).toEqual([])
    await uploadAndPreview(browser, sampleFile)
    expect((await press(browser, 'discard')).html).toContain('Nothing was imported.')
    expect(readdirSync(folder)).toEqual([])
    await uploadAndPreview(browser, sampleFile)
    await openAgain(dirname(db.$client.name)).then(({ app: other }) => other.ready())
    // With PostgreSQL, other servers may share the folder.
    expect(existsSync(folder)).toBe(postgresOf(db) !== undefined)
  })

  test('shows each of 12 concurrent users their own file', async () => {
    const { browserOf } = await setUp()
    const people = await Promise.all(
      Array.from({ length: 12 }, () => browserOf(['flight.read.own', 'flight.import.own'])),
    )
    const uploadAll = async (browser: Browser, person: number) => {
      const seen: boolean[] = []
      for (let round = 0; round < 6; round++) {
        const number = `LX${person}0${round}`
        await browser.upload(PAGE, PAGE, { file: csv(`2024-05-03,ZRH,LIS,${number},,1`) })
        const { status, html } = await browser.get(CHECK)
        seen.push(status === 200 && html.includes(number))
      }
      return seen
    }
    const seen = await Promise.all(people.map(uploadAll))
    expect(seen.flat().filter((found) => !found)).toEqual([])
  })

  test('N2: processes several long files one after the other', async () => {
    const { browser } = await setUp({ bodyLimit: 3 * 2 ** 20 })
    const file = new Blob([`${'x'.repeat(2.5 * 2 ** 20)}\n`])
    const answers = await Promise.all([1, 2, 3, 4].map(() => browser.upload(PAGE, PAGE, { file })))
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422])
  })

  test('rejects a file over the size limit, declared or not, and stores nothing', async () => {
    const { browser, count } = await setUp({ bodyLimit: 64 * 1024 })
    const rows = Array.from({ length: 4_000 }, (_, index) => `2024-05-03,ZRH,LIS,LX${index},,1`)
    const { status, html } = await browser.upload(PAGE, PAGE, { file: csv(...rows) })
    expect(status).toBe(413)
    expect(html).toContain('The file is larger than')
    // Slightly over the limit.
    const filler = 'x'.repeat(66 * 1024)
    expect((await browser.upload(PAGE, PAGE, { file: new Blob([filler]) })).status).toBe(413)
    expect(await count()).toBe(0)
  })

  test('rejects a truncated body, and other pages still reject files', async () => {
    const { browser } = await setUp()
    const type = 'multipart/form-data; boundary=x'
    const csrf = fieldsIn((await browser.get(PAGE)).html, PAGE).csrf as string
    const field = `--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n`
    const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\ndate,from'
    const send = (body: string) => browser.send('POST', PAGE, body, { 'content-type': type })
    const half = await send(field + file)
    expect(half.status).toBe(422)
    expect(half.html).toContain('The upload was interrupted. Send the form again.')
    expect((await send('--x\r\nnonsense')).status).toBe(400)
    expect((await send('')).status).toBe(403)
    expect((await browser.send('POST', PAGE, field, { 'content-type': 'multipart/form-data' })).status).toBe(400)
    for (const path of ['/flights/new', '/settings/preferences', '/login']) {
      expect([path, (await browser.upload(PAGE, path, { file: sampleFile })).status]).toEqual([path, 415])
    }
  })

  test('N9: truncated bodies with too many parts or a wrong CSRF token do not affect other requests', async () => {
    const { browser } = await setUp()
    const csrf = fieldsIn((await browser.get(PAGE)).html, PAGE).csrf as string
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\ndate,from\r\n'
    const many = Array.from({ length: 20 }, (_, index) => part(`f${index}`, 'x')).join('')
    const bodies = [
      part('csrf', csrf) + many + file,
      part('csrf', 'wrong') + file + many,
      file + file + part('csrf', csrf),
    ]
    for (const body of bodies) {
      for (let end = 10; end < body.length; end += 37) {
        const type = { 'content-type': 'multipart/form-data; boundary=x' }
        const { status } = await browser.send('POST', PAGE, body.slice(0, end), type)
        expect([400, 403, 422]).toContain(status)
      }
    }
    expect((await browser.get(PAGE)).status).toBe(200)
  })

  test('rejects a body with too many fields before it is read completely', async () => {
    const { browser } = await setUp()
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const nameless = '--x\r\n\r\n\r\n'.repeat(100_000)
    const csrf = fieldsIn((await browser.get(PAGE)).html, PAGE).csrf as string
    const field = `--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n`
    const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\ndate,from\r\n'
    for (const body of [nameless, field + nameless, field + file + nameless, field.repeat(50_000)]) {
      const pieces = `${body}--x--\r\n`.match(/.{1,65536}/gs)!
      const { status, html } = await browser.send('POST', PAGE, Readable.from(pieces, { objectMode: false }), type)
      expect([400, 422]).toContain(status)
      expect(html).toMatch(/The form has too much data besides its file\.|The upload was interrupted/)
    }
  })

  test('limits the list of rejected rows', async () => {
    const { browser } = await setUp()
    const rows = Array.from({ length: 250 }, (_, index) => `2024-05-03,QQQ,LIS,LX${index},,1`)
    const { html } = await uploadAndPreview(browser, csv(...rows))
    expect([...html.matchAll(/<legend>Line \d+<\/legend>/g)]).toHaveLength(20)
    expect([...html.matchAll(/<td>\d+<\/td>/g)]).toHaveLength(180)
    expect(html).toContain('And 50 more.')
  })
})
