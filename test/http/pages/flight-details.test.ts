import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'
import { places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

const textOf = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ')

async function withPlaces(at = '2026-06-01T09:00:00Z') {
  const clock = { now: Date.parse(at) }
  const instance = await signedIn({ now: () => clock.now })
  const api = instance.as(instance.key(instance.owner.id))
  const records = places(instance.db)
  const add = async (body: object): Promise<number> => {
    const { ZRH, LIS } = records.airports
    const answer = await api.post('/flights', { date: '2026-05-01', fromId: ZRH, toId: LIS, ...body })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body.data.id
  }
  const page = async (id: number) => (await instance.browser.get(`/flights/${id}`)).html
  return { ...instance, clock, api, records, add, page }
}

const planned = { departureScheduled: '2026-05-01T12:20:00+02:00', arrivalScheduled: '2026-05-01T14:15:00+01:00' }

describe('GET /flights/{id}', () => {
  test('shows all details of a flight, with delays', async () => {
    const { api, records, add, page, owner, user } = await withPlaces()
    const noor = user({ username: 'noor', displayName: 'نور' })
    await api.post('/custom-fields', { entityType: 'flight', key: 'booking', label: 'Booking', fieldType: 'text' })
    await api.post('/custom-fields', { entityType: 'flight', key: 'paid', label: 'Paid', fieldType: 'boolean' })
    const id = await add({
      ...planned,
      departure: '2026-05-01T12:37:00+02:00',
      arrival: '2026-05-01T14:10:00+01:00',
      takeoffActual: '2026-05-01T12:51:00+02:00',
      departureTerminal: '2',
      departureGate: 'E23',
      flightNumber: 'LX2084',
      airlineId: records.airlines.swiss,
      aircraftId: records.aircraft.a220,
      aircraftReg: 'HB-JCS',
      note: 'First line\nשורה',
      customFields: { booking: 'ABC123', paid: false },
      passengers: [
        { userId: owner.id, seat: 'window', seatNumber: '12A', seatClass: 'business', flightReason: 'business' },
        { userId: noor.id },
        { guestName: 'Otto' },
      ],
    })
    const html = await page(id)
    const text = textOf(html)
    expect(text).toContain('1 May 2026 LX Swiss LX2084 ZRH Zurich to LIS Lisbon Departure')
    expect(text).toContain('Departure 12:37 UTC+2 17 min late Scheduled 12:20 Zurich Airport Switzerland')
    expect(text).toContain('Take-off 12:51 Terminal 2 Gate E23 Arrival 14:10 UTC+1 5 min early Scheduled 14:15')
    expect(text).toContain('Duration 2 h 33 min Distance 1,723 km Edit Add return flight Copy')
    expect(text).toMatch(/Aircraft type .* Registration HB-JCS Booking ABC123 Paid No/)
    expect(text).toContain('Mira (you) Seat 12A window Class: Business Reason: Business')
    expect(html.match(/flag-(?:ch|pt)-/g)).toHaveLength(2)
    expect(html).toContain('<strong dir="auto">نور</strong>')
    expect(html).toMatch(/<p class="note" dir="auto">First line\nשורה<\/p>/)
    expect(text).toContain('Added by mira on ')
    expect(text).toContain(
      'from the logs of all 3 passengers. Its note will be deleted too. You can restore it for 30 days.',
    )
    expect(html).toContain('<svg class="map"')
    const links = ['/airports/', '/airlines/', '/aircraft/', '/registrations/HB-JCS', `/flights/${id}/edit`]
    for (const link of [...links, `/flights/new?return=${id}`, `/flights/new?copy=${id}`]) {
      expect(html).toContain(`href="${link}`)
    }
    expect(text).not.toContain('Planned')
  })

  test('shows each time once, with the delay from 15 minutes on in another colour', async () => {
    const { add, page } = await withPlaces()
    const html = await page(
      await add({
        ...planned,
        departure: '2026-05-01T12:34:00+02:00',
        arrival: '2026-05-01T14:30:00+01:00',
        takeoffActual: '2026-05-01T12:44:00+02:00',
        landingActual: '2026-05-01T14:20:00+01:00',
      }),
    )
    for (const time of ['12:20', '12:34', '12:44', '14:15', '14:20', '14:30']) {
      expect([time, textOf(html).split(time).length - 1]).toEqual([time, 1])
    }
    expect(html).toMatch(/<span class="punctual">14\smin late/)
    expect(html).toMatch(/<span class="late">15\smin late/)
    // From 12:20 to 15:30 in Zurich: scheduled until 15:15, actual from 12:34 on, in the air from 12:44 to 15:20.
    const bars = [...html.matchAll(/<rect(?: class="taxi")? x="(\d+)" width="(\d+)"/g)].map((bar) => bar.slice(1))
    expect(bars).toEqual([
      ['0', '921'],
      ['74', '926'],
      ['126', '821'],
    ])
  })

  test('names the event of a time that is not at the gate, and marks scheduled times', async () => {
    const { add, page } = await withPlaces()
    const airborne = await page(await add({ takeoffActual: '2026-05-01T12:51:00+02:00', ...planned }))
    expect(textOf(airborne)).toContain('Departure 12:51 UTC+2 Take-off Zurich')
    expect(textOf(airborne)).toContain('Left gate, scheduled 12:20')
    expect(textOf(airborne)).toContain('Arrival 14:15 UTC+1 Scheduled Lisbon')
    expect(airborne).not.toContain('class="spans"')
  })

  test('links to the legs before and after it at the same airport within 24 hours', async () => {
    const { records, add, page, user } = await withPlaces()
    const { ZRH, LIS, CPH, JFK } = records.airports
    const times = (departure: string, arrival: string) => ({
      date: departure.slice(0, 10),
      departureScheduled: `${departure}:00Z`,
      arrivalScheduled: `${arrival}:00Z`,
    })
    const id = await add(times('2026-05-01T12:00', '2026-05-01T15:00'))
    expect(await page(id)).not.toContain('class="hops"')
    await add({ ...times('2026-04-30T08:00', '2026-04-30T11:59'), fromId: CPH, toId: ZRH })
    await add({ ...times('2026-05-01T16:30', '2026-05-01T20:00'), fromId: CPH, toId: JFK })
    await add({ date: '2026-05-01', fromId: CPH, toId: ZRH })
    expect(await page(id)).not.toContain('class="hops"')
    const early = await add({ ...times('2026-05-01T05:00', '2026-05-01T07:00'), fromId: CPH, toId: ZRH })
    const previous = await add({ ...times('2026-05-01T08:00', '2026-05-01T10:30'), fromId: JFK, toId: ZRH })
    const next = await add({ ...times('2026-05-02T14:00', '2026-05-02T20:00'), fromId: LIS, toId: JFK })
    const html = await page(id)
    expect(textOf(html)).toContain('Previous leg JFK to ZRH 1 h 30 min in Zurich')
    expect(textOf(html)).toContain('Next leg LIS to JFK 23 h 00 min in Lisbon')
    for (const link of [previous, next]) expect(html).toContain(`href="/flights/${link}"`)
    expect(html).not.toContain(`href="/flights/${early}"`)
    const passengers = [{ userId: user().id }]
    await add({ ...times('2026-05-01T10:40', '2026-05-01T11:50'), fromId: CPH, toId: ZRH, passengers })
    expect(textOf(await page(id))).toContain('Previous leg JFK to ZRH')
  })

  test('counts the completed flights on the same aircraft', async () => {
    const { add, page, user } = await withPlaces()
    const id = await add({ aircraftReg: 'HB-JCS' })
    expect(textOf(await page(id))).toContain('Registration HB-JCS Passengers')
    await add({ aircraftReg: 'HB-JCA' })
    await add({ aircraftReg: 'HB-JCS', passengers: [{ userId: user().id }] })
    const planned = await add({ aircraftReg: 'HB-JCS', date: '2027-05-01' })
    expect(textOf(await page(id))).toContain('Registration HB-JCS Passengers')
    expect(textOf(await page(planned))).toContain('Registration You flew HB-JCS once')
    await add({ aircraftReg: 'hbjcs' })
    expect(textOf(await page(id))).toContain('Registration You flew HB-JCS 2 times')
    expect(await page(id)).toContain('You flew <a href="/registrations/HB-JCS" dir="auto">HB-JCS</a> 2 times')
  })

  test('links only to registrations that have a page', async () => {
    const { add, page, records } = await withPlaces()
    const shown = async (aircraftReg: string) => page(await add({ toId: records.airports.ZRH, aircraftReg }))
    expect(await shown('R'.repeat(500))).toContain(`/registrations/${'R'.repeat(500)}`)
    const html = await shown(' - - ')
    expect(textOf(html)).toContain('Registration - -')
    expect(html).not.toContain('/registrations/')
  })

  test('leaves out unknown values, and marks arrival on another day', async () => {
    const { records, add, page } = await withPlaces()
    const minimal = textOf(await page(await add({ toId: records.airports.ZRH })))
    expect(minimal).not.toMatch(/Duration|Terminal|Left gate|0 min|UTC[+−]|On time|Scheduled/)
    const night = await add({
      fromId: records.airports.JFK,
      departure: '2026-05-01T18:00:00-04:00',
      arrival: '2026-05-02T07:30:00+01:00',
    })
    expect(textOf(await page(night))).toContain('7:30 +1 UTC+1')
    const month = textOf(await page(await add({ datePrecision: 'month', departure: '2026-05-01T10:00:00Z' })))
    expect(month).toContain('May 2026')
    expect(month).not.toMatch(/Departure 12:00/)
  })

  const bandsIn = (html: string) =>
    [...html.matchAll(/<path class="tracks height-(\w+)" d="M/g)].map(([, band]) => band)
  const dataOf = async (get: (url: string) => Promise<{ html: string }>, id: number) =>
    JSON.parse((await get(`/flights/${id}/map.json`)).html)

  test('colours a track by altitude', async () => {
    const { add, page, browser, api } = await withPlaces()
    const coordinates = [[8.5, 47.4, 430], [8, 47, 900], [7, 46.5, 4000], [2, 44, 11_000], [-8, 39, 10_500], [-9, 38.7, 100]] // biome-ignore format: one line
    const id = await add({ track: { coordinates, sourceFormat: 'gpx' } })
    const html = await page(id)
    // Each segment has the mean altitude of its points: 665, 2 450, 7 500, 10 750 and 5 300 m.
    expect(bandsIn(html)).toEqual(['0', '1', '3', '4', '2'])
    expect(textOf(html)).toContain('Altitude (m): below 1,000 1,000+ 3,000+ 6,000+ 9,000+')
    expect(textOf(html)).toContain('Track 6 points')
    expect(bandsIn((await browser.get(`/flights/${id}/track`)).html)).toHaveLength(5)
    const { bands, tracks, routes } = await dataOf(browser.get, id)
    expect([bands, tracks.length]).toEqual([[0, 1, 3, 4, 2], 5])
    const dates = { first: '1 May 2026', last: '1 May 2026' }
    expect(routes).toEqual([
      { ends: [0, 1], count: 1, distance: expect.stringMatching(/km$/), ...dates, tracked: true },
    ])
    // Miles imply feet: 2 450 m are above 3 000 ft.
    await api.put('/preferences', { distanceUnit: 'mi' })
    expect(textOf(await page(id))).toContain('Altitude (ft): below 3,000 3,000+ 10,000+ 20,000+ 30,000+')
  })

  test('draws unknown altitudes in one colour, and no track without points', async () => {
    const { add, page, browser } = await withPlaces()
    const flat = await add({ track: { coordinates: [[8.5, 47.4], [2, 44], [-9, 38.7]], sourceFormat: 'gpx' } }) // biome-ignore format: one line
    expect(await page(flat)).toMatch(/<path class="tracks" d="M/)
    expect(bandsIn(await page(flat))).toEqual([])
    expect(textOf(await page(flat))).not.toContain('Altitude (')
    expect(await dataOf(browser.get, flat)).not.toHaveProperty('bands')
    const gaps = await add({ track: { coordinates: [[8.5, 47.4, 430], [8, 47, 500], [2, 44], [-9, 38.7]], sourceFormat: 'gpx' } }) // biome-ignore format: one line
    expect(bandsIn(await page(gaps))).toEqual(['0', 'unknown'])
    expect((await dataOf(browser.get, gaps)).bands).toEqual([0, null])
    const none = await add({})
    expect(await page(none)).not.toContain('class="tracks')
    expect((await dataOf(browser.get, none)).tracks).toEqual([])
    expect((await browserSession((await withPlaces()).app).get(`/flights/${none}/map.json`)).status).toBe(303)
  })

  test('uses stored altitudes, and calculates them for tracks of an earlier release', async () => {
    const { add, page, db } = await withPlaces()
    const coordinates = Array.from({ length: 9000 }, (_, place) => [8 - place / 600, 47 - place / 1100, place])
    await add({ track: { coordinates: [[0, 50, 100], [1, 50, 200]], sourceFormat: 'gpx' } }) // biome-ignore format: two points
    const id = await add({ track: { coordinates, sourceFormat: 'gpx' } })
    const before = bandsIn(await page(id))
    expect(before).toEqual(['0', '1', '2', '3'])
    const points = db.$client.prepare('select points from flight_tracks where flight_id = ?').pluck().get(id)
    const setPoints = (bytes: unknown) =>
      runNow(db, 'update flight_tracks set points = ? where flight_id = ?', bytes, id)
    const unreadable = Buffer.alloc(1)
    setPoints(unreadable)
    expect(bandsIn(await page(id))).toEqual(before)
    // An earlier release stored two numbers of eight bytes for each point, and no altitudes.
    setPoints(points)
    runNow(db, 'update flight_track_lines set line = substr(line, 1, (length(line) - 1) / 20 * 16)')
    expect(bandsIn(await page(id))).toEqual(before)
  })

  test('has a map with a similar aspect ratio for all directions', async () => {
    const { add, page, records } = await withPlaces()
    const heightOf = (html: string) => Number(/viewBox="0 0 1000 (\d+)"/.exec(html)![1])
    const { CPH, ZRH } = records.airports
    for (const ends of [{}, { fromId: CPH, toId: ZRH }]) {
      const height = heightOf(await page(await add(ends)))
      expect([height >= 460, height <= 520]).toEqual([true, true])
    }
  })

  test('marks a planned flight, and confirms its scheduled times from its day on', async () => {
    const { clock, api, add, page, browser } = await withPlaces('2026-04-20T09:00:00Z')
    const id = await add(planned)
    expect(textOf(await page(id))).toContain('Planned, in 11 days')
    expect(await page(id)).not.toContain('Flown as planned')
    const early = await browser.submit(`/flights/${id}`, `/flights/${id}/flown`, {})
    expect(early.status).toBe(409)
    clock.now = Date.parse('2026-05-01T09:00:00Z')
    expect(textOf(await page(id))).toMatch(/ Planned, today ZRH .* Flown as planned Edit/)
    await api.post('/custom-fields', { entityType: 'flight', key: 'booking', label: 'Booking', fieldType: 'text' })
    const done = await browser.submit(`/flights/${id}`, `/flights/${id}/flown`, {})
    expect(done).toMatchObject({ status: 303, location: `/flights/${id}` })
    const { data } = (await api.get(`/flights/${id}`)).body
    expect(data).toMatchObject({
      departure: '2026-05-01T10:20:00.000Z',
      arrival: '2026-05-01T13:15:00.000Z',
      duration: 10500,
    })
    expect(data.passengers).toHaveLength(1)
    expect(await page(id)).not.toContain('value="Flown as planned"')
    expect((await browser.post(`/flights/${id}/flown`, {})).status).toBe(403)
  })

  test('offers only permitted actions, and shows the history only to passengers', async () => {
    const { app, add, user, services, db, browser } = await withPlaces()
    const id = await add({})
    const reader = user({ role: ['flight.read.any'] })
    const other = browserSession(app)
    other.jar.set('paxlog', await services.sessions.start(reader.id))
    const text = textOf((await other.get(`/flights/${id}`)).html)
    expect(text).toContain('ZRH Zurich to LIS Lisbon')
    expect(text).not.toMatch(/Edit|Copy|Add return flight|Delete|Added by/)
    const otherUser = user({ role: ['flight.read.own'] })
    const otherBrowser = browserSession(app)
    otherBrowser.jar.set('paxlog', await services.sessions.start(otherUser.id))
    for (const address of [`/flights/${id}`, '/flights/999', '/flights/x', '/flights/0']) {
      expect([address, (await otherBrowser.get(address)).status]).toEqual([address, 404])
    }
    runNow(db, 'delete from flights')
    expect((await browser.get(`/flights/${id}`)).status).toBe(404)
    expect(await browserSession(app).get('/flights/1')).toMatchObject({
      status: 303,
      location: '/login?next=%2Fflights%2F1',
    })
  })
})
