import { describe, expect, test } from 'vitest'
import { blocksOf, replaceRoutes } from '../../../src/domain/reference/routes-store.ts'
import { browserSession } from '../../support/browser-session.ts'
import { flightLog, NEW_FLIGHT as NEW, route } from '../../support/flight-form.ts'
import { fieldsIn } from '../../support/form-fields.ts'

/** Returns the headings of the open sections of the form. */
const openSections = (html: string) =>
  [...html.matchAll(/<details class="card unfolding" open[^>]*><summary><h2>([^<]+)/g)].map(([, title]) => title)

describe('flight form', () => {
  test('starts with the essential fields, seat and class included, and collapses the rest into two groups', async () => {
    const { browser, send, newest } = await flightLog()
    const { html } = await browser.get(NEW)
    const seat = ['seat', 'seatNumber', 'seatClass', 'flightReason'].map((name) => `passengers.0.${name}`)
    const ids = ['flightNumber', 'date', 'from', 'to', 'departure.clock', 'arrival.clock', 'arrival.day', ...seat]
    const positions = [...ids, 'airline'].map((id) => html.indexOf(` id="${id}"`))
    expect(positions).toEqual(positions.toSorted((left, right) => left - right))
    expect(positions[0]).toBeGreaterThan(0)
    const groups = html.indexOf('<details class="card unfolding"')
    expect(positions.at(-2)).toBeLessThan(groups)
    expect(positions.at(-1)).toBeGreaterThan(groups)
    expect(openSections(html)).toEqual([])
    const headings = [...html.matchAll(/<summary><h2>([^<]+)/g)].map(([, title]) => title)
    expect(headings).toEqual(['More about the flight', 'Passengers and notes'])
    await send(NEW, { ...route, aircraftReg: 'HB-JCA', 'passengers.0.seat': 'window' })
    const { id } = await newest()
    const opened = async () => openSections((await browser.get(`/flights/${id}/edit`)).html)
    expect(await opened()).toEqual(['More about the flight'])
    await send(`/flights/${id}/edit`, { aircraftReg: '', note: 'Kept' })
    expect(await opened()).toEqual(['Passengers and notes'])
    const errorsIn = async (fields: object) => openSections((await send(NEW, { ...route, ...fields })).html)
    expect(await errorsIn({ duration: 'long' })).toEqual(['More about the flight'])
    expect(await errorsIn({ datePrecision: 'week' })).toEqual(['More about the flight'])
    expect(await errorsIn({ 'passengers.0.who': '' })).toEqual(['Passengers and notes'])
  })

  test('offers three ways for a new flight, and the same fields for a stored one', async () => {
    const { browser, send } = await flightLog()
    const waysIn = (html: string) =>
      [...html.matchAll(/<div class="way-in">(?:<h2>.*?<\/svg> ([^<]+))?/g)].map(([, title]) => title)
    expect(waysIn((await browser.get(NEW)).html)).toEqual([
      'By number and date',
      'Boarding pass or e-mail',
      'Enter manually',
    ])
    await send(NEW, route)
    expect(waysIn((await browser.get('/flights/1/edit')).html)).toEqual([undefined, undefined])
  })

  test('shows the seat of the user once, wherever they are among the passengers', async () => {
    const { browser, api, airports, owner, user, flight } = await flightLog()
    const add = async (passengers: object[]) =>
      (await api.post('/flights', { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, passengers })).body
        .data.id
    const second = await add([{ guestName: 'Noor' }, { userId: owner.id, seatClass: 'business' }])
    const page = `/flights/${second}/edit`
    const { html } = await browser.get(page)
    const essentials = html.slice(0, html.indexOf('<details class="card unfolding"'))
    expect(essentials).toContain('id="passengers.1.seatClass"')
    expect(essentials).not.toContain('id="passengers.0.seatClass"')
    for (const row of [0, 1]) expect(html.split(`id="passengers.${row}.seatClass"`)).toHaveLength(2)
    await browser.post(page, { ...fieldsIn(html, page), 'passengers.1.seat': 'aisle' })
    expect((await flight(second)).passengers).toMatchObject([
      { guestName: 'Noor', seat: null },
      { user: { id: owner.id }, seat: 'aisle', seatClass: 'business' },
    ])
    const other = await add([{ userId: user().id }])
    expect((await browser.get(`/flights/${other}/edit`)).html).not.toContain('Your seat')
  })
})

