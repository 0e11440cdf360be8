import { describe, expect, test } from 'vitest'
import { referenceRows } from '../support/factory.ts'
import { paxlog } from '../support/paxlog.ts'
import { importing } from '../support/travel.ts'

async function log() {
  const instance = await paxlog()
  const { airports } = referenceRows(instance.db)
  const mira = instance.user({ username: 'mira', owner: true })
  const flight = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS }
  return { ...instance, mira, api: instance.as(mira), flight, send: importing(instance) }
}

describe('a list beyond its limit', () => {
  test('is rejected by its length without reading its items', async () => {
    const { api, flight, request, mira } = await log()
    // Each item is invalid, and its errors would precede that of the list.
    const passengers = Array.from({ length: 200_000 }, () => ({}))
    const { status, body } = await api.post('/flights', { ...flight, passengers, note: 5 })
    expect(status).toBe(422)
    const paths = body.error.details.map(({ path, code }: { path: string[]; code: string }) => [path.join('.'), code])
    expect(paths).toEqual([
      ['note', 'invalid_type'],
      ['passengers', 'too_big'],
    ])
    const legacy = await request({
      method: 'POST',
      url: '/api/flight/save',
      headers: { authorization: `Bearer ${mira.key}` },
      payload: { from: 'ZRH', to: 'LIS', departure: '2025-05-03', passengers },
    })
    expect(legacy).toMatchObject({ status: 400, body: { errors: [{ path: ['passengers'], code: 'too_big' }] } })
    const role = await api.post('/roles', { name: 'A', permissions: Array.from({ length: 1001 }, () => 'x') })
    expect(role.body.error.details).toMatchObject([{ path: ['permissions'], code: 'too_big' }])
    const options = Array.from({ length: 101 }, () => '')
    const field = { entityType: 'flight', key: 'meal', label: 'Meal', fieldType: 'select' }
    const refused = await api.post('/custom-fields', { ...field, options })
    expect(refused.body.error.details).toMatchObject([{ path: ['options'], code: 'too_big' }])
  })

  test('within the limit reports at most 50 errors', async () => {
    const { api, flight } = await log()
    const { status, body } = await api.post('/flights', { ...flight, passengers: Array.from({ length: 500 }, () => 7) })
    expect(status).toBe(422)
    expect(body.error.details).toHaveLength(50)
  })

  test('in a file rejects the row before its names are compared', async () => {
    const { send, mira } = await log()
    const users = [{ id: 'f1', username: 'mira', displayName: 'Mira' }]
    const guests = (count: number) => Array.from({ length: count }, () => ({ guestName: 'Guest' }))
    const row = (count: number) => ({
      ...{ date: '2024-05-03', from: 'LSZH', to: 'LPPT' },
      passengers: [{ userId: 'f1' }, ...guests(count)],
    })
    const { status, body } = await send(mira, { users, flights: [row(10_000), row(499), row(500)] }, 'dryRun=true')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      created: 1,
      rejected: [
        { row: 1, reason: 'The passengers cannot be used: Must have at most 500 items.' },
        { row: 3, reason: 'The passengers cannot be used: Must have at most 500 items.' },
      ],
    })
  })

  test('of more than 50 000 rows is rejected in every format', async () => {
    const { send, mira, api } = await log()
    const line = '\n2024-05-03,ZRH,LIS,0,LX1'
    const event = 'BEGIN:VEVENT\nSUMMARY:LX1 ZRH to LIS\nEND:VEVENT\n'
    const count = 50_001
    const files: [format: string, content: string][] = [
      ['jetlovers', `date,from,to,miles,flightnum${line.repeat(count)}`],
      ['backup', JSON.stringify({ users: [], flights: Array.from({ length: count }, () => 0) })],
      ['backup', JSON.stringify({ users: Array.from({ length: count }, () => 0), flights: [] })],
      ['milesandmore', JSON.stringify({ SegmentListResponses: Array.from({ length: count }, () => 0) })],
      ['appintheair', `Ownership.MINE\nflights:\n${'x\n'.repeat(count)}`],
      ['tripit', `BEGIN:VCALENDAR\n${event.repeat(count)}END:VCALENDAR`],
    ]
    for (const [format, content] of files) {
      const { status, body } = await send(mira, content, `format=${format}`)
      expect([format, status, body.error?.message]).toEqual([
        format,
        422,
        expect.stringMatching(/^The file has more than 50000 (rows|users)\.$/),
      ])
    }
    expect((await api.get('/flights')).body.data).toEqual([])
  })
})
