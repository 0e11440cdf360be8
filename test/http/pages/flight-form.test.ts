import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { flightLog as log, NEW_FLIGHT as NEW, route } from '../../support/flight-form.ts'
import { fieldsIn } from '../../support/form-fields.ts'
import { seeded } from '../../support/random.ts'
import { zoneVectors } from '../../support/zone-vectors.ts'

type Fields = Record<string, string | string[]>

describe('adding a flight', () => {
  test('requires a sign-in that returns to the form, and a permission', async () => {
    const { app, browserOf } = await log()
    expect(await browserSession(app).get(NEW)).toMatchObject({ status: 303, location: '/login?next=%2Fflights%2Fnew' })
    const { browser } = await browserOf(['flight.read.own'])
    expect((await browser.get(NEW)).status).toBe(403)
    expect((await browser.get('/')).html).not.toContain(NEW)
  })

  test('C2: rejects a form without a CSRF token', async () => {
    const { browser, api } = await log()
    expect((await browser.post(NEW, route)).status).toBe(403)
    expect((await api.get('/flights')).body.data).toEqual([])
  })

  test('accepts two codes and a day, adds the user as a passenger and shows a notice', async () => {
    const { send, newest, browser, owner } = await log()
    expect(await send(NEW, route)).toMatchObject({ status: 303, location: '/' })
    expect((await browser.get('/')).html).toContain('The flight from ZRH to LIS was added.')
    expect(await newest()).toMatchObject({
      date: '2025-05-03',
      datePrecision: 'day',
      from: { iata: 'ZRH' },
      to: { iata: 'LIS' },
      departure: null,
      airline: null,
      note: null,
      passengers: [{ user: { id: owner.id }, guestName: null, seat: null }],
    })
  })

  test('saves every field of the form, with local times', async () => {
    const { send, newest } = await log()
    const answer = await send(NEW, {
      ...route,
      'departure.clock': '12:20',
      'arrival.clock': '14:15',
      'departureScheduled.clock': '12:00',
      'arrivalScheduled.clock': '13:50',
      'takeoffScheduled.clock': '12:15',
      'landingScheduled.clock': '13:40',
      'takeoffActual.clock': '12:31',
      'landingActual.clock': '14:05',
      departureTerminal: 'E',
      departureGate: 'E26',
      arrivalTerminal: '1',
      arrivalGate: '14',
      airline: 'SWR',
      flightNumber: 'LX2084',
      aircraft: 'airbus a220-300',
      aircraftReg: 'HB-JCA',
      note: 'One\r\nTwo',
      'passengers.0.seat': 'window',
      'passengers.0.seatNumber': '7A',
      'passengers.0.seatClass': 'economy+',
      'passengers.0.flightReason': 'leisure',
    })
    expect(answer.status).toBe(303)
    const at = (clock: string) => `2025-05-03T${clock}:00.000Z`
    expect(await newest()).toMatchObject({
      departure: at('10:20'),
      arrival: at('13:15'),
      departureScheduled: at('10:00'),
      arrivalScheduled: at('12:50'),
      takeoffScheduled: at('10:15'),
      landingScheduled: at('12:40'),
      takeoffActual: at('10:31'),
      landingActual: at('13:05'),
      duration: 10500,
      departureTerminal: 'E',
      departureGate: 'E26',
      arrivalTerminal: '1',
      arrivalGate: '14',
      airline: { icao: 'SWR' },
      flightNumber: 'LX2084',
      aircraft: { icao: 'BCS3' },
      aircraftReg: 'HB-JCA',
      note: 'One\nTwo',
      passengers: [{ seat: 'window', seatNumber: '7A', seatClass: 'economy+', flightReason: 'leisure' }],
    })
  })

  test('prefills the last destination and the next day after "Save and add another"', async () => {
    const { send, browser } = await log()
    expect(await send(NEW, { ...route, date: '2024-02-28', follow: 'another' })).toMatchObject({
      status: 303,
      location: '/flights/new?after=1',
    })
    const { html } = await browser.get('/flights/new?after=1')
    expect(html).toContain('The flight from ZRH to LIS was added.')
    expect(fieldsIn(html, NEW)).toMatchObject({ date: '2024-02-29', from: 'LIS – Humberto Delgado Airport', to: '' })
    expect(fieldsIn((await browser.get('/flights/new?date=2025-05-03')).html, NEW)).toMatchObject({
      date: '2025-05-03',
    })
    expect(fieldsIn((await browser.get('/flights/new?date=tomorrow')).html, NEW)).toMatchObject({ date: '' })
  })

  test('stores the first day of a month or year', async () => {
    const { send, newest } = await log()
    await send(NEW, { ...route, datePrecision: 'month' })
    expect(await newest()).toMatchObject({ date: '2025-05-01', datePrecision: 'month' })
    await send(NEW, { ...route, date: '2026-03-04', datePrecision: 'year' })
    expect(await newest()).toMatchObject({ date: '2026-01-01', datePrecision: 'year' })
  })

  test('creates one flight for a form that is sent twice, and two for two forms', async () => {
    const { browser, api } = await log()
    const form = { ...fieldsIn((await browser.get(NEW)).html, NEW), ...route }
    const answers = await Promise.all(Array.from({ length: 4 }, () => browser.post(NEW, form)))
    answers.push(await browser.post(NEW, form))
    expect(answers.map(({ status, location }) => [status, location])).toEqual(Array(5).fill([303, '/']))
    const count = async () => (await api.get('/flights')).body.data.length
    expect(await count()).toBe(1)
    await api.delete(`/flights/${(await api.get('/flights')).body.data[0].id}`)
    expect((await browser.post(NEW, form)).status).toBe(303)
    expect(await count()).toBe(1)
    // A changed form creates another flight.
    expect((await browser.post(NEW, { ...form, date: '2025-05-04' })).status).toBe(303)
    expect((await browser.post(NEW, { ...fieldsIn((await browser.get(NEW)).html, NEW), ...route })).status).toBe(303)
    expect(await count()).toBe(3)
  })

  test('works under a base path', async () => {
    const { send, browser } = await log({ baseUrl: 'https://host.example/log' })
    expect(await send(NEW, route)).toMatchObject({ status: 303, location: '/log/' })
    expect((await browser.get('/log/')).html).toContain('href="/log/flights/1"')
  })
})

