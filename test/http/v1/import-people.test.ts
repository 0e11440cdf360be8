import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { importing, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

let app: Paxlog
let mira: TestUser
let noor: TestUser
let admin: TestUser
let send: ReturnType<typeof importing>
beforeAll(async () => {
  app = await sharedPaxlog()
  places(app.db)
  mira = app.user({ username: 'mira', displayName: 'Mira' })
  noor = app.user({ username: 'noor', displayName: 'Noor' })
  admin = app.user({ username: 'admin', role: 'role-administrator' })
  send = importing(app)
})
afterAll(() => app.close())
beforeEach(() => void runNow(app.db, 'delete from flights'))

const users = [
  { id: 'f1', username: 'MIRA', displayName: 'Mira of the file' },
  { id: 'f2', username: 'noor', displayName: 'Noor of the file' },
  { id: 'f3', username: 'gone', displayName: 'Gone' },
]
const flight = (passengers: unknown[], more: object = {}) => ({
  date: '2024-05-03',
  from: 'LSZH',
  to: 'LPPT',
  passengers,
  ...more,
})
const file = (flights: unknown[], people: unknown[] = users) => ({ users: people, flights })

/** Passengers as `user:name` or guest name, in order. */
async function passengerNames(): Promise<string[][]> {
  const { data } = (await app.as(admin).get('/flights?scope=all&limit=100')).body
  return data
    .sort((a: { id: number }, b: { id: number }) => a.id - b.id)
    .map(({ passengers }: { passengers: { user: { username: string } | null; guestName: string }[] }) =>
      passengers.map(({ user, guestName }) => (user ? `user:${user.username}` : guestName)),
    )
}

describe('a personal import of a backup', () => {
  test("imports flights of the file user with the caller's username, ignoring case, and rejects others", async () => {
    const { body } = await send(
      mira,
      file([flight([{ userId: 'f1' }]), flight([{ userId: 'f2' }]), flight([{ guestName: 'Mira' }])]),
    )
    expect(body.data).toMatchObject({
      created: 1,
      rejected: [
        { row: 2, reason: 'MIRA is not on this flight.' },
        { row: 3, reason: 'MIRA is not on this flight.' },
      ],
    })
    expect(await passengerNames()).toEqual([['user:mira']])
  })

  test('imports flights of fileUser, matched by id before username, ignoring case', async () => {
    const confusing = [...users, { id: 'noor', username: 'zed', displayName: 'Zed' }]
    const flights = [
      flight([{ userId: 'f2' }], { flightNumber: 'N1' }),
      flight([{ userId: 'noor' }], { flightNumber: 'Z1' }),
    ]
    const numbers = async (fileUser: string) => {
      runNow(app.db, 'delete from flights')
      await send(mira, file(flights, confusing), `fileUser=${fileUser}`)
      return (await app.as(mira).get('/flights')).body.data.map(
        ({ flightNumber }: { flightNumber: string }) => flightNumber,
      )
    }
    expect(await numbers('f2')).toEqual(['N1'])
    expect(await numbers('noor')).toEqual(['Z1'])
    expect(await numbers('NOOR')).toEqual(['N1'])
    expect(await numbers('ZED')).toEqual(['Z1'])
  })

  test('imports flights of the only user regardless of the name, and none if there are several', async () => {
    const only = file([flight([{ userId: 'x' }])], [{ id: 'x', username: 'somebody', displayName: 'S' }])
    expect((await send(mira, only)).body.data.created).toBe(1)
    const several = file([flight([{ userId: 'f2' }])], [users[1], users[2]])
    const { status, body } = await send(mira, several)
    expect([status, body.error.message]).toEqual([422, expect.stringMatching(/mira.*fileUser.*noor, gone/)])
    expect((await send(mira, file([flight([{ userId: 'f2' }])], []))).status).toBe(422)
  })

  test('imports all others as guests, by guestName before display name, and never as local users', async () => {
    const passengers = [
      { userId: 'f2' },
      { userId: 'f1', seat: 'window' },
      { userId: 'f3', guestName: 'Nickname' },
      { user: { id: 'q', username: 'quentin', displayName: 'Quentin' } },
      { userId: 'f3', guestName: '' },
      { guestName: ' Ada ' },
    ]
    expect((await send(mira, file([flight(passengers)]))).body.data).toMatchObject({ created: 1, rejected: [] })
    expect(await passengerNames()).toEqual([['Noor of the file', 'user:mira', 'Nickname', 'Quentin', 'Gone', 'Ada']])
    expect((await app.as(noor).get('/flights')).body.data).toEqual([])
  })

  test('numbers repeated guest names within the maximum length', async () => {
    const long = 'x'.repeat(100)
    const names = ['Ada', ' Ada', 'Ada ', 'ada', long, long]
    await send(mira, file([flight([{ userId: 'f1' }, ...names.map((guestName) => ({ guestName }))])]))
    expect(await passengerNames()).toEqual([
      ['user:mira', 'Ada', 'Ada (2)', 'Ada (3)', 'ada', long, `${'x'.repeat(96)} (2)`],
    ])
  })

  test('imports the chosen user once if the file contains them twice', async () => {
    await send(mira, file([flight([{ userId: 'f1' }, { userId: 'f1', seatNumber: '2A' }])]))
    expect(await passengerNames()).toEqual([['user:mira', 'Mira of the file']])
  })

  test('keeps seat data and applies the reason of the flight to passengers without one', async () => {
    const seat = { seat: 'aisle', seatNumber: '3C', seatClass: 'first' }
    const passengers = [
      { userId: 'f1', ...seat },
      { guestName: 'Ada', flightReason: 'leisure' },
    ]
    await send(mira, file([flight(passengers, { flightReason: 'business' })]))
    const [{ passengers: imported }] = (await app.as(mira).get('/flights')).body.data
    expect(imported).toMatchObject([{ ...seat, flightReason: 'business' }, { flightReason: 'leisure' }])
  })
})

describe('a restore', () => {
  const restore = (content: object, who: TestUser | string = admin) => send(who, content, 'mode=restore')

  test("matches the file's users by username, ignoring case, and adds others as guests", async () => {
    const { body } = await restore(
      file([
        flight([{ userId: 'f1' }, { userId: 'f2' }, { userId: 'f3' }]),
        flight([{ userId: 'f3' }], { flightNumber: 'G1' }),
        flight([{ guestName: 'Ada' }, { guestName: 'Ada' }], { flightNumber: 'G2' }),
      ]),
    )
    expect(body.data).toMatchObject({ rows: 3, created: 3, rejected: [] })
    expect(await passengerNames()).toEqual([['user:mira', 'user:noor', 'Gone'], ['Gone'], ['Ada', 'Ada (2)']])
  })

  test('needs neither users in the file nor flights of the caller', async () => {
    const item = flight([{ user: { id: 'z', username: 'NOOR', displayName: 'N' } }])
    expect((await restore({ flights: [item] })).body.data.created).toBe(1)
    expect(await passengerNames()).toEqual([['user:noor']])
  })

  test('adds a user and a guest if two users of the file match one local user', async () => {
    const twins = [...users, { id: 'f4', username: 'Noor', displayName: 'Second Noor' }]
    await restore(file([flight([{ userId: 'f2' }, { userId: 'f4' }])], twins))
    expect(await passengerNames()).toEqual([['user:noor', 'Second Noor']])
  })

  test('rejects a flight without passengers', async () => {
    const { body } = await restore(file([flight([])]))
    expect(body.data).toMatchObject({
      created: 0,
      rejected: [{ row: 1, reason: expect.stringContaining('passengers') }],
    })
  })

  test('compares flights that share a user, and guest-only flights with each other', async () => {
    const again = async (passengers: unknown[]) => {
      const { created, duplicates } = (await restore(file([flight(passengers)]))).body.data
      return [created, duplicates]
    }
    expect(await again([{ userId: 'f1' }, { userId: 'f2' }])).toEqual([1, 0])
    expect(await again([{ userId: 'f2' }])).toEqual([0, 1])
    expect(await again([{ userId: 'f1' }, { guestName: 'Ada' }])).toEqual([0, 1])
    // A guest-only flight does not match the flight of the two users.
    expect(await again([{ guestName: 'Ada' }])).toEqual([1, 0])
    expect(await again([{ guestName: 'Somebody else' }])).toEqual([0, 1])
    expect(await again([{ userId: 'f3' }])).toEqual([0, 1])
    // A user who is on neither flight.
    const { data } = (await restore(file([flight([{ userId: 'a' }])], [{ id: 'a', username: 'admin' }]))).body
    expect(data).toMatchObject({ created: 1, duplicates: 0 })
  })

  test('matches each stored flight with only one row', async () => {
    const rows = [flight([{ userId: 'f1' }]), flight([{ userId: 'f1' }, { userId: 'f2' }]), flight([{ userId: 'f2' }])]
    expect((await restore(file(rows))).body.data).toMatchObject({ created: 3, duplicates: 0 })
    expect((await restore(file(rows))).body.data).toMatchObject({ created: 0, duplicates: 3 })
    expect((await restore(file([...rows].reverse()))).body.data).toMatchObject({ created: 0, duplicates: 3 })
  })
})
