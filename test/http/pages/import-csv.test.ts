import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { browserSession } from '../../support/browser-session.ts'
import { referenceRows } from '../../support/factory.ts'
import { fieldsIn } from '../../support/form-fields.ts'
import { sharedSignedIn } from '../../support/pages.ts'
import { runNow } from '../../support/write-now.ts'

const PAGE = '/import'
const CHECK = '/import/check'

let instance: Awaited<ReturnType<typeof sharedSignedIn>>
let browser: ReturnType<typeof browserSession>
beforeAll(async () => {
  instance = await sharedSignedIn()
  browser = instance.browser
  referenceRows(instance.db)
})
afterAll(() => instance.close())
beforeEach(() => void runNow(instance.db, 'delete from flights'))

const file = (...lines: string[]) => new Blob([lines.join('\n')])
const table = file('Day;Start;End;At', '03.05.2024;ZRH;LIS;8:05', '04.05.2024;QQQ;LIS;late', '05.05.2024;LIS;ZRH;')
/** The places of the columns. */
const columns = { 'column-date': '0', 'column-from': '1', 'column-to': '2', 'column-departure': '3' }

const upload = (content: Blob, fields: Record<string, string> = {}) =>
  browser.upload(PAGE, PAGE, { ...fields, file: content })

async function press(action: string, fields: Record<string, string> = {}) {
  const answer = await browser.submit(PAGE, CHECK, { ...fields, do: action })
  return answer.status === 303 ? browser.get(answer.location!) : answer
}

const flights = async () => {
  const { data } = (await instance.as(instance.key(instance.owner.id)).get('/flights')).body
  return data
    .map((flight: { date: string; from: { iata: string }; departure: string | null }) =>
      [flight.date, flight.from.iata, flight.departure?.slice(0, 16)].join(' '),
    )
    .reverse()
}

const figures = (html: string) => [...html.matchAll(/<dt>([^<]+)<\/dt><dd>([^<]+)<\/dd>/g)].map(([, , count]) => count)

