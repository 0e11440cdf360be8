import { describe, expect, test } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import { formatNames, formats } from '../../../src/domain/transfer/formats/registry.ts'
import { sampleBytes } from '../../domain/transfer/sample.ts'
import { browserSession } from '../../support/browser-session.ts'
import { referenceRows } from '../../support/factory.ts'
import { fieldsIn } from '../../support/form-fields.ts'
import { signedIn } from '../../support/pages.ts'

const PAGE = '/flights/import'

async function log(options: Parameters<typeof signedIn>[0] = {}) {
  const instance = await signedIn(options)
  referenceRows(instance.db)
  const api = instance.as(instance.key(instance.owner.id))
  const count = async () => (await api.get('/stats')).body.data.flights as number
  function browserOf(permissions: readonly Permission[]) {
    const browser = browserSession(instance.app)
    browser.jar.set('paxlog', instance.services.sessions.start(instance.user({ role: permissions }).id))
    return browser
  }
  return { ...instance, api, count, browserOf }
}

const csv = (...rows: string[]) => new Blob([['date,from,to,flight_number,plane,from_oid', ...rows].join('\n')])
const two = csv('2024-05-03,ZRH,LIS,LX1,,1', '2024-05-04,LIS,ZRH,LX2,,2', '2024-05-05,QQQ,ZRH,LX3,,3')

