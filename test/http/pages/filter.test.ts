import { describe, expect, test } from 'vitest'
import { readPageFilter } from '../../../src/http/pages/components/filter-bar/filter.ts'
import { signedIn } from '../../support/pages.ts'

const textOf = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ')

const airport = {
  icao: 'LSZH',
  iata: 'ZRH',
  name: 'Zürich Airport',
  municipality: 'Zurich',
  latitude: 47.458056,
  longitude: 8.548056,
  timezone: 'Europe/Zurich',
  continent: 'EU',
  country: 'CH',
}
const otherAirports = [
  { icao: 'LPPT', iata: 'LIS', name: 'Humberto Delgado', municipality: 'Lisbon', latitude: 38.7813, country: 'PT' },
  { icao: 'EKCH', iata: 'CPH', name: 'Kastrup', municipality: 'Copenhagen', latitude: 55.618, country: 'DK' },
]

async function withLog() {
  const instance = await signedIn({ now: () => Date.parse('2026-06-01T00:00:00Z') })
  const api = instance.as(instance.key(instance.owner.id))
  const create = async (path: string, body: object): Promise<number> => (await api.post(path, body)).body.data.id
  const zrh = await create('/airports', airport)
  const lis = await create('/airports', { ...airport, ...otherAirports[0] })
  const cph = await create('/airports', { ...airport, ...otherAirports[1] })
  const swiss = await create('/airlines', { name: 'Swiss', iata: 'LX', icao: 'SWR' })
  const add = (date: string, fromId: number, toId: number, more: object = {}) =>
    create('/flights', { date, fromId, toId, ...more })
  for (const year of [2017, 2018, 2019, 2020, 2021, 2022, 2023]) await add(`${year}-03-04`, zrh, lis)
  await add('2024-05-01', zrh, cph, { airlineId: swiss, flightNumber: 'LX1268', note: 'window seat' })
  await add('2026-12-24', cph, zrh, { flightNumber: 'LX1269' })
  const page = async (query: string) => (await instance.browser.get(`/${query}`)).html
  return { ...instance, api, page, ids: { zrh, lis, cph, swiss } }
}

/** Returns the airport codes in the list of flights. */
const listed = (html: string) => {
  const list = /<table class="flights">.*?<\/tbody>/s.exec(html)?.[0] ?? ''
  return [...list.matchAll(/<strong>(?:<img[^>]*>)? (\w+)<\/strong>/g)].map(([, code]) => code).join(' ')
}

describe('page filter', () => {
  test('converts a query to an API filter and a canonical query', () => {
    const { filter, query, fieldErrors } = readPageFilter({
      airlineId: '7,none,7',
      text: ' Zürich  lx ',
      year: '2024',
      page: '3',
    })
    expect(filter).toEqual({
      dateFrom: '2024-01-01',
      dateTo: '2024-12-31',
      airlineId: [7, 'none'],
      text: ['zurich', 'lx'],
    })
    expect(query).toBe('year=2024&text=Z%C3%BCrich++lx&airlineId=7,none')
    expect(fieldErrors).toEqual([])
    expect(readPageFilter(Object.fromEntries(new URLSearchParams(query))).query).toBe(query)
  })

  test('returns the query without each active value', () => {
    const { active } = readPageFilter({ year: '2024', fromId: '3,5' })
    expect(active).toEqual([
      { name: 'year', value: '2024', without: 'fromId=3,5' },
      { name: 'fromId', value: '3', without: 'year=2024&fromId=5' },
      { name: 'fromId', value: '5', without: 'year=2024&fromId=3' },
    ])
  })

  test.each([
    [{ year: 'last' }, 'year'],
    [{ year: '20240' }, 'year'],
    [{ fromId: '0' }, 'fromId'],
    [{ toId: ['1', 'x'] }, 'toId'],
    [{ seatClass: 'cattle' }, 'seatClass'],
    [{ completed: 'perhaps' }, 'completed'],
    [{ text: 'x'.repeat(101) }, 'text'],
    [{ companion: 'x'.repeat(90_000) }, 'companion'],
    [{ airportId: Array.from({ length: 51 }, () => '1').join() }, 'airportId'],
    [{ dateFrom: '2024-02-30' }, 'dateFrom'],
    [{ year: '2024', dateTo: '2025-01-01' }, 'dateTo'],
  ])('ignores and reports an invalid value: %j', (query, name) => {
    const { filter, fieldErrors } = readPageFilter(query)
    expect(fieldErrors).toEqual([name])
    expect(Object.keys(filter)).toEqual('year' in query && query.year === '2024' ? ['dateFrom', 'dateTo'] : [])
  })

  test('ignores dates in the wrong order and empty fields', () => {
    expect(readPageFilter({ dateFrom: '2024-02-01', dateTo: '2024-01-01' })).toMatchObject({
      filter: {},
      query: '',
      fieldErrors: ['order'],
    })
    expect(readPageFilter({ text: ' ', fromId: '', year: undefined, toId: {} })).toMatchObject({
      query: '',
      fieldErrors: [],
    })
    expect(readPageFilter(undefined)).toMatchObject({ query: '', fieldErrors: [] })
  })
})

