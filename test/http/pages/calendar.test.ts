import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { eventText, flightEvent } from '../../../src/domain/calendar/icalendar.ts'
import { digest } from '../../../src/lib/secret.ts'
import { browserSession, withoutAddress } from '../../support/browser-session.ts'
import { referenceRows } from '../../support/factory.ts'
import { signedIn } from '../../support/pages.ts'
import { runNow } from '../../support/write-now.ts'

const PAGE = '/settings/calendar'

const addressIn = (html: string) => /<code id="address">(http:\/\/[^<]+)<\/code>/.exec(html)?.[1] ?? ''

async function withFlights() {
  const instance = await signedIn()
  const { airports } = referenceRows(instance.db)
  const api = instance.as(instance.key(instance.owner.id))
  const fly = async (body: object) => {
    const answer = await api.post('/flights', { fromId: airports.ZRH, toId: airports.LIS, ...body })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body.data
  }
  const createLink = async (form: Record<string, string> = {}) =>
    new URL(addressIn((await instance.browser.submit(PAGE, PAGE, form)).html)).pathname
  const fetchText = async (url: string, headers: Record<string, string> = {}) => instance.request({ url, headers })
  /** Parses the calendar with an independent library. */
  const events = async (url: string) => {
    const { status, text } = await fetchText(url)
    expect(status).toBe(200)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(text).not.toMatch(/[^\r]\n/)
    const calendar = new ICAL.Component(ICAL.parse(text))
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
    return calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
  }
  return { ...instance, airports, api, fly, createLink, fetchText, events }
}

describe('calendar', () => {
  test('has one event per flight with its known details', async () => {
    const { fly, createLink, events, fetchText } = await withFlights()
    const note = 'Window, please; rain\nand snow \\ ✈ '.repeat(10)
    const { id } = await fly({
      date: '2025-05-03',
      departure: '2025-05-03T12:20:00+02:00',
      arrival: '2025-05-03T14:15:00+01:00',
      flightNumber: 'LX2084',
      departureTerminal: '1',
      departureGate: 'A5',
      aircraftReg: 'HB-JCS',
      note,
    })
    await fly({ date: '2025-06-01', departureScheduled: '2025-06-01T08:00:00Z', duration: 7200 })
    await fly({ date: '2025-06-02', departureScheduled: '2025-06-02T08:00:00Z' })
    await fly({ date: '2025-06-03' })
    await fly({ date: '2025-07-01', datePrecision: 'month' })
    await fly({ date: '9999-12-31' })
    // The stored duration is ignored.
    await fly({ date: '9999-12-31', arrival: '2025-05-03T10:00:00Z', duration: Number.MAX_SAFE_INTEGER })
    const url = await createLink()
    expect(url).toMatch(/^\/calendar\/[\w-]{43}\.ics$/)
    const { headers, text } = await fetchText(url)
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
    })
    expect(text).not.toContain('Window')
    const found = await events(url)
    expect(found.map(({ startDate, endDate }) => [String(startDate), String(endDate)])).toEqual([
      ['2025-05-03T10:20:00Z', '2025-05-03T13:15:00Z'],
      ['2025-06-01T08:00:00Z', '2025-06-01T10:00:00Z'],
      ['2025-06-02T08:00:00Z', '2025-06-02T09:00:00Z'],
      ['2025-06-03', '2025-06-04'],
      ['9999-12-31', expect.any(String)],
      ['1-01-01T00:00:00Z', '2025-05-03T10:00:00Z'],
    ])
    const [first] = found
    expect(first).toMatchObject({ summary: 'LX2084 ZRH → LIS', sequence: 0 })
    expect(first!.location).toContain('(ZRH)')
    expect(first!.description).toBe(
      ['Departure: terminal 1, gate A5', 'Registration: HB-JCS', `http://localhost:3000/flights/${id}`].join('\n'),
    )
    for (const name of ['dtstamp', 'last-modified', 'geo', 'status', 'uid']) {
      expect([name, first!.component.hasProperty(name)]).toEqual([name, true])
    }
    const withNotes = await events(await createLink({ notes: 'on' }))
    expect(withNotes[0]!.description).toContain(note)
  })

  test('keeps the UID of a changed flight, increments its sequence, and omits deleted flights', async () => {
    const { fly, createLink, events, api, airports, fetchText, db } = await withFlights()
    const [kept, gone] = [await fly({ date: '2025-05-03' }), await fly({ date: '2025-05-04' })]
    // The sequence is the number of seconds since creation.
    runNow(db, "update flights set created_at = '2024-01-01T00:00:00.000Z'")
    const url = await createLink()
    const { etag } = (await fetchText(url)).headers
    const [before] = await events(url)
    const unchanged = await fetchText(url, { 'if-none-match': String(etag) })
    expect([unchanged.status, unchanged.text]).toEqual([304, ''])
    await api.put(`/flights/${kept.id}`, { date: '2025-05-05', fromId: airports.ZRH, toId: airports.LIS })
    await api.delete(`/flights/${gone.id}`)
    expect((await fetchText(url, { 'if-none-match': String(etag) })).status).toBe(200)
    const after = await events(url)
    expect(after).toHaveLength(1)
    expect(after[0]).toMatchObject({ uid: before!.uid })
    expect(String(after[0]!.startDate)).toBe('2025-05-05')
    expect(after[0]!.sequence).toBeGreaterThanOrEqual(before!.sequence)
    const reader = { userId: '', withNotes: false, baseUrl: '' }
    const changedAfter = (milliseconds: number) => {
      const updatedAt = new Date(Date.parse(kept.createdAt) + milliseconds).toISOString()
      return flightEvent({ ...kept, updatedAt }, reader)!.sequence
    }
    expect([0, 1, 1000, 1001].map(changedAfter)).toEqual([0, 1, 1, 2])
  })

  test('streams a large log with a stable result', async () => {
    const { fly, createLink, events, fetchText } = await withFlights()
    for (let day = 1; day <= 120; day++)
      await fly({ date: new Date(Date.UTC(2020, 0, day)).toISOString().slice(0, 10) })
    const url = await createLink()
    expect(await events(url)).toHaveLength(120)
    const [one, two] = [await fetchText(url), await fetchText(url)]
    expect([one.text, one.headers.etag]).toEqual([two.text, two.headers.etag])
  })

  test('allows ten requests per minute and link, then returns Retry-After', async () => {
    const { createLink, fetchText, fly } = await withFlights()
    await fly({ date: '2025-05-03' })
    const url = await createLink()
    for (let request = 0; request < 10; request++) expect((await fetchText(url)).status).toBe(200)
    const rejected = await fetchText(url)
    expect(rejected.status).toBe(429)
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
    expect((await fetchText(`/calendar/${'x'.repeat(43)}.ics`)).status).toBe(404)
  })

  test('returns the same 404 for a removed or replaced link, a lost permission and a deleted account', async () => {
    const { createLink, fetchText, browser, db, user, role } = await withFlights()
    const unknown = await fetchText(`/calendar/${'x'.repeat(43)}.ics`)
    expect(unknown.status).toBe(404)
    const expectNotFound = async (url: string) => {
      const { status, text } = await fetchText(url)
      expect([status, withoutAddress(text)]).toEqual([404, withoutAddress(unknown.text)])
    }
    for (const secret of ['x', '%00'.repeat(43), 'é'.repeat(43), 'x'.repeat(5000), `${'x'.repeat(43)}%0A`, '%E2%80%A8'])
      await expectNotFound(`/calendar/${secret}.ics`)
    const first = await createLink()
    expect(db.$client.prepare('select hash from calendars').pluck().get()).toBeInstanceOf(Buffer)
    const second = await createLink()
    await expectNotFound(first)
    expect((await fetchText(second)).status).toBe(200)
    await browser.submit(PAGE, `${PAGE}/delete`, {})
    await expectNotFound(second)

    // A user loses the permission to read and is deleted later.
    const secret = 'k'.repeat(43)
    const reader = user({ role: ['flight.read.own'] })
    runNow(db, 'insert into calendars values (?, ?, 0, 0)', reader.id, digest(secret))
    const url = `/calendar/${secret}.ics`
    expect((await fetchText(url)).status).toBe(200)
    runNow(db, 'update users set role_id = ? where id = ?', role(['flight.create.own']), reader.id)
    await expectNotFound(url)
    runNow(db, 'update users set role_id = ? where id = ?', role(['flight.read.any']), reader.id)
    expect((await fetchText(url)).status).toBe(200)
    runNow(db, 'delete from users where id = ?', reader.id)
    await expectNotFound(url)
    expect(db.$client.prepare('select count(*) from calendars').pluck().get()).toBe(0)
  })

  test('is created under Settings, shown once, and optionally includes notes', async () => {
    const { app, browser, createLink } = await withFlights()
    expect(await browserSession(app).get(PAGE)).toMatchObject({ status: 303 })
    expect((await browser.post(PAGE, {})).status).toBe(403)
    const secret = (await createLink({ notes: 'on' })).slice('/calendar/'.length, -'.ics'.length)
    const { html } = await browser.get(PAGE)
    expect(html).not.toContain(secret)
    expect(html).toMatch(/name="notes" value="on"[^>]*checked/)
    expect(await browser.submit(PAGE, `${PAGE}/notes`, {})).toMatchObject({ status: 303, location: PAGE })
    expect((await browser.get(PAGE)).html).not.toMatch(/name="notes" value="on"[^>]*checked/)
  })
})