describe('the step that chooses columns', () => {
  test('follows a table that is not recognised, with its first five rows', async () => {
    const rows = Array.from({ length: 7 }, (_, row) => `row ${row},<b>${row}</b>,c`)
    expect(await upload(file('Day,Start,End', ...rows))).toMatchObject({ status: 303, location: CHECK })
    const { status, html } = await browser.get(CHECK)
    expect([status, html]).toEqual([200, expect.stringContaining('<h1>Choose columns</h1>')])
    expect(html).toContain('row 4')
    expect(html).not.toContain('row 5')
    expect(html).not.toContain('<b>')
    expect(fieldsIn(html, CHECK)).toMatchObject({ 'column-date': '0', 'column-from': '', dateFormat: '' })
    expect(html).toContain('<option value="1">Start (&lt;b>0&lt;/b>)</option>')
  })

  test('leads to the preview, and back', async () => {
    await upload(table)
    await browser.get(CHECK)
    const ambiguous = await press('map', columns)
    expect([ambiguous.status, ambiguous.html]).toEqual([
      422,
      expect.stringContaining('Choose a format. The dates of this file can be read in two ways.'),
    ])
    expect(fieldsIn(ambiguous.html, CHECK)).toMatchObject(columns)
    const preview = await press('map', { ...columns, dateFormat: 'dmy' })
    expect(preview.html).toContain('Recognised: <strong>CSV file</strong>, 3 flights')
    expect(figures(preview.html)).toEqual(['2', '0', '1'])
    const again = await press('columns')
    expect(fieldsIn(again.html, CHECK)).toMatchObject({ ...columns, dateFormat: 'dmy' })
    const swapped = await press('map', { ...columns, 'column-departure': '', dateFormat: 'mdy' })
    expect(swapped.html).toContain('5 Mar 2024')
    expect(await flights()).toEqual([])
    await press('import')
    expect(await flights()).toEqual(['2024-03-05 ZRH ', '2024-05-05 LIS '])
  })

  test('refuses a missing or unknown column', async () => {
    await upload(table)
    for (const fields of [{}, { ...columns, 'column-to': '' }, { ...columns, 'column-to': '99' }]) {
      const { status, html } = await press('map', fields)
      expect([status, html]).toEqual([422, expect.stringContaining('#column-to">To: Choose a column.')])
    }
    for (const place of ['__proto__', '-1', '1.5', 'NaN', 'length']) {
      expect((await press('map', { ...columns, 'column-to': place })).status).toBe(422)
    }
    // No other action skips the step.
    for (const action of ['import', 'check', 'make', 'fix', '']) {
      expect((await press(action, columns)).html).toContain('<h1>Choose columns</h1>')
    }
    expect((await press('discard')).html).toContain('The file was discarded.')
  })

  test('offers recognised columns, and follows a chosen format', async () => {
    expect((await upload(file('Date,From,X', '2024-05-03,ZRH,LIS'), { format: 'csv' })).location).toBe(CHECK)
    expect(fieldsIn((await browser.get(CHECK)).html, CHECK)).toMatchObject({
      ...{ 'column-date': '0', 'column-from': '1', 'column-to': '' },
    })
  })

  test('does not follow a file that is no table', async () => {
    for (const text of ['hello', '{"a":1}', '', 'one\ntwo\nthree', 'a,b\n1,2']) {
      const { status, html } = await upload(file(text))
      expect([text, status, html]).toEqual([text, 422, expect.stringContaining('<h1>Import flights</h1>')])
    }
  })

  test('offers the first 200 columns of a wide table', async () => {
    const headers = Array.from({ length: 300 }, (_, place) => `c${place}`)
    await upload(file(headers.join('\t'), headers.join('\t')))
    const { html } = await browser.get(CHECK)
    expect(html).toContain('100 more columns cannot be chosen.')
    expect(html).toContain('>c199 (c199)</option>')
    expect(html).not.toContain('>c200')
  })
})