describe('arrival day', () => {
  test('defaults to the next day, is shown in the notice, and can be changed', async () => {
    const { send, newest, browser, flight } = await flightLog()
    const night = { from: 'ZRH', to: 'SIN', date: '2025-05-03', 'departure.clock': '22:20', 'arrival.clock': '14:00' }
    expect((await send(NEW, night)).status).toBe(303)
    expect((await browser.get('/')).html).toContain('was added. Arrives the next day, 4 May 2025.')
    const { id, ...saved } = await newest()
    expect(saved).toMatchObject({ departure: '2025-05-03T20:20:00.000Z', arrival: '2025-05-04T06:00:00.000Z' })
    const page = `/flights/${id}/edit`
    const { html } = await browser.get(page)
    expect(fieldsIn(html, page)).toMatchObject({ 'arrival.day': '2025-05-04' })
    expect(html).toContain('<output id="nights">+1</output>')
    await send(page, { 'arrival.day': '2025-05-05' })
    expect((await flight(id)).arrival).toBe('2025-05-05T06:00:00.000Z')
    await send(page, { 'arrival.day': '' })
    expect((await flight(id)).arrival).toBe('2025-05-04T06:00:00.000Z')
  })

  test('is calculated for every pair of times, and shown with other errors', async () => {
    const { send, newest } = await flightLog()
    const night = {
      ...{ from: 'ZRH', to: 'SIN', date: '2025-05-03', 'departure.clock': '22:20', 'arrival.clock': '17:00' },
      ...{ 'departureScheduled.clock': '22:15', 'arrivalScheduled.clock': '16:50' },
      ...{ 'takeoffActual.clock': '22:41', 'landingActual.clock': '16:52' },
    }
    const unknown = await send(NEW, { ...night, to: 'Xyzzy' })
    expect(unknown.status).toBe(422)
    const invalid = await send(NEW, { ...night, duration: 'long' })
    expect(fieldsIn(invalid.html, NEW)).toMatchObject({ 'arrival.day': '2025-05-04' })
    expect((await send(NEW, night)).status).toBe(303)
    const { id, ...saved } = await newest()
    expect(saved).toMatchObject({
      arrival: '2025-05-04T09:00:00.000Z',
      arrivalScheduled: '2025-05-04T08:50:00.000Z',
      landingActual: '2025-05-04T08:52:00.000Z',
    })
    expect((await send(`/flights/${id}/edit`, { note: 'again' })).status).toBe(303)
    expect(await newest()).toMatchObject({ ...saved, note: 'again', updatedAt: expect.anything() })
  })

  test('is the departure day if a flight across the date line arrives at an earlier local time', async () => {
    const { send, newest } = await flightLog()
    const times = { 'departure.clock': '23:30', 'arrival.clock': '09:35' }
    expect((await send(NEW, { from: 'AKL', to: 'HNL', date: '2025-03-01', ...times })).status).toBe(303)
    expect((await newest()).arrival).toBe('2025-03-01T19:35:00.000Z')
  })

  test('is the day before across the date line, unless another day is entered', async () => {
    const { send, newest, browser } = await flightLog()
    const short = { from: 'AKL', to: 'HNL', date: '2025-03-02', 'departure.clock': '02:00', 'arrival.clock': '11:35' }
    expect((await send(NEW, short)).status).toBe(303)
    expect((await browser.get('/')).html).toContain('was added. Arrives the day before, 1 Mar 2025.')
    const { id, ...saved } = await newest()
    expect(saved.arrival).toBe('2025-03-01T21:35:00.000Z')
    expect((await send(`/flights/${id}/edit`, { note: 'again' })).status).toBe(303)
    expect((await newest()).arrival).toBe(saved.arrival)
    expect((await send(NEW, { ...short, 'arrival.day': '2025-03-02' })).status).toBe(303)
    expect((await newest()).arrival).toBe('2025-03-02T21:35:00.000Z')
  })
})

test('the form replaces a time that a clock change skips, and asks for confirmation', async () => {
  const { send, resend, newest, api } = await flightLog()
  const { status, html } = await send(NEW, { from: 'JFK', to: 'LHR', date: '2022-03-13', 'departure.clock': '02:30' })
  expect(status).toBe(422)
  expect(html).toContain(
    '#departure.clock">Departure: There was no 02:30 that day: the clocks went forward. 03:30 is entered instead',
  )
  expect((await api.get('/flights')).body.data).toEqual([])
  expect(fieldsIn(html, NEW)).toMatchObject({ 'departure.clock': '03:30', 'departure.day': '' })
  expect((await resend(NEW, html, {})).status).toBe(303)
  expect((await newest()).departure).toBe('2022-03-13T07:30:00.000Z')
})