describe('filter bar', () => {
  test('offers all flights, the latest six years, a menu of earlier years, and values from the log', async () => {
    const { page, ids } = await withLog()
    const html = await page('')
    const years = /<nav class="chips" aria-label="Years">.*?<\/nav>/s.exec(html)![0]
    expect(textOf(years).trim()).toBe('All 2026 2024 2023 2022 2021 2020 Earlier 2019 2018 2017')
    expect(years).toContain('<a class="chip" href="/" aria-current="true">All</a>')
    expect(years).toContain('<a class="chip" href="/?year=2018">2018</a>')
    expect(years.indexOf('<details')).toBeLessThan(years.indexOf('2019'))
    const planned = await page('?completed=false')
    expect(listed(planned)).toBe('CPH ZRH')
    const from = /<select[^>]*id="filter-fromId".*?<\/select>/s.exec(planned)![0]
    expect(textOf(from).trim()).toBe('Any CPH Copenhagen ZRH Zurich')
    // The form and the year links keep parameters that have no field.
    const linked = await page(`?year=2024&airportId=${ids.cph}&text=lx`)
    expect(linked).toContain('<input type="hidden" name="year" value="2024"/>')
    expect(linked).toContain(`<input type="hidden" name="airportId" value="${ids.cph}"/>`)
    expect(linked).toMatch(/<input type="search"[^>]* name="text"[^>]* value="lx"/)
    expect(linked).toContain(`href="/?year=2023&amp;text=lx&amp;airportId=${ids.cph}"`)
  })

  test('filters figures, map and list, and shows a chip to remove each active filter', async () => {
    const { page, ids } = await withLog()
    const html = await page('?year=2024')
    expect(listed(html)).toContain('ZRH CPH')
    expect(html).toMatch(/aria-current="true">2024</)
    expect(textOf(html)).toMatch(/flight 1 flown/)
    expect(/<svg class="map.*?<\/svg>/s.exec(html)![0]).toContain('1 route between 2 airports')
    expect(textOf(html.replace(/<search.*<\/search>/s, ''))).not.toContain('Lisbon')
    const { zrh, swiss } = ids
    const several = await page(`?fromId=${zrh}&airlineId=${swiss}&completed=true&text=window`)
    const chips = /<ul class="chips" aria-label="Active filters">.*?<\/ul>/s.exec(several)![0]
    expect(textOf(chips).replaceAll('Remove filter: ', '').replace(/\s+/g, ' ').trim()).toBe(
      '“window” From ZRH Zurich Swiss (LX) Flown Clear all',
    )
    expect(chips).toContain(`href="/?fromId=${zrh}&amp;airlineId=${swiss}&amp;completed=true"`)
    expect(several).toMatch(new RegExp(`<option value="${swiss}" selected[^>]*>Swiss \\(LX\\)</option>`))
  })

  test('folds the other fields and counts the active ones, with one button for all', async () => {
    const { page, ids } = await withLog()
    const formOf = (html: string) => /<search.*?<form.*?<\/form>/s.exec(html)![0]
    const summaryOf = (html: string) => textOf(/<summary class="button">.*?<\/summary>/s.exec(formOf(html))![0]).trim()
    expect(summaryOf(await page(''))).toBe('More filters Fewer filters')
    const filtered = formOf(await page(`?fromId=${ids.zrh}&seat=window&year=2024&text=lx`))
    expect(summaryOf(filtered)).toBe('More filters 2 active Fewer filters')
    expect(filtered.match(/type="submit"/g)).toHaveLength(1)
    expect(filtered).toMatch(/<\/details><button class="primary" type="submit">Apply<\/button><\/form>$/)
  })

  test('offers to clear filters if nothing matches, and returns a page for any query', async () => {
    const { page, browser } = await withLog()
    const html = await page('?year=2018&text=nowhere')
    expect(html).toContain('No flights match.')
    expect(html).toContain('<a class="button" href="/?text=nowhere" dir="auto">Clear 2018</a>')
    expect(html).toContain('<a class="button" href="/?year=2018" dir="auto">Clear “nowhere”</a>')
    expect(html).not.toContain('No flights yet')
    const invalidQueries =
      'year=never seat=%00 fromId=1e9 text=%ff companion=%2C year=2024&year=2025 __proto__=1 hasTrack'
    for (const query of invalidQueries.split(' ')) {
      const { status, html } = await browser.get(`/?${query}`)
      expect([query, status, html.includes('</html>')]).toEqual([query, 200, true])
    }
    expect(await page('?text=%22%3E%3Cscript%3E')).not.toContain('"><script>')
    expect(await page('?seat=standing')).toContain('The filter for the seat is invalid and was ignored.')
  })

  test('treats a planned flight as flown once its time has passed', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const { services, as, key, owner, browser } = await signedIn({ now: () => now })
    const api = as(key(owner.id))
    const fromId = (await api.post('/airports', airport)).body.data.id
    const toId = (await api.post('/airports', { ...airport, ...otherAirports[0] })).body.data.id
    await api.post('/flights', { date: '2026-02-01', fromId, toId })
    expect(listed((await browser.get('/?completed=true')).html)).toBe('')
    const caller = services.sessions.find(browser.jar.get('paxlog')!)!.caller
    expect(await services.flights.selected(caller, { completed: true })).toMatchObject({ flown: [], planned: [] })
    now = Date.parse('2026-02-03T00:00:00Z')
    expect(await services.flights.selected(caller, { completed: true })).toMatchObject({ flown: [1], planned: [] })
    expect(await services.flights.selected(caller, {})).toMatchObject({ years: [{ year: '2026', flights: 1 }] })
  })
})

test('the filter offers the 200 most flown airports of a large log', async () => {
  const { api, page, ids } = await withLog()
  for (let number = 100; number < 310; number++) {
    const field = { ...airport, icao: `ZZ${number}`, iata: null, name: `Field ${number}`, municipality: null }
    const { id } = (await api.post('/airports', field)).body.data
    await api.post('/flights', { date: '2020-01-01', fromId: id, toId: ids.lis })
  }
  const choice = /<select id="filter-fromId".*?<\/select>/s.exec(await page(''))![0]
  const offered = [...choice.matchAll(/<option value="(\d+)"/g)].map(([, id]) => Number(id))
  expect([offered.length, offered.includes(ids.zrh)]).toEqual([200, true])
  // An airport that is not offered still works as a filter.
  const omitted = (await api.get('/airports?query=ZZ309')).body.data[0].id
  expect(offered).not.toContain(omitted)
  expect(listed(await page(`?fromId=${omitted}`))).toBe('ZZ309 LIS')
})