describe('airport field', () => {
  test('offers the best matches for an ambiguous text, and keeps all values', async () => {
    const { send, resend, newest } = await log()
    const choices = await send(NEW, { ...route, from: 'international', note: 'Kept <b>', 'passengers.0.seat': 'aisle' })
    expect(choices.status).toBe(422)
    expect(choices.html).toContain('<title>Error: Add a flight – Paxlog</title>')
    expect(choices.html).toMatch(/href="#from">From: Which one do you mean\?/)
    const fields = fieldsIn(choices.html, NEW)
    expect(fields).toMatchObject({
      from: 'international',
      to: 'LIS – Humberto Delgado Airport',
      date: '2025-05-03',
      note: 'Kept <b>',
      'passengers.0.seat': 'aisle',
    })
    const options = [...choices.html.matchAll(/name="from\.id" value="(\d+)"( checked)?/g)]
    expect(options).toHaveLength(10)
    expect(options.map(([, , checked]) => checked !== undefined)).toEqual([true, ...Array(9).fill(false)])
    const [, second] = options.map(([, id]) => id!)
    expect((await resend(NEW, choices.html, { 'from.id': second! })).status).toBe(303)
    expect((await newest()).from.id).toBe(Number(second))
  })

  test('searches again if the text was changed', async () => {
    const { send, resend, newest } = await log()
    const choices = await send(NEW, { ...route, from: 'international' })
    expect((await resend(NEW, choices.html, { from: 'SIN' })).status).toBe(303)
    expect((await newest()).from.iata).toBe('SIN')
  })

  test('accepts a text that matches only one airport, ignoring accents', async () => {
    const { send, newest } = await log()
    expect((await send(NEW, { ...route, from: 'zurich', to: 'cancun' })).status).toBe(303)
    expect(await newest()).toMatchObject({ from: { iata: 'ZRH' }, to: { iata: 'CUN' } })
  })

  test('prefers a city to a code with the same letters, unless the text is upper case', async () => {
    const { send, api, newest } = await log()
    const field = { timezone: 'Europe/Rome', continent: 'EU', country: 'IT', latitude: 45, longitude: 7 }
    await api.post('/airports', { ...field, icao: 'LIMA', name: 'Torino-Aeritalia', municipality: 'Torino' })
    await api.post('/airports', { ...field, icao: 'SPJC', name: 'Jorge Chávez', municipality: 'Lima', country: 'PE' })
    const choices = await send(NEW, { ...route, from: 'lima' })
    expect(choices.status).toBe(422)
    expect(choices.html).toMatch(/checked\/><span>SPJC – Jorge Chávez/)
    expect((await send(NEW, { ...route, from: 'LIMA' })).status).toBe(303)
    expect((await newest()).from.icao).toBe('LIMA')
  })

  test('shows an error if nothing matches', async () => {
    const { send } = await log()
    const { status, html } = await send(NEW, { ...route, from: 'Xyzzy', airline: 'Nowhere Air', aircraft: 'Carpet' })
    expect(status).toBe(422)
    expect(html).toContain('Airport “Xyzzy” not found.')
    expect(html).toContain('Airline “Nowhere Air” not found.')
    expect(html).toContain('Aircraft type “Carpet” not found.')
  })

  test('gets suggestions from the API search, only with a session', async () => {
    const { browser, app, airports } = await log()
    const answer = await browser.get('/search/airports?q=zur')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(answer.html)).toEqual([
      {
        id: airports.ZRH,
        label: 'ZRH – Zürich Airport',
        detail: 'Zurich, Switzerland · ZRH, LSZH',
        zone: 'Europe/Zurich',
      },
    ])
    expect(JSON.parse((await browser.get('/search/airlines?q=swi')).html)).toMatchObject([{ label: 'Swiss (LX)' }])
    expect(JSON.parse((await browser.get('/search/aircraft?q=a350')).html)).toMatchObject([
      { label: 'Airbus A350-900 (A359)' },
    ])
    expect(JSON.parse((await browser.get('/search/airports')).html)).toEqual([])
    expect((await browserSession(app).get('/search/airports?q=zur')).status).toBe(303)
  })
})