describe('default airline', () => {
  test('is the airline with the longest code that matches the flight number', async () => {
    const { send, newest, api } = await flightLog()
    const numbers = { LX2084: 'SWR', 'swr 2084': 'SWR', 'SK-1': 'SAS', QQ12: null, LX: null, LX208456: null }
    for (const [flightNumber, icao] of Object.entries(numbers)) {
      expect((await send(NEW, { ...route, flightNumber })).status).toBe(303)
      const { id, airline } = await newest()
      expect([flightNumber, airline?.icao ?? null]).toEqual([flightNumber, icao])
      await api.delete(`/flights/${id}`)
    }
  })

  test('is not set on a stored flight unless the number changes, and never replaces an entered airline', async () => {
    const { send, newest, flight } = await flightLog()
    await send(NEW, { ...route, flightNumber: 'LX1', airline: 'SAS' })
    const { id, airline } = await newest()
    expect(airline.icao).toBe('SAS')
    await send(`/flights/${id}/edit`, { airline: '', 'airline.id': '' })
    expect((await flight(id)).airline).toBeNull()
    await send(`/flights/${id}/edit`, { note: 'nothing else' })
    expect((await flight(id)).airline).toBeNull()
    await send(`/flights/${id}/edit`, { flightNumber: 'LX2' })
    expect((await flight(id)).airline.icao).toBe('SWR')
  })
})

test("the airport search returns an exact code first, then airports of the user's log", async () => {
  const { browser, browserOf, send } = await flightLog()
  const labels = async (text: string, visitor = browser) =>
    JSON.parse((await visitor.get(`/search/airports?q=${text}`)).html).map(({ label }: { label: string }) =>
      label.slice(0, 3),
    )
  const before = await labels('international')
  expect(before).toHaveLength(10)
  const [frequent, once] = ['KTM', 'EWR', 'BNE', 'ADL', 'DXB', 'HNL', 'APW'].filter((code) => !before.includes(code))
  await send(NEW, { ...route, from: frequent!, to: once! })
  await send(NEW, { ...route, from: frequent!, to: 'LHR' })
  expect((await labels('international')).slice(0, 3)).toEqual([frequent, once, before[0]])
  expect((await labels('AKL'))[0]).toBe('AKL')
  const other = await browserOf(['flight.create.own'])
  expect(await labels('international', other.browser)).toEqual(before)
})

describe('a form with values from another flight', () => {
  async function withFlight() {
    const instance = await flightLog()
    const { send, newest, user } = instance
    const otto = user({ username: 'otto', displayName: 'Otto' })
    const twoRows = await send(NEW, { more: 'traveller' })
    await instance.resend(NEW, twoRows.html, {
      ...{ ...route, flightNumber: 'LX2084', aircraft: 'BCS3', aircraftReg: 'HB-JCA', note: 'Only then' },
      ...{ 'departure.clock': '22:20', 'arrival.clock': '00:15', 'takeoffActual.clock': '22:31', departureGate: 'E26' },
      ...{ 'passengers.0.seat': 'window', 'passengers.0.seatNumber': '7A', 'passengers.0.seatClass': 'business' },
      ...{ 'passengers.1.who': otto.id },
    })
    return { ...instance, otto, flight: await newest() }
  }

  test('swaps the airports for a return flight, and keeps passengers and airline', async () => {
    const { browser, flight, otto } = await withFlight()
    const fields = fieldsIn((await browser.get(`${NEW}?return=${flight.id}`)).html, NEW)
    expect(fields).toMatchObject({
      ...{ from: 'LIS – Humberto Delgado Airport', to: 'ZRH – Zürich Airport', airline: 'Swiss (LX)' },
      ...{ date: '', flightNumber: '', 'departure.clock': '', note: '', rows: '2', 'passengers.1.who': otto.id },
      ...{ 'passengers.0.id': '', 'passengers.0.seatClass': 'business', 'passengers.0.seatNumber': '' },
    })
    expect(fields).not.toHaveProperty('version')
  })

  test('copies everything that does not depend on the day', async () => {
    const { browser, flight, resend, newest } = await withFlight()
    const { html } = await browser.get(`${NEW}?copy=${flight.id}`)
    expect(fieldsIn(html, NEW)).toMatchObject({
      ...{ from: 'ZRH – Zürich Airport', to: 'LIS – Humberto Delgado Airport', flightNumber: 'LX2084', date: '' },
      ...{ 'departure.clock': '22:20', 'arrival.clock': '00:15', 'arrival.day': '', 'takeoffActual.clock': '' },
      ...{ aircraft: 'Airbus A220-300 (BCS3)', aircraftReg: '', departureGate: '', note: '', 'passengers.0.id': '' },
    })
    expect((await resend(NEW, html, { date: '2025-06-01' })).status).toBe(303)
    expect(await newest()).toMatchObject({ date: '2025-06-01', arrival: '2025-06-01T23:15:00.000Z' })
    expect((await newest()).id).not.toBe(flight.id)
  })

  test('requires access to that flight, and copies only users that may be added', async () => {
    const { browser, browserOf, flight, api, otto, airports } = await withFlight()
    const other = await browserOf(['flight.create.own', 'flight.read.own'])
    for (const query of ['return', 'copy', 'after']) {
      expect((await other.browser.get(`${NEW}?${query}=${flight.id}`)).status).toBe(404)
      expect((await browser.get(`${NEW}?${query}=x`)).status).toBe(404)
    }
    const passengers = [{ userId: other.user.id, seatClass: 'first' }, { userId: otto.id }]
    const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, passengers }
    const { id } = (await api.post('/flights', body)).body.data
    const { html } = await other.browser.get(`${NEW}?copy=${id}`)
    expect(fieldsIn(html, NEW)).toMatchObject({ rows: '1', 'passengers.0.who': other.user.id })
    expect(html).not.toContain(otto.id)
  })
})