describe('rejected rows', () => {
  test('are corrected in place, several times, and then imported', async () => {
    await upload(table)
    await press('map', { ...columns, dateFormat: 'dmy' })
    const { html } = await browser.get(CHECK)
    expect(html).toMatch(
      /<legend>Line 3<\/legend><ul[^>]*><li[^>]*>The time late [^<]*<\/li><li[^>]*>Airport code QQQ is not known\.<\/li><\/ul>/,
    )
    expect(html).toMatch(/id="cell-2-1"[^>]*value="QQQ"|value="QQQ"[^>]*id="cell-2-1"/)
    const half = await press('fix', { 'cell-2-1': 'CPH', 'cell-2-3': 'late' })
    expect(half.html).toContain('No row was corrected yet.')
    expect(half.html).not.toContain('Airport code QQQ')
    expect(half.html).toContain('The time late')
    const whole = await press('fix', { 'cell-2-3': '9:15' })
    expect(whole.html).toContain('Corrected 1 row.')
    expect(figures(whole.html)).toEqual(['3', '0', '0'])
    expect(await flights()).toEqual([])
    expect((await press('import')).html).toContain('<h1>3 flights imported</h1>')
    expect(await flights()).toEqual([
      '2024-05-03 ZRH 2024-05-03T06:05',
      '2024-05-04 CPH 2024-05-04T07:15',
      '2024-05-05 LIS ',
    ])
  })

  test('of every CSV format are corrected, also one of another width', async () => {
    await upload(file('date,from,to,flight_number,plane,from_oid', '2024-05-03,ZRH', 'soon,ZRH,LIS,LX1,,1'))
    const { html } = await browser.get(CHECK)
    expect(html).toContain('The row has 2 cells, but the header has 6.')
    const fixed = await press('fix', { 'cell-1-2': 'LIS', 'cell-2-0': '2024-05-04' })
    expect(fixed.html).toContain('Corrected 2 rows.')
    expect(figures(fixed.html)).toEqual(['2', '0', '0'])
  })

  test('accept values only for the shown cells, up to 200 characters', async () => {
    await upload(file('date,from,to,note', `2024-05-03,QQQ,LIS,${'n'.repeat(201)}`, '2024-05-04,ZRH,LIS,'))
    const { html } = await browser.get(CHECK)
    // A long note stays as it is.
    expect(html).not.toContain('cell-1-3')
    const { status, html: refused } = await press('fix', { 'cell-1-1': 'x'.repeat(201) })
    expect([status, refused]).toEqual([422, expect.stringContaining('#cell-1-1">from: Use at most 200 characters.')])
    const other = { 'cell-2-1': 'QQQ', 'cell-1-3': 'gone', 'cell-__proto__-1': 'x', 'cell-1-__proto__': 'x' }
    expect(figures((await press('fix', { ...other, 'cell-1-1': 'CPH' })).html)).toEqual(['2', '0', '0'])
    await press('import')
    expect(await flights()).toEqual(['2024-05-03 CPH ', '2024-05-04 ZRH '])
  })

  test('fit into one form, whatever their length', async () => {
    const cell = 'ü'.repeat(200)
    const headers = Array.from({ length: 15 }, (_, place) => `c${place}`)
    const row = ['2024-05-03', 'QQQ', 'LIS', ...headers.map(() => cell)].join(',')
    const content = file(['date', 'from', 'to', ...headers].join(','), ...Array.from({ length: 30 }, () => row))
    await upload(content)
    const { html } = await browser.get(CHECK)
    const shown = [...html.matchAll(/<legend>Line (\d+)<\/legend>/g)].length
    expect(shown).toBe(20)
    const answer = await browser.submit(CHECK, CHECK, { ...fieldsIn(html, CHECK), do: 'fix' })
    expect(answer.status).toBe(303)
  })

  test('with an unknown name are replaced by an airport', async () => {
    await upload(file('date,from,to', '2024-05-03,Entenhausen Süd,LIS', '2024-05-04,__proto__,LIS'))
    const { html } = await browser.get(CHECK)
    expect(html).toContain('Replace Entenhausen Süd with')
    const name = `place-${encodeURIComponent('Entenhausen Süd')}`
    const replaced = await press('check', { [name]: 'CPH', 'place-__proto__': 'ZRH' })
    expect(figures(replaced.html)).toEqual(['2', '0', '0'])
    expect(replaced.html).toContain('Entenhausen Süd is replaced with CPH')
    await press('import')
    expect(await flights()).toEqual(['2024-05-03 CPH ', '2024-05-04 ZRH '])
  })
})

describe('GET /import/progress', () => {
  test('is empty without an import, and not cached', async () => {
    const { status, html, headers } = await browser.get('/import/progress')
    expect([status, html, headers['cache-control']]).toEqual([200, '{}', 'no-store'])
  })

  test('returns the progress of a running import of the same user', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `2024-05-03,ZRH,LIS,${row}`)
    let isRunning = true
    const answer = upload(file('date,from,to,flight number', ...rows)).finally(() => {
      isRunning = false
    })
    const seen: { done?: number; rows?: number }[] = []
    while (isRunning) {
      seen.push(JSON.parse((await browser.get('/import/progress')).html))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(await answer).toMatchObject({ status: 303, location: CHECK })
    const counts = seen.flatMap(({ done, rows: all }) => (all === undefined ? [] : [[done, all]]))
    expect(counts.every(([done, all]) => all === 20_000 && done! >= 0 && done! <= 20_000)).toBe(true)
    expect(new Set(counts.map(([done]) => done)).size).toBeGreaterThan(2)
    expect(counts.map(([done]) => done)).toEqual(counts.map(([done]) => done!).toSorted((a, b) => a! - b!))
    expect((await browser.get('/import/progress')).html).toBe('{}')
  })
})
