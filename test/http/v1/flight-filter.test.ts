import { describe, expect, test } from 'vitest'
import { paxlog } from '../../support/paxlog.ts'
import { seeded } from '../../support/random.ts'
import { checkFilters, randomLog } from '../../support/random-filters.ts'
import { flying, places } from '../../support/travel.ts'

describe('the flight filter', () => {
  test('returns each matching flight exactly once in both orders, with matching statistics', () => checkFilters(40))

  test('returns 400 for invalid parameters', async () => {
    const app = await paxlog()
    const { get } = app.as(app.user())
    const wrong = [
      'dateFrom=2025-13-01',
      'dateFrom=2025-02-02&dateTo=2025-02-01',
      'airportId=',
      'airportId=1,,2',
      'airportId=0',
      'airportId=x',
      `airportId=${Array.from({ length: 51 }, () => 1).join(',')}`,
      'fromId=none',
      'country=CHE',
      'airlineId=nothing',
      'flightNumber=',
      'flightNumber=%20-',
      'seat=floor',
      'seatClass=business,',
      'companion=',
      'completed=yes',
      'hasTrack=',
      'text=',
      'text=%20%20',
      `text=${'a'.repeat(101)}`,
      `flightNumber=${'A'.repeat(501)}`,
      'order=sideways',
    ]
    for (const query of wrong) {
      const { status, body } = await get(`/flights?${query}`)
      expect([query, status, body.error?.code]).toEqual([query, 400, 'bad_request'])
    }
  })

  test('reports all errors at once, each with its code', async () => {
    const app = await paxlog()
    const { get } = app.as(app.user())
    const faultsOf = async (path: string) =>
      (await get(path)).body.error.details.map(({ code, path }: { code: string; path: string[] }) => [...path, code])
    const period = 'dateFrom=2025-02-02&dateTo=2025-02-01'
    expect(await faultsOf(`/flights?scope=user&${period}&seat=floor&airportId=x&country=CHE&limit=0`)).toEqual([
      ['airportId', 'invalid_format'],
      ['country', 'invalid_format'],
      ['seat', 'invalid_value'],
      ['limit', 'too_small'],
      ['userId', 'custom'],
      ['dateFrom', 'custom'],
    ])
    expect(await faultsOf('/flights?dateFrom=2025-02-30&dateTo=2025-02-01&limit=101')).toEqual([
      ['dateFrom', 'invalid_format'],
      ['limit', 'too_big'],
    ])
    expect(await faultsOf(`/stats/breakdown?${period}&limit=1001&sort=name`)).toEqual([
      ['by', 'invalid_type'],
      ['sort', 'invalid_value'],
      ['limit', 'too_big'],
      ['dateFrom', 'custom'],
    ])
    expect(await faultsOf(`/flights/export?${period}&seat=floor`)).toEqual([
      ['seat', 'invalid_value'],
      ['dateFrom', 'custom'],
    ])
  })

  test('accepts fifty items including repetitions, and returns nothing for unknown values', async () => {
    const app = await paxlog()
    const { get } = app.as(app.user())
    for (const query of [
      `airportId=${Array.from({ length: 50 }, () => 1).join(',')}`,
      'airlineId=999999',
      'companion=nobody',
      'country=zz',
    ]) {
      const { status, body } = await get(`/flights?${query}`)
      expect([query, status, body]).toEqual([query, 200, { data: [], page: { nextCursor: null } }])
    }
  })

  test('finds codes and registrations of the maximum length', async () => {
    const app = await paxlog()
    const mira = app.user()
    const code = `l-x ${'2'.repeat(496)}`
    const id = await flying(app, places(app.db))(mira, 'ZRH', 'LIS', { flightNumber: code, aircraftReg: code })
    for (const name of ['flightNumber', 'aircraftReg']) {
      const { body } = await app.as(mira).get(`/flights?${name}=${encodeURIComponent(code)}`)
      expect([name, body.data?.map((flight: { id: number }) => flight.id)]).toEqual([name, [id]])
    }
  })

  test('matches users only by id, whatever the names of guests', async () => {
    const app = await paxlog()
    const reference = places(app.db)
    const [owner, guest] = [app.user({ owner: true }), '%20Bo']
    await flying(app, reference)(owner, 'ZRH', 'LIS', { passengers: [{ userId: owner.id }, { guestName: 'Bo' }] })
    for (const query of [`companion=${guest}`, `scope=user&userId=${guest}`, `scope=all&companion=${guest}`]) {
      const { status, body } = await app.as(owner).get(`/flights?${query}&fromId=${reference.airports.ZRH}`)
      expect([query, status, body.data]).toEqual([query, 200, []])
    }
  })

  test('accepts a cursor only with its original order', async () => {
    const random = seeded(1)
    const { app, owner } = await randomLog(random)
    const { body } = await app.as(owner).get('/flights?scope=all&limit=2&order=oldest')
    const cursor = body.page.nextCursor
    const other = await app.as(owner).get(`/flights?scope=all&limit=2&cursor=${cursor}`)
    expect([other.status, other.body.error.code]).toEqual([400, 'bad_request'])
    const same = await app.as(owner).get(`/flights?scope=all&limit=2&order=oldest&completed=true&cursor=${cursor}`)
    expect(same.status).toBe(200)
  })
})
