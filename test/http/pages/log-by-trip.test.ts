import { describe, expect, test } from 'vitest'
import { signedIn } from '../../support/pages.ts'
import { places } from '../../support/travel.ts'

const NOW = Date.parse('2025-06-15T12:00:00.000Z')

async function withLog() {
  const instance = await signedIn({ now: () => NOW })
  const { as, key, owner, browser, db } = instance
  const { ZRH: fromId, LIS: toId } = places(db).airports
  const api = as(key(owner.id))
  const fly = async (...dates: string[]): Promise<number[]> => {
    const ids: number[] = []
    for (const date of dates) ids.push((await api.post('/flights', { date, fromId, toId })).body.data.id)
    return ids
  }
  const trip = async (name: string, flightIds: readonly number[]): Promise<number> =>
    (await api.post('/trips', { name, flightIds })).body.data.id
  /** The headings of years and trips and the days of the flights, in the order of the page. */
  const shown = async (path = '/') => {
    const { html } = await browser.get(path)
    const [, table = ''] = /<table class="flights">(.*?)<\/table>/s.exec(html) ?? []
    const parts = table.matchAll(/<h3>(\S+)|<h4>(.*?)<\/h4>|<td class="when">.*?datetime="([\d-]+)"/gis)
    return [...parts].map(([, year, heading, day]) => year ?? day ?? heading!.replaceAll(/<[^>]+>/g, ''))
  }
  return { ...instance, api, fly, trip, shown, fromId, toId }
}

describe('the log by date', () => {
  test('has a heading for each trip within its year, and none for other flights', async () => {
    const { fly, trip, shown, browser } = await withLog()
    const [before, out, back] = await fly('2023-12-30', '2024-01-02', '2024-01-09', '2024-05-01')
    const [soon, later] = await fly('2025-07-01', '2025-07-08')
    const id = await trip('Skiing <2024>', [before!, out!, back!])
    await trip('Summer', [soon!, later!])
    const skiing = 'Skiing &lt;2024> 30 Dec 2023 – 9 Jan 2024, 3 flights'
    const summer = 'Summer 1 Jul 2025 – 8 Jul 2025, 2 flights'
    const past = ['2024', '2024-05-01', skiing, '2024-01-09', '2024-01-02', '2023', skiing, '2023-12-30']
    expect(await shown()).toEqual(['Coming', summer, '2025-07-01', '2025-07-08', ...past])
    expect((await browser.get('/')).html).toContain(`<a href="/trips/${id}" dir="auto">Skiing &lt;2024></a>`)
    const oldest = ['2023', skiing, '2023-12-30', '2024', skiing, '2024-01-02', '2024-01-09', '2024-05-01']
    expect((await shown('/?order=asc')).slice(0, oldest.length)).toEqual(oldest)
  })

  test('repeats the heading of a trip behind flights that are not in it', async () => {
    const { fly, trip, shown } = await withLog()
    const [first, , third, fourth] = await fly('2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04')
    await trip('One', [first!, third!])
    await trip('Two', [fourth!])
    const one = 'One 1 Jan 2024 – 3 Jan 2024, 2 flights'
    const rest = [one, '2024-01-03', '2024-01-02', one, '2024-01-01']
    expect(await shown()).toEqual(['2024', 'Two 4 Jan 2024, 1 flight', '2024-01-04', ...rest])
  })

  test('keeps the heading with filters, and on both pages of a trip', async () => {
    const { fly, trip, shown } = await withLog()
    const days = Array.from({ length: 52 }, (_, day) => new Date(Date.UTC(2024, 0, day + 1)).toISOString().slice(0, 10))
    const ids = await fly(...days)
    await trip('Long', ids.slice(0, 4))
    const long = 'Long 1 Jan 2024 – 4 Jan 2024, 4 flights'
    const [first, second] = [await shown(), await shown('/?page=2')]
    expect(first.slice(-3)).toEqual([long, '2024-01-04', '2024-01-03'])
    expect(second).toEqual(['2024', long, '2024-01-02', '2024-01-01'])
    expect(await shown('/?dateTo=2024-01-01')).toEqual(['2024', long, '2024-01-01'])
  })

  test('has the headings on the pages of airports, but not on the page of a trip', async () => {
    const { fly, trip, shown, fromId } = await withLog()
    const [flight] = await fly('2024-01-01')
    const id = await trip('Lisbon', [flight!])
    const heading = 'Lisbon 1 Jan 2024, 1 flight'
    expect(await shown(`/airports/${fromId}`)).toEqual(['2024', heading, '2024-01-01'])
    expect(await shown(`/trips/${id}`)).toEqual(['2024', '2024-01-01'])
  })

  test('shows only own trips to each passenger of a flight', async () => {
    const { api, as, user, owner, trip, shown, fromId, toId } = await withLog()
    const noor = user()
    const body = { date: '2024-01-01', fromId, toId, passengers: [{ userId: owner.id }, { userId: noor.id }] }
    const { id } = (await api.post('/flights', body)).body.data
    await as(noor).post('/trips', { name: 'Secret', flightIds: [id] })
    expect(await shown()).toEqual(['2024', '2024-01-01'])
    await trip('Mine', [id])
    expect(await shown()).toEqual(['2024', 'Mine 1 Jan 2024, 1 flight', '2024-01-01'])
  })
})

test('a log that is sorted by another column has no headings', async () => {
  const { fly, trip, shown } = await withLog()
  await trip('Lisbon', await fly('2024-01-01'))
  expect(await shown('/?sort=distance')).toEqual(['2024-01-01'])
})