describe('flight form errors', () => {
  const cases: [what: string, fields: Fields, link: RegExp][] = [
    [
      'no airports and no day',
      { from: '', to: '', date: '' },
      /#from">From: Enter the departure airport.*#to">To: Enter/s,
    ],
    ['a day that does not exist', { date: '2025-02-30' }, /#date">Date: Enter a valid date\./],
    [
      'an arrival before the departure',
      { 'departure.clock': '12:20', 'arrival.clock': '09:00', 'arrival.day': '2025-05-03' },
      /#arrival\.clock">Arrival: This is before the departure\. If it was another day/,
    ],
    ['an invalid time', { 'departure.clock': '25:61' }, /#departure\.clock">Departure: Enter the time as 14:05/],
    ['a day without a time', { 'arrival.day': '2025-05-04' }, /#arrival\.clock">Arrival: Enter a time too/],
    ['an invalid duration', { duration: 'long' }, /#duration">Duration: Enter hours and minutes/],
    [
      'a text that is too long',
      { flightNumber: 'x'.repeat(501) },
      /#flightNumber">Flight number: Must have at most 500/,
    ],
    ['a seat that does not exist', { 'passengers.0.seat': 'roof' }, /#passengers\.0\.seat">Passenger 1, Seat: Must be/],
    [
      'a user who does not exist',
      { 'passengers.0.who': 'nobody' },
      /#passengers\.0\.who">Passenger 1, Who: There is no/,
    ],
    ['no passengers', { 'passengers.0.remove': 'yes' }, /#passengers">Passengers: Add at least one passenger/],
  ]
  test.each(cases)('%s: shows the error beside its field', async (_, fields, link) => {
    const { send, api } = await log()
    const { status, html } = await send(NEW, { ...route, note: 'stays', ...fields })
    expect(status).toBe(422)
    expect(html).toMatch(link)
    const [id] = /#[\w.]+(?=">)/.exec(link.exec(html)![0])!
    expect(html).toContain(`id="${id.slice(1)}"`)
    expect(fieldsIn(html, NEW)).toMatchObject({ note: 'stays', ...('date' in fields ? {} : { date: route.date }) })
    expect((await api.get('/flights')).body.data).toEqual([])
  })

  test('shows an error if the role cannot add flights of other users', async () => {
    const { browserOf, send, user } = await log()
    const { browser } = await browserOf(['flight.create.own', 'flight.passengers.manage.own', 'users.directory.read'])
    const other = user({ username: 'otto' })
    const { status, html } = await send(NEW, { ...route, 'passengers.0.who': other.id }, browser)
    expect(status).toBe(422)
    expect(html).toContain('it lacks flight.create.any')
  })
})

describe('passengers', () => {
  test('are added by a button that keeps all values, both guests and users', async () => {
    const { send, resend, newest, user, owner } = await log()
    const other = user({ username: 'otto', displayName: 'Otto' })
    const typed = { from: 'zur', to: '', date: '2025-05-03', note: 'line\r\nline', 'departure.clock': '1:5' }
    const more = await send(NEW, { ...typed, more: 'traveller' })
    expect(more.status).toBe(200)
    expect(fieldsIn(more.html, NEW)).toMatchObject({ ...typed, rows: '2', 'passengers.1.who': '' })
    expect(more.html).toMatch(/<select autofocus id="passengers\.1\.who"/)
    expect(more.html).toContain(`<option value="${other.id}">Otto</option>`)
    const third = await resend(NEW, more.html, { more: 'traveller', 'passengers.1.guestName': 'Noor' })
    const done = { ...route, 'departure.clock': '', 'passengers.2.who': other.id, 'passengers.2.seat': 'aisle' }
    expect((await resend(NEW, third.html, done)).status).toBe(303)
    expect((await newest()).passengers).toMatchObject([
      { user: { id: owner.id }, guestName: null },
      { user: null, guestName: 'Noor' },
      { user: { id: other.id }, seat: 'aisle' },
    ])
  })

  test('may include an empty row, which is ignored, but guests require a name', async () => {
    const { send, resend, newest } = await log()
    const more = await send(NEW, { more: 'traveller' })
    const nameless = await resend(NEW, more.html, { ...route, 'passengers.1.seat': 'window' })
    expect(nameless.status).toBe(422)
    expect(nameless.html).toContain('#passengers.1.guestName">Passenger 2, Guest name: Enter the guest')
    expect((await resend(NEW, more.html, route)).status).toBe(303)
    expect((await newest()).passengers).toHaveLength(1)
  })

  test('have errors in their row, also after a removed row', async () => {
    const { send, resend, owner } = await log()
    const two = await send(NEW, { more: 'traveller' })
    const three = await resend(NEW, two.html, { more: 'traveller', 'passengers.1.guestName': 'Noor' })
    const changes = { 'passengers.1.remove': 'yes', 'passengers.2.who': owner.id }
    const { html, status } = await resend(NEW, three.html, { ...route, ...changes })
    expect(status).toBe(422)
    expect(html).toContain('#passengers.2.who">Passenger 3, Who: Already listed as a passenger.')
  })

  test('include only the user if the role may not manage them', async () => {
    const { browserOf, send, api } = await log()
    const { browser, user } = await browserOf(['flight.create.own', 'flight.read.own', 'flight.update.own'])
    const { html } = await browser.get(NEW)
    expect(html).not.toContain('Add passenger')
    expect((await send(NEW, { ...route, 'passengers.0.seat': 'window' }, browser)).status).toBe(303)
    const { data } = (await api.get(`/flights?scope=user&userId=${user.id}`)).body
    expect(data[0].passengers).toMatchObject([{ user: { id: user.id }, seat: 'window' }])
    const page = `/flights/${data[0].id}/edit`
    expect((await browser.get(page)).html).toContain('Your role cannot change the passengers of a flight.')
    expect((await send(page, { note: 'changed' }, browser)).status).toBe(303)
    const after = (await api.get(`/flights/${data[0].id}`)).body.data
    expect(after).toMatchObject({ note: 'changed', passengers: data[0].passengers })
  })

  test('can be other users only with access to the directory', async () => {
    const { browserOf, user } = await log()
    user({ username: 'otto', displayName: 'Otto' })
    const { browser } = await browserOf(['flight.create.own', 'flight.passengers.manage.own'])
    expect((await browser.get(NEW)).html).not.toContain('Otto')
  })

  async function withGuests(count: number) {
    const instance = await log()
    const { api, airports } = instance
    const passengers = Array.from({ length: count }, (_, index) => ({ guestName: `Guest ${index + 1}`, seat: 'aisle' }))
    const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, passengers }
    const before = (await api.post('/flights', body)).body.data
    return { ...instance, before, page: `/flights/${before.id}/edit` }
  }
  const guests = ({ passengers }: { passengers: { guestName: string }[] }) => passengers.map((each) => each.guestName)

  test('are shown in pages if there are many, and those on other pages are kept', async () => {
    const { send, resend, flight, browser, before, page } = await withGuests(45)
    const { html } = await browser.get(page)
    expect(html).toContain('25 other passengers stay unchanged.')
    expect(html).toContain(`href="${page}?part=3#passengers">passengers 41 to 45</a>`)
    expect((await send(page, { note: 'new' })).status).toBe(303)
    expect(await flight(before.id)).toMatchObject({ note: 'new', passengers: before.passengers })

    const second = await browser.get(`${page}?part=2`)
    expect(second.html).toContain('<legend>Passenger 21</legend>')
    const nameless = await resend(page, second.html, { 'passengers.1.guestName': '' })
    expect([nameless.status, nameless.html]).toEqual([422, expect.stringContaining('Passenger 22, Guest name')])
    const changes = { 'passengers.0.guestName': 'Noor', 'passengers.0.seat': 'window', 'passengers.19.remove': 'yes' }
    expect((await resend(page, second.html, changes)).status).toBe(303)
    const after = await flight(before.id)
    const kept = guests(before).filter((name) => name !== 'Guest 21' && name !== 'Guest 40')
    expect(guests(after).sort()).toEqual([...kept, 'Noor'].sort())
    expect(after.passengers.find(({ guestName }: { guestName: string }) => guestName === 'Noor')).toMatchObject({
      id: before.passengers[20].id,
      seat: 'window',
    })
    expect((await browser.get(`${page}?part=9`)).html).toContain('<legend>Passenger 1</legend>')
  })

  test('are kept if they were added while the form was open', async () => {
    const { api, airports, resend, flight, browser, before, page } = await withGuests(2)
    const { html } = await browser.get(page)
    const more = [...before.passengers, { guestName: 'Late', seat: 'window', seatNumber: '1A' }]
    const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, passengers: more }
    expect((await api.put(`/flights/${before.id}`, body)).status).toBe(200)
    const conflict = await resend(page, html, { note: 'new' })
    expect(conflict.status).toBe(409)
    expect((await resend(page, conflict.html, {})).status).toBe(303)
    const after = await flight(before.id)
    expect(guests(after)).toEqual(['Guest 1', 'Guest 2', 'Late'])
    expect(after).toMatchObject({ note: 'new', passengers: [{}, {}, { seat: 'window', seatNumber: '1A' }] })
  })

  test('are limited to 40 rows per form', async () => {
    const { send, api } = await log()
    const { status, html } = await send(NEW, { ...route, rows: '41' })
    expect([status, html]).toEqual([422, expect.stringContaining('A form can have at most 40 passengers.')])
    expect((await api.get('/flights')).body.data).toEqual([])
  })
})

describe('a long form', () => {
  /** Each character has twelve bytes when URL-encoded. */
  const letters = '𝔸'.repeat(10_000)

  test('is accepted with every text at its maximum length, also in four-byte characters', async () => {
    const { send, newest, flight } = await log()
    const places = [
      'departureTerminal',
      'departureGate',
      'arrivalTerminal',
      'arrivalGate',
      'flightNumber',
      'aircraftReg',
    ]
    const texts = Object.fromEntries(places.map((name) => [name, '𝔸'.repeat(500)]))
    expect((await send(NEW, { ...route, ...texts, note: letters })).status).toBe(303)
    const saved = await newest()
    expect(saved).toMatchObject({ ...texts, note: letters })
    expect((await send(`/flights/${saved.id}/edit`, { note: `${letters}𝔸` })).status).toBe(422)
    expect((await send(`/flights/${saved.id}/edit`, { flightNumber: 'LX1' })).status).toBe(303)
    expect(await flight(saved.id)).toMatchObject({ flightNumber: 'LX1', note: letters })
  })

  test('is not read without a session, and is limited in size', async () => {
    const { app, browser } = await log()
    const [fits, tooMuch] = [2 * 1024 * 1024, 2 * 1024 * 1024 + 1].map((bytes) => 'x'.repeat(bytes))
    for (const page of [NEW, '/flights/1/edit']) {
      const anonymous = await browserSession(app).send('POST', page, tooMuch)
      expect(anonymous).toMatchObject({ status: 303, location: `/login?next=${encodeURIComponent(page)}` })
      expect((await browser.send('POST', page, fits)).status).toBe(403)
      expect((await browser.send('POST', page, tooMuch)).status).toBe(413)
    }
  })

  test('is limited in the number of fields', async () => {
    const { browser } = await log()
    const before = process.cpuUsage()
    const { status } = await browser.send('POST', NEW, 'a&'.repeat(1024 * 1024))
    const { user } = process.cpuUsage(before)
    // Parsing a million fields takes minutes; counting them does not.
    expect([status, user < 5_000_000]).toEqual([413, true])
    expect((await browser.send('POST', NEW, 'a&'.repeat(19_999))).status).toBe(403)
  })
})

const withoutUpdatedAt = ({ updatedAt: _, ...flight }: Record<string, unknown>) => flight

describe('changing a flight', () => {
  test('converts local times as in every example of the contract, and saving again changes nothing', async () => {
    const { send, resend, newest, flight, api } = await log()
    for (const [number, airports, localDeparture, localArrival, departure, arrival, duration] of zoneVectors) {
      const [from, to] = airports.split(' ') as [string, string]
      const [date, clock] = localDeparture.split(' ') as [string, string]
      const [day, arrivalClock] = localArrival.split(' ') as [string, string]
      const times = { 'departure.clock': clock, 'arrival.clock': arrivalClock, 'arrival.day': day }
      const answer = await send(NEW, { from, to, date, ...times })
      // The form reports a skipped time and shows the time that replaces it.
      const isSkipped = [12, 14, 15].includes(number)
      const isReported = answer.html.includes('There was no')
      expect([number, answer.status, isReported]).toEqual([number, isSkipped ? 422 : 303, isSkipped])
      if (isSkipped) expect((await resend(NEW, answer.html, {})).status).toBe(303)
      const before = await newest()
      const instants = { departure: `${departure}:00.000Z`, arrival: `${arrival}:00.000Z` }
      expect({ number, ...before }).toMatchObject({ number, date, duration, ...instants })
      expect((await send(`/flights/${before.id}/edit`, {})).status).toBe(303)
      expect(withoutUpdatedAt(await flight(before.id))).toEqual(withoutUpdatedAt(before))
      await api.delete(`/flights/${before.id}`)
    }
  })

  test.each([
    ['an hour that occurs twice, the second time', '2022-11-06T06:30:00.000Z', 'JFK'],
    ['seconds and their parts', '2025-05-03T10:20:31.417Z', 'ZRH'],
    ['a half hour that occurs twice', '2025-04-05T15:15:00.000Z', 'LDH'],
  ] as const)('keeps an instant that local time cannot express: %s', async (_, departure, iata) => {
    const { api, airports, send, flight } = await log()
    const body = { date: departure.slice(0, 10), fromId: airports[iata], toId: airports.SIN, departure }
    const before = (await api.post('/flights', body)).body.data
    await send(`/flights/${before.id}/edit`, {})
    expect(withoutUpdatedAt(await flight(before.id))).toEqual(withoutUpdatedAt(before))
    await send(`/flights/${before.id}/edit`, { note: 'other' })
    expect(await flight(before.id)).toMatchObject({ departure, note: 'other' })
  })

  test('reads a time in the zone of a changed airport', async () => {
    const { send, newest } = await log()
    await send(NEW, { ...route, 'departure.clock': '12:20' })
    await send('/flights/1/edit', { from: 'LHR' })
    expect(await newest()).toMatchObject({ from: { iata: 'LHR' }, departure: '2025-05-03T11:20:00.000Z' })
  })

  const definitions = [
    { key: 'ref', fieldType: 'text' },
    { key: 'story', fieldType: 'textarea' },
    { key: 'price', fieldType: 'number' },
    { key: 'paid', fieldType: 'boolean' },
    { key: 'booked', fieldType: 'date' },
    { key: 'meal', fieldType: 'select', options: ['Fish', 'None'] },
    { key: 'extras', fieldType: 'multi-select', options: ['Bag', 'Lounge', 'Wifi'] },
    { key: 'via', fieldType: 'airport' },
    { key: 'sold_by', fieldType: 'airline' },
    { key: 'planned', fieldType: 'aircraft' },
    { key: 'preset', fieldType: 'text', defaultValue: 'usual' },
  ] as const

  async function withCompleteFlight() {
    const instance = await log()
    const { api, airports, airlines, aircraft, owner, user } = instance
    for (const entityType of ['flight', 'flight_passenger']) {
      for (const definition of definitions) {
        const label = `${definition.key} of ${entityType}`
        expect((await api.post('/custom-fields', { entityType, label, ...definition })).status).toBe(201)
      }
    }
    const customFields = {
      ref: ' K4T9QX ',
      story: '\nOne\r\nTwo\n',
      price: 0.1,
      paid: false,
      booked: '2024-12-24',
      meal: 'None',
      extras: ['Wifi', 'Bag'],
      via: airports.FRA,
      sold_by: airlines.SAS,
      planned: aircraft.A359,
      preset: null,
    }
    const other = user({ username: 'otto' })
    const body = {
      date: '2025-05-17',
      datePrecision: 'month',
      fromId: airports.ZRH,
      toId: airports.LIS,
      airlineId: airlines.SWR,
      aircraftId: aircraft.BCS3,
      departure: '2025-05-16T21:58:59.999Z',
      arrival: '2025-05-18T03:00:00Z',
      landingActual: '2025-05-18T02:50:00Z',
      takeoffActual: '2025-05-17T01:00:00Z',
      duration: 9876,
      departureGate: '',
      flightNumber: 'LX\n2084',
      note: '\r\nA note\rwith <ends> & "marks"\n',
      track: {
        coordinates: [
          [8.5, 47.4],
          [-9.1, 38.7],
        ],
        sourceFormat: 'gpx',
        sourceName: 'a.gpx',
      },
      customFields,
      passengers: [
        {
          userId: owner.id,
          seat: 'window',
          seatNumber: '7A',
          seatClass: 'economy+',
          flightReason: 'crew',
          customFields,
        },
        { userId: other.id, seatNumber: '', customFields: { extras: ['Lounge'] } },
        { guestName: 'Noor "N" <x>', customFields: { paid: true, preset: null } },
      ],
    }
    const { body: answer, status } = await api.post('/flights', body)
    expect(status).toBe(201)
    return { ...instance, before: answer.data, page: `/flights/${answer.data.id}/edit` }
  }

  test('changes only updatedAt if a complete flight is saved unchanged', async () => {
    const { send, flight, before, page } = await withCompleteFlight()
    expect(await send(page, {})).toMatchObject({ status: 303, location: `/flights/${before.id}` })
    expect(withoutUpdatedAt(await flight(before.id))).toEqual(withoutUpdatedAt(before))
  })

  test('redirects to the saved flight, or home if the user is no longer a passenger', async () => {
    const { send, browser, browserOf, api, airports } = await log()
    await send(NEW, route)
    const saved = await send('/flights/1/edit', { note: 'changed' })
    expect(saved).toMatchObject({ status: 303, location: '/flights/1' })
    const { html } = await browser.get('/flights/1')
    expect(html).toContain('The flight from ZRH to LIS was saved.')
    expect(html).toContain('changed')
    const editor = await browserOf(['flight.read.own', 'flight.update.own', 'flight.passengers.manage.own'])
    const passengers = [{ userId: editor.user.id }, { guestName: 'Noor' }]
    const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, passengers }
    const { data } = (await api.post('/flights', body)).body
    const page = `/flights/${data.id}/edit`
    expect((await send(page, { 'passengers.0.remove': 'yes' }, editor.browser)).location).toBe('/')
  })

  test('summarizes each collapsed section in a line', async () => {
    const { send, browser } = await log()
    const fields = {
      aircraftReg: 'HB-JCS',
      departureTerminal: '2',
      'takeoffActual.clock': '12:51',
      note: `A long\n${'note '.repeat(60)}`,
    }
    await send(NEW, { ...route, ...fields, 'departure.clock': '12:20', 'passengers.0.seatNumber': '12A' })
    const { html } = await browser.get('/flights/1/edit')
    const lines = [...html.matchAll(/<span class="quiet holds" dir="auto">([^<]*)</g)].map(([, line]) => line!)
    expect(lines[0]).toBe('HB-JCS · Actual take-off 12:51 · Departure terminal 2')
    expect(lines[1]).toMatch(/^Mira \(you\) 12A · A long note note .{40,90}$/)
    expect(html.match(/data-fold="phone"/g)).toHaveLength(2)
    // A section with an error is open.
    const wrong = await send('/flights/1/edit', { duration: 'long' })
    expect(wrong.status).toBe(422)
    expect(wrong.html.match(/data-fold="phone"/g)).toHaveLength(1)
    // The seat of the user is not in a section.
    const wrongSeat = await send('/flights/1/edit', { 'passengers.0.seatNumber': 'x'.repeat(300) })
    expect(wrongSeat.html.match(/data-fold="phone"/g)).toHaveLength(2)
  })

  test('updates only changed fields', async () => {
    const { send, flight, before, page, airports } = await withCompleteFlight()
    const changes = {
      flightNumber: 'TP 9',
      airline: '',
      'customFields.paid': 'true',
      'customFields.extras': ['Bag', 'Lounge'],
      'customFields.via': 'SIN',
      'passengers.1.remove': 'yes',
      'passengers.2.customFields.price': '12.5',
    }
    expect((await send(page, changes)).status).toBe(303)
    const [self, , guest] = before.passengers
    expect(withoutUpdatedAt(await flight(before.id))).toEqual({
      ...withoutUpdatedAt(before),
      flightNumber: 'TP 9',
      airline: null,
      customFields: { ...before.customFields, paid: true, extras: ['Bag', 'Lounge'], via: airports.SIN },
      passengers: [self, { ...guest, customFields: { ...guest.customFields, price: 12.5 } }],
    })
  })

  test('rejects missing required custom fields, and fills in defaults', async () => {
    const { api, send, browser, newest } = await log()
    const field = { entityType: 'flight', key: 'ref', label: 'Booking', fieldType: 'text', required: true }
    await api.post('/custom-fields', field)
    await api.post('/custom-fields', {
      ...field,
      key: 'kind',
      label: 'Kind',
      required: false,
      defaultValue: 'scheduled',
    })
    const { status, html } = await send(NEW, route)
    expect(status).toBe(422)
    expect(html).toContain('#customFields.ref">Booking: This field is required.')
    expect(fieldsIn((await browser.get(NEW)).html, NEW)['customFields.kind']).toBe('scheduled')
    expect((await send(NEW, { ...route, 'customFields.ref': 'K4', 'customFields.kind': '' })).status).toBe(303)
    expect((await newest()).customFields).toEqual({ ref: 'K4' })
  })

  test('accepts custom fields with keys that are members of Object.prototype', async () => {
    const { api, send, newest, flight } = await log()
    for (const key of ['constructor', '__proto__']) {
      const field = { entityType: 'flight', key, label: key, fieldType: 'text' }
      expect((await api.post('/custom-fields', field)).status).toBe(201)
    }
    await send(NEW, route)
    const before = await newest()
    await send(`/flights/${before.id}/edit`, {})
    expect(withoutUpdatedAt(await flight(before.id))).toEqual(withoutUpdatedAt(before))
    await send(`/flights/${before.id}/edit`, { 'customFields.constructor': 'Airbus', 'customFields.__proto__': 'none' })
    expect(Object.entries((await flight(before.id)).customFields)).toContainEqual(['constructor', 'Airbus'])
  })

  test('returns 404 for a flight that the user cannot see, as for an unknown flight', async () => {
    const { api, airports, browserOf, send, owner } = await log()
    const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS }
    const { id } = (await api.post('/flights', body)).body.data
    const other = await browserOf(['flight.read.own', 'flight.update.own', 'flight.delete.own'])
    for (const path of [`/flights/${id}/edit`, '/flights/999/edit', '/flights/0/edit', '/flights/x/edit']) {
      expect([path, (await other.browser.get(path)).status]).toEqual([path, 404])
    }
    const reader = await browserOf(['flight.read.any'])
    expect((await reader.browser.get(`/flights/${id}/edit`)).status).toBe(403)
    const editor = await browserOf(['flight.read.any', 'flight.update.any'])
    expect((await send(`/flights/${id}/edit`, { note: 'seen' }, editor.browser)).status).toBe(303)
    expect((await api.get(`/flights/${id}`)).body.data).toMatchObject({
      note: 'seen',
      passengers: [{ user: { id: owner.id } }],
    })
    expect((await editor.browser.get(`/flights/${id}/edit`)).html).not.toContain('Delete this flight')
  })
})

describe('deleting a flight', () => {
  test('asks for confirmation, deletes, and shows a notice', async () => {
    const { send, browser, api } = await log()
    await send(NEW, route)
    const { html } = await browser.get('/flights/1/edit')
    expect(html).toMatch(/<details[^>]*><summary[^>]*>Delete this flight.*action="\/flights\/1\/delete"/s)
    const answer = await browser.post('/flights/1/delete', fieldsIn(html, '/flights/1/delete'))
    expect(answer).toMatchObject({ status: 303, location: '/' })
    expect((await browser.get('/')).html).toContain('The flight was deleted.')
    expect((await api.get('/flights/1')).status).toBe(404)
  })

  test("C2: requires the CSRF token, and returns 404 for another user's flight", async () => {
    const { send, browser, browserOf, api } = await log()
    await send(NEW, route)
    expect((await browser.post('/flights/1/delete', {})).status).toBe(403)
    const other = await browserOf(['flight.read.own', 'flight.delete.own'])
    expect((await other.browser.submit('/', '/flights/1/delete', {})).status).toBe(404)
    expect((await api.get('/flights/1')).status).toBe(200)
  })
})

describe('malformed form', () => {
  const edgeCases = [
    '',
    '0',
    '-1',
    '1e309',
    'NaN',
    '\0',
    '\ud800',
    '9999-12-31',
    '0001-01-01',
    '23:59',
    '00:00',
    'x'.repeat(2_000),
  ]
  const values = [
    ...edgeCases,
    '2025-02-30',
    'ZRH',
    'AKL',
    'year',
    'window',
    '<script>',
    '__proto__',
    '🛫',
    '99999999999999999999',
  ]

  test('never causes a server error', async () => {
    const failures: string[] = []
    const { browser, api } = await log({ log: (line) => line.includes('"level":50') && failures.push(line) })
    await api.post('/custom-fields', { entityType: 'flight', key: 'via', label: 'Via', fieldType: 'airport' })
    await api.post('/custom-fields', { entityType: 'flight_passenger', key: 'fee', label: 'Fee', fieldType: 'number' })
    const known = fieldsIn((await browser.get(NEW)).html, NEW)
    const names = [...Object.keys(known).filter((name) => name !== 'csrf'), 'passengers.0.remove', 'passengers.1.who']
    const { below, pick } = seeded(7)
    const statuses = new Set<number>()
    for (let round = 0; round < 150; round++) {
      const randomFields = Array.from({ length: 1 + below(12) }, () => [pick(names), pick(values)])
      const { status } = await browser.post(NEW, { ...known, ...route, ...Object.fromEntries(randomFields) })
      statuses.add(status)
    }
    expect(failures).toEqual([])
    expect([...statuses].sort()).toEqual([303, 422])
  })

  test('returns 400 for a repeated field', async () => {
    const { send } = await log()
    expect((await send(NEW, { ...route, note: ['a', 'b'] })).status).toBe(400)
  })
})

describe('a concurrent change', () => {
  test('shows both versions, keeps the typed values, and saves after the second submit', async () => {
    const { send, resend, newest, flight, api, browser, airports } = await log()
    await send(NEW, { ...route, flightNumber: 'LX1', note: 'before' })
    const { id } = await newest()
    const path = `/flights/${id}/edit`
    const { html } = await browser.get(path)
    await api.put(`/flights/${id}`, {
      date: '2025-05-03',
      fromId: airports.ZRH,
      toId: airports.LIS,
      flightNumber: 'LX2',
      note: 'theirs',
    })
    const conflict = await resend(path, html, { note: 'mine <b>', aircraftReg: 'HB-JCS' })
    expect(conflict.status).toBe(409)
    expect(await flight(id)).toMatchObject({ note: 'theirs', flightNumber: 'LX2', aircraftReg: null })
    expect(conflict.html).toContain('This flight was changed while you edited it.')
    expect(html).toContain('<title>Edit ZRH to LIS – Paxlog</title>')
    expect(conflict.html).toContain('<title>Error: Edit ZRH to LIS – Paxlog</title>')
    for (const text of ['theirs', 'mine &lt;b', 'LX1', 'LX2', 'HB-JCS']) expect(conflict.html).toContain(text)
    expect(fieldsIn(conflict.html, path)).toMatchObject({
      note: 'mine <b>',
      aircraftReg: 'HB-JCS',
      flightNumber: 'LX1',
    })
    expect(await resend(path, conflict.html, {})).toMatchObject({ status: 303 })
    expect(await flight(id)).toMatchObject({ note: 'mine <b>', flightNumber: 'LX1', aircraftReg: 'HB-JCS' })
  })

  test('names the differing fields and their values as the form does', async () => {
    const { resend, api, browser, airports, owner } = await log()
    const passengers = [{ userId: owner.id }, { guestName: 'Otto' }]
    const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, passengers }
    const { id } = (await api.post('/flights', body)).body.data
    const path = `/flights/${id}/edit`
    const { html } = await browser.get(path)
    await api.put(`/flights/${id}`, { ...body, note: 'theirs' })
    const changes = { 'passengers.0.seatClass': 'economy+', 'passengers.1.remove': 'yes' }
    const conflict = (await resend(path, html, changes)).html
    const table = /<caption>Differences<\/caption>.*?<\/table>/s.exec(conflict)![0].replace(/<[^>]+>/g, '|')
    expect(table).toMatch(/Passenger 1, Class\|+–\|+Premium economy\|/)
    expect(table).toMatch(/Passenger 2, Remove from this flight\|+–\|+Yes\|/)
  })

  test('is reported again after each further change, and only then', async () => {
    const { send, resend, newest, api, browser, airports } = await log()
    await send(NEW, route)
    const { id } = await newest()
    const path = `/flights/${id}/edit`
    const { html } = await browser.get(path)
    const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS }
    await api.put(`/flights/${id}`, { ...body, note: 'one' })
    const first = await resend(path, html, { note: 'mine' })
    await api.put(`/flights/${id}`, { ...body, note: 'two' })
    const second = await resend(path, first.html, {})
    expect([first.status, second.status]).toEqual([409, 409])
    expect(second.html).toContain('two')
    expect((await resend(path, second.html, {})).status).toBe(303)
    expect((await send(path, { note: 'alone' })).status).toBe(303)
  })
})
