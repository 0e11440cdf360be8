import { describe, expect, test } from 'vitest'
import { paxlog } from '../../support/paxlog.ts'
import { seeded } from '../../support/random.ts'
import { checkFilters, randomLog } from '../../support/random-filters.ts'

describe('the flight filter', () => {
  test('gives each flight that it lets through exactly once, in both orders, and figures that agree', () =>
    checkFilters(40))

  test('refuses what is malformed with 400 and a sentence', async () => {
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
      'order=sideways',
    ]
    for (const query of wrong) {
      const { status, body } = await get(`/flights?${query}`)
      expect([query, status, body.error?.code]).toEqual([query, 400, 'bad_request'])
    }
  })

  test('takes fifty items, repeated ones too, and finds nothing for what does not exist', async () => {
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

  test('a cursor belongs to the order it was made with', async () => {
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