describe('event text', () => {
  const plain = { uid: 'u', start: 0, end: 1, changedAt: 0, sequence: 0, location: '', description: '' }

  test('has an end after its start, in a four-digit year, or no end', () => {
    const times = (start: number, end: number) =>
      eventText({ ...plain, start, end, summary: '', geo: { lat: 1, lon: 2 } }).match(/DT(START|END):\w+/g)
    expect(times(-3_600_000, 0)).toEqual(['DTSTART:19691231T230000Z', 'DTEND:19700101T000000Z'])
    expect(times(0, 999)).toEqual(['DTSTART:19700101T000000Z'])
    expect(times(-9e18, 9e18)).toEqual(['DTSTART:00010101T000000Z', 'DTEND:99991231T235959Z'])
    expect(times(9e18, 9e18 + 3600)).toEqual(['DTSTART:99991231T235959Z'])
  })

  test('folds lines between characters and keeps its values', () => {
    for (const summary of [
      '✈'.repeat(200),
      'a'.repeat(75),
      `${'a'.repeat(66)}é`,
      'a;b,c\\n\\\n:"d"',
      '👩‍✈️'.repeat(50),
    ]) {
      const text = eventText({ ...plain, summary, geo: { lat: 1, lon: 2 } })
      for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(new ICAL.Component(ICAL.parse(text)).getFirstPropertyValue('summary')).toBe(summary)
    }
  })

  test('has no control characters and no injected lines', () => {
    const summary = 'a\r\nEND:VEVENT\rX\u0000\u0007\u001f\u007f'
    const text = eventText({ ...plain, summary, geo: { lat: 1, lon: 2 } })
    expect(text).toContain('SUMMARY:a\\nEND:VEVENT\\nX\r\n')
  })
})
