import { expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { writeBack } from '../../support/factory.ts'
import { type FlightLog, flightLog } from '../../support/flight-log.ts'
import { type Copy, documentedFollower } from '../../support/follower.ts'
import { SEED, seeded } from '../../support/random.ts'
import { runNow } from '../../support/write-now.ts'

/** All flights of the list, by id. */
async function readList(log: FlightLog, who: { key: string }, scope: string): Promise<Map<number, unknown>> {
  const found = new Map<number, unknown>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await log.as(who.key).get(`/flights?scope=${scope}&limit=100${cursor && `&cursor=${cursor}`}`)
    for (const flight of body.data) found.set(flight.id, flight)
    cursor = body.page.nextCursor
  }
  return found
}

/** A random write over a random API. Rejected writes are ignored. */
async function write(log: FlightLog, random: ReturnType<typeof seeded>, round: number): Promise<void> {
  const who = random.pick([log.mira, log.noor, log.admin])
  const ids = log.db.$client.prepare('select id from flights').pluck().all() as number[]
  const id = ids.length > 0 ? random.pick(ids) : 1
  const admin = log.as(log.admin)
  const people = [log.mira, log.noor, log.admin].filter(() => random.chance(0.6)).map(({ id }) => ({ userId: id }))
  const passengers = people.length > 0 ? people : [{ guestName: 'Ada' }]
  const replace = async (more: object) => {
    const { status, body } = await admin.get(`/flights/${id}`)
    if (status === 200) await admin.put(`/flights/${id}`, { ...writeBack(body.data), ...more })
  }
  const legacy = (path: string, payload: object) =>
    log.request({
      method: 'POST',
      url: `/api/flight/${path}`,
      headers: { authorization: `Bearer ${who.key}` },
      payload,
    })
  const day = `20${10 + random.below(15)}-0${random.between(1, 9)}-1${random.below(10)}`
  const csv = (rows: number) => {
    const lines = Array.from({ length: rows }, (_, row) => `${day},ZRH,LIS,LX${round}${row},,1`)
    return ['date,from,to,flight_number,plane,from_oid', ...lines].join('\n')
  }
  const operations = [
    () => log.flight({ date: day }, who),
    () => log.flight({ date: day, passengers }, log.admin),
    () => replace({ note: `Round ${round}` }),
    () => replace({ passengers }),
    () => admin.delete(`/flights/${id}`),
    () =>
      admin.put(`/flights/${id}/track`, {
        coordinates: [
          [8, 47],
          [9, 48],
        ],
        sourceFormat: 'gpx',
      }),
    () => admin.delete(`/flights/${id}/track`),
    () => legacy('save', { from: 'ZRH', to: 'JFK', departure: day, passengers: [{ userId: '<USER_ID>' }] }),
    () => legacy('delete', { id }),
    () => log.as(who).post('/flights/import', csv(3)),
    // Large enough to run in a worker with its own connection.
    () => (round % 40 === 0 ? log.as(who).post('/flights/import', csv(600)) : undefined),
    () => admin.put(`/users/${who.id}`, { displayName: `Name ${round}` }),
    async () => {
      const { id: guest } = log.user()
      runNow(
        log.db,
        'insert into passengers (flight_id, user_id, date) select id, ?, date from flights order by id desc limit 1',
        guest,
      )
      runNow(
        log.db,
        'update flights set updated_at = updated_at where id in (select flight_id from passengers where user_id = ?)',
        guest,
      )
      await log.services.users.remove(operator, guest)
    },
  ]
  await random.pick(operations)()
}

test('the documented follower has the same flights as the list after random writes', async () => {
  const { follow, lines } = await documentedFollower()
  expect(lines).toBeLessThanOrEqual(40)
  const log = await flightLog({ unused: true })
  const url = await log.app.listen({ port: 0, host: '127.0.0.1' })
  const random = seeded(SEED)
  const followers = [
    { who: log.mira, scope: 'mine' },
    { who: log.noor, scope: 'mine' },
    { who: log.admin, scope: 'all' },
  ].map((each) => ({ ...each, copy: { flights: new Map(), cursor: undefined } as Copy }))
  const catchUp = () => Promise.all(followers.map(({ who, scope, copy }) => follow(copy, { url, key: who.key, scope })))
  for (let round = 0; round < 300; round++) {
    const writes = Array.from({ length: random.between(1, 3) }, () => write(log, random, round))
    // Sometimes follows during the writes.
    await Promise.all([...writes, random.chance(0.3) ? catchUp() : undefined])
    if (round % 25 !== 24) continue
    await catchUp()
    for (const { who, scope, copy } of followers) {
      const expected = await readList(log, who, scope)
      expect([...copy.flights.keys()].sort((a, b) => a - b)).toEqual([...expected.keys()].sort((a, b) => a - b))
      for (const [id, flight] of expected) expect(copy.flights.get(id)).toEqual(flight)
    }
  }
})