describe('unknown record', () => {
  const airport = {
    ...{ 'new.name': 'Meadow of the farm', 'new.icao': 'ch-0042', 'new.country': 'CH' },
    ...{ 'new.timezone': 'Europe/Zurich', 'new.latitude': '47,15', 'new.longitude': '9.14' },
  }

  test('can be added as an airport from the form, which keeps its values', async () => {
    const { send, resend, newest, api } = await flightLog()
    const typed = { ...route, from: 'Meadow of the farm', note: 'Kept', 'passengers.0.seat': 'pilot' }
    const unknown = await send(NEW, typed)
    expect(unknown.html).toContain('<button type="submit" name="make" value="from">Add as a new airport</button>')
    const form = await resend(NEW, unknown.html, { make: 'from' })
    expect(form.status).toBe(200)
    expect(fieldsIn(form.html, NEW)).toMatchObject({ 'new.name': 'Meadow of the farm', 'new.icao': '', note: 'Kept' })
    const wrong = await resend(NEW, form.html, { ...airport, made: 'from', 'new.latitude': '147', 'new.country': '' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toMatch(/href="#new\.latitude">Latitude: .*id="new\.latitude-error"/s)
    expect(wrong.html).toContain('href="#new.country">Country: Must be')
    expect(fieldsIn(wrong.html, NEW)).toMatchObject({ 'new.icao': 'ch-0042', note: 'Kept' })
    const added = await resend(NEW, wrong.html, { ...airport, made: 'from' })
    expect(added.status).toBe(200)
    expect(fieldsIn(added.html, NEW)).toMatchObject({
      ...typed,
      from: 'CH-0042 – Meadow of the farm',
      to: 'LIS – Humberto Delgado Airport',
    })
    expect(added.html).not.toContain('new.name')
    expect((await api.get('/flights')).body.data).toEqual([])
    expect((await resend(NEW, added.html, {})).status).toBe(303)
    expect((await newest()).from).toMatchObject({ icao: 'CH-0042', continent: 'EU', latitude: 47.15, custom: true })
    const taken = await resend(NEW, wrong.html, { ...airport, made: 'from' })
    expect([taken.status, taken.html]).toEqual([409, expect.stringContaining('is taken by another airport')])
  })

  test('can be added as an airline or aircraft type, only with permission', async () => {
    const { send, resend, newest, browserOf, api } = await flightLog()
    const typed = { ...route, airline: 'Alpine Gliders', aircraft: 'AS21' }
    const first = await resend(NEW, (await send(NEW, typed)).html, { make: 'airline' })
    const second = await resend(NEW, first.html, { made: 'airline', 'new.iata': 'g9' })
    const third = await resend(NEW, second.html, { make: 'aircraft' })
    expect(fieldsIn(third.html, NEW)).toMatchObject({ 'new.icao': 'AS21', 'new.name': '' })
    const fourth = await resend(NEW, third.html, { made: 'aircraft', 'new.name': 'Schleicher ASK 21' })
    expect((await resend(NEW, fourth.html, {})).status).toBe(303)
    expect(await newest()).toMatchObject({ airline: { iata: 'G9', custom: true }, aircraft: { icao: 'AS21' } })

    const { browser } = await browserOf(['flight.create.own', 'flight.read.own'])
    const unknown = await send(NEW, { ...route, from: 'Xyzzy' }, browser)
    expect(unknown.html).not.toContain('name="make"')
    expect((await send(NEW, { ...route, ...airport, made: 'from' }, browser)).status).toBe(403)
    expect((await api.get('/airports?query=meadow')).body.data).toEqual([])
  })
})

describe('flight number lookup', () => {
  async function withTimetable() {
    const instance = await flightLog()
    const { db } = instance
    const airline = 'insert into airlines (source_id, name, name_key, icao, iata) values (?, ?, ?, ?, ?)'
    db.$client.prepare(airline).run('EZY', 'easyJet', 'easyjet', 'EZY', 'U2')
    const lines = ['EZY\t08001\t\tLSZH-EGLL', 'SWR\t02084\t\tLSZH-LPPT', 'SWR\t02084\t2025-03-30\tLSZH-EDDF-EGLL']
    replaceRoutes(db, blocksOf(Buffer.from(lines.join('\n'))))
    return instance
  }
  const offered = (html: string) =>
    [...html.matchAll(/name="take" value="([^"]*)"(?: class="([^"]*)")?>([^<]*) <span class="quiet">([^<]*)/g)].map(
      ([, value, kind, label, detail]) => ({ value: value!, kind, label, detail }),
    )

  test('offers the flight of the day, and fills the form only when it is chosen', async () => {
    const { send, resend, newest } = await withTimetable()
    const lookup = await send(NEW, { flightNumber: 'lx 2084', date: '2024-05-03', note: 'Kept', lookUp: 'number' })
    expect(lookup.status).toBe(200)
    expect(offered(lookup.html)).toMatchObject([{ label: 'ZRH → LIS, Swiss', detail: 'From timetable data.' }])
    expect(fieldsIn(lookup.html, NEW)).toMatchObject({ from: '', to: '', airline: '', note: 'Kept' })
    const chosen = await resend(NEW, lookup.html, { take: offered(lookup.html)[0]!.value })
    expect(fieldsIn(chosen.html, NEW)).toMatchObject({
      ...{ flightNumber: 'lx 2084', date: '2024-05-03', note: 'Kept', airline: 'Swiss (LX)' },
      ...{ from: 'ZRH – Zürich Airport', to: 'LIS – Humberto Delgado Airport' },
    })
    expect((await resend(NEW, chosen.html, {})).status).toBe(303)
    expect(await newest()).toMatchObject({ from: { iata: 'ZRH' }, to: { iata: 'LIS' }, airline: { icao: 'SWR' } })
  })

  test("lists each leg, the user's flights first, and marks uncertain ones", async () => {
    const { send } = await withTimetable()
    await send(NEW, { ...route, from: 'FRA', to: 'LHR', flightNumber: 'LX2084' })
    const { status, html } = await send(NEW, { flightNumber: 'LX2084', date: '2025-05-03' })
    // A form with only a number shows the matching flights.
    expect(status).toBe(422)
    expect(offered(html)).toMatchObject([
      { label: 'FRA → LHR, Swiss', detail: 'From your log.' },
      { label: 'ZRH → FRA, Swiss', detail: 'A leg of ZRH – FRA – LHR. From timetable data.' },
    ])
    const uncertain = await send(NEW, { flightNumber: 'U28001', date: '2025-05-03', lookUp: 'number' })
    expect(offered(uncertain.html)).toMatchObject([
      { label: 'ZRH → LHR, easyJet', kind: 'unsure', detail: expect.stringMatching(/^Uncertain: /) },
    ])
    const unknown = await send(NEW, { flightNumber: 'QQ1', date: 'never', lookUp: 'number' })
    expect(unknown.html).toContain('No flight found for this number and date.')
  })

  test('requires a session for the JSON search, and finds nothing for invalid numbers', async () => {
    const { browser, app, airports, send } = await withTimetable()
    const path = '/search/flight-numbers?number=LX2084&date=2024-05-03'
    expect(JSON.parse((await browser.get(path)).html)).toMatchObject([
      {
        label: 'ZRH → LIS, Swiss',
        isUncertain: false,
        from: { id: airports.ZRH, zone: 'Europe/Zurich' },
        to: { label: 'LIS – Humberto Delgado Airport' },
        airline: { label: 'Swiss (LX)' },
      },
    ])
    expect((await browserSession(app).get(path)).status).toBe(303)
    for (const query of ['', '?number=%00&date=x', `?number=${'9'.repeat(2000)}`, '?number=LX&number=LY']) {
      expect((await browser.get(`/search/flight-numbers${query}`)).html).toBe('[]')
    }
    for (const take of ['', 'x', '1', '1.2.3.4', '-1.1e9.NaN', '999999.999999.0']) {
      expect((await send(NEW, { take })).status).toBe(200)
    }
  })
})