describe('the import page', () => {
  test('needs a sign-in that leads back, and a role that permits it', async () => {
    const { app, browserOf } = await log()
    expect(await browserSession(app).get(PAGE)).toMatchObject({
      status: 303,
      location: '/login?next=%2Fflights%2Fimport',
    })
    expect((await browserOf(['flight.read.own']).get(PAGE)).status).toBe(403)
    expect((await browserOf(['flight.read.own']).upload('/', PAGE, { file: two })).status).toBe(403)
  })

  test('lists every kind of file by name', async () => {
    const { browser } = await log()
    const { html } = await browser.get(PAGE)
    for (const name of formatNames) {
      expect(html).toContain(`<option value="${name}">${formats[name].title.replace('&', '&amp;')}</option>`)
    }
  })

  test('imports a file and tells what became of every row', async () => {
    const { browser, count } = await log()
    const { status, html } = await browser.upload(PAGE, PAGE, { file: two, format: 'auto', do: 'import' })
    expect(status).toBe(200)
    expect(html).toContain('2 flights imported')
    expect(html).toMatch(
      /<dt>Added<\/dt><dd>2<\/dd>.*<dt>There already<\/dt><dd>0<\/dd>.*<dt>Left out<\/dt><dd>1<\/dd>/s,
    )
    expect(html).toMatch(/<td>3<\/td><td>[^<]*QQQ[^<]*<\/td>/)
    expect(await count()).toBe(2)
    const again = await browser.upload(PAGE, PAGE, { file: two, do: 'import' })
    expect(again.html).toMatch(/<dt>Added<\/dt><dd>0<\/dd>.*<dt>There already<\/dt><dd>2<\/dd>/s)
    expect(await count()).toBe(2)
  })

  test('only tells what would happen when asked so, and keeps the choices for the real import', async () => {
    const { browser, count } = await log()
    const { html } = await browser.upload(PAGE, PAGE, { file: two, format: 'openflights', do: 'try' })
    expect(html).toContain('Nothing was kept yet.')
    expect(html).toContain('<dt>Would be added</dt><dd>2</dd>')
    expect(fieldsIn(html, PAGE)).toMatchObject({ format: 'openflights' })
    expect(await count()).toBe(0)
  })

  test('C2: refuses a form without its mark, before the file is looked at', async () => {
    const { browser, count } = await log()
    expect((await browser.upload(PAGE, PAGE, { file: two, do: 'import' }, 'wrong')).status).toBe(403)
    const late = new FormData()
    late.set('file', two)
    late.set('csrf', fieldsIn((await browser.get(PAGE)).html, PAGE).csrf as string)
    const request = new Response(late)
    const body = Buffer.from(await request.arrayBuffer())
    const type = request.headers.get('content-type')!
    expect((await browser.send('POST', PAGE, body, { 'content-type': type })).status).toBe(403)
    expect(await count()).toBe(0)
  })

  test.each([
    ['no file', new Blob([]), 'Choose a file that is not empty.'],
    ['a file of no known kind', new Blob(['a,b\n1,2\n']), 'The format of the file is not known.'],
    ['a file that is not text', new Blob([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)]), 'UTF-8'],
  ])('says beside the field what is wrong: %s', async (_, file, reason) => {
    const { browser } = await log()
    const { status, html } = await browser.upload(PAGE, PAGE, { file, format: 'auto', do: 'import' })
    expect(status).toBe(422)
    expect(html).toContain('<title>Error: Import flights – Paxlog</title>')
    expect(html).toMatch(/<p class="fault" id="file-fault">/)
    expect(html).toContain(reason)
  })

  test('a form without any file, and choices that are none, come back with the reason', async () => {
    const { browser } = await log()
    const empty = await browser.submit(PAGE, PAGE, { do: 'import' })
    expect(empty.status).toBe(422)
    expect(empty.html).toContain('Choose a file that is not empty.')
    const wrong = await browser.upload(PAGE, PAGE, { file: two, format: 'punchcard', do: 'import' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('#format">Where it comes from: ')
  })

  test('asks whose flights a backup of several people holds', async () => {
    const { browser, count } = await log()
    const users = ['anna', 'otto'].map((username) => ({ id: username, username, displayName: username }))
    const flight = (userId: string) => ({ date: '2024-05-03', from: 'ZRH', to: 'LIS', passengers: [{ userId }] })
    const file = new Blob([JSON.stringify({ users, flights: [flight('anna'), flight('otto')] })])
    const asked = await browser.upload(PAGE, PAGE, { file, do: 'import' })
    expect(asked.status).toBe(422)
    expect(asked.html).toMatch(/#fileUser">Your user name in the backup: .*choose one here \(anna, otto\)/)
    const answer = await browser.upload(PAGE, PAGE, { file, fileUser: 'otto', do: 'import' })
    expect(answer.html).toContain('1 flight imported')
    expect(await count()).toBe(1)
  })

  test('restores a whole backup only for a role that reaches everybody', async () => {
    const { browser, browserOf, count } = await log()
    const file = new Blob([sampleBytes('backup.json') as Uint8Array<ArrayBuffer>])
    const member = browserOf(['flight.read.own', 'flight.import.own'])
    expect((await member.get(PAGE)).html).not.toContain('restore')
    expect((await member.upload(PAGE, PAGE, { file, mode: 'restore', do: 'import' })).status).toBe(403)
    expect((await browser.get(PAGE)).html).toContain('Try it out first.')
    const { status, html } = await browser.upload(PAGE, PAGE, { file, mode: 'restore', do: 'try' })
    expect(status).toBe(200)
    expect(html).toContain('Nothing was kept yet.')
    expect(await count()).toBe(0)
  })

  test.each([
    ['fileUser', 'anna', 'Your user name in the backup: Only a backup holds several people.'],
    ['mineOnly', 'false', 'Flights of others: This file does not tell whose flights they are.'],
    ['mode', 'restore', 'Whose flights: Only a backup can be restored.'],
  ])('a choice that does not belong to the file is told, and can be changed: %s', async (name, value, reason) => {
    const { browser } = await log()
    const { status, html } = await browser.upload(PAGE, PAGE, { file: two, [name]: value, do: 'import' })
    expect(status).toBe(422)
    expect(html).toContain(`#${name}">${reason}`)
    expect(html).toContain(`id="${name}"`)
    expect(fieldsIn(html, PAGE)).toMatchObject({ [name]: value })
  })

  test('takes flights of others from a file that tells whose they are, when asked so', async () => {
    const { browser } = await log()
    const head = 'flight_date,flight_code,departure_airport_code,arrival_airport_code,ownership'
    const file = new Blob([`${head}\n2024-05-03,LX1,ZRH,LIS,friend\n`])
    expect((await browser.upload(PAGE, PAGE, { file, do: 'try' })).html).toContain('<dt>Would be added</dt><dd>0</dd>')
    const all = await browser.upload(PAGE, PAGE, { file, mineOnly: 'false', do: 'try' })
    expect(all.html).toContain('<dt>Would be added</dt><dd>1</dd>')
  })

  test('N2: takes several long files at a time one after the other, and answers each', async () => {
    const { browser } = await log({ bodyLimit: 3 * 2 ** 20 })
    const file = new Blob([`${'x'.repeat(2.5 * 2 ** 20)}\n`])
    const answers = await Promise.all([1, 2, 3, 4].map(() => browser.upload(PAGE, PAGE, { file, do: 'import' })))
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422])
  })

  test('refuses a file over the limit of the instance, declared or not, and keeps none of it', async () => {
    const { browser, count } = await log({ bodyLimit: 64 * 1024 })
    const rows = Array.from({ length: 4_000 }, (_, index) => `2024-05-03,ZRH,LIS,LX${index},,1`)
    const { status, html } = await browser.upload(PAGE, PAGE, { file: csv(...rows), do: 'import' })
    expect(status).toBe(413)
    expect(html).toContain('The file is larger than')
    // A little over: small enough to be begun, too large to be kept.
    const filler = 'x'.repeat(66 * 1024)
    expect((await browser.upload(PAGE, PAGE, { file: new Blob([filler]), do: 'import' })).status).toBe(413)
    expect(await count()).toBe(0)
  })

  test('a body that breaks off is refused, and other pages keep refusing files', async () => {
    const { browser } = await log()
    const type = 'multipart/form-data; boundary=x'
    const csrf = fieldsIn((await browser.get(PAGE)).html, PAGE).csrf as string
    const field = `--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n`
    const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\ndate,from'
    const send = (body: string) => browser.send('POST', PAGE, body, { 'content-type': type })
    const half = await send(field + file)
    expect(half.status).toBe(422)
    expect(half.html).toContain('The file did not arrive whole. Send the form again.')
    expect((await send('--x\r\nnonsense')).status).toBe(400)
    expect((await send('')).status).toBe(403)
    expect((await browser.send('POST', PAGE, field, { 'content-type': 'multipart/form-data' })).status).toBe(400)
    for (const path of ['/flights/new', '/settings/preferences', '/login']) {
      expect([path, (await browser.upload(PAGE, path, { file: two })).status]).toEqual([path, 415])
    }
  })

  test('N9: a body of too many parts or with a wrong mark that breaks off anywhere ends nothing but itself', async () => {
    const { browser } = await log()
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

  test('shows as many rows that were left out as one reads', async () => {
    const { browser } = await log()
    const rows = Array.from({ length: 250 }, (_, index) => `2024-05-03,QQQ,LIS,LX${index},,1`)
    const { html } = await browser.upload(PAGE, PAGE, { file: csv(...rows), do: 'try' })
    expect([...html.matchAll(/<td>\d+<\/td>/g)]).toHaveLength(200)
    expect(html).toContain('And 50 more.')
  })
})
