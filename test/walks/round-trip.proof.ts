import { describe, expect, test } from 'vitest'
import { write } from '../../src/db/write.ts'
import { type Paxlog, paxlog, type TestUser } from '../support/paxlog.ts'
import { importing } from '../support/travel.ts'
import { fill, furnish } from '../support/varied-log.ts'

const exportOf = async (app: Paxlog, user: TestUser, query = '') =>
  (await app.as(user).get(`/flights/export${query}`)).text

/** Replaces user ids, which differ between instances. */
const withoutIds = (text: string, users: readonly TestUser[]) =>
  users.reduce((document, { id, username }) => document.replaceAll(id, `id of ${username.toLowerCase()}`), text)

async function setUp() {
  const app = await paxlog()
  const fixture = await furnish(app)
  const { mira, noor, jon, owner } = fixture
  return { app, fixture, users: [mira, noor, jon, owner] }
}

describe('K10: export, import and export again', () => {
  test('a restore into an empty instance with the same users, custom fields and reference data exports the same document', async () => {
    const first = await setUp()
    await fill(first.app, first.fixture)
    const document = await exportOf(first.app, first.fixture.owner, '?scope=all')

    const second = await setUp()
    await second.fixture.retire()
    const report = await importing(second.app)(second.fixture.owner, document, 'mode=restore')
    expect(report.body.data).toEqual({ rows: 8, created: 8, duplicates: 0, rejected: [], dryRun: false })
    const again = await exportOf(second.app, second.fixture.owner, '?scope=all')
    expect(withoutIds(again, second.users)).toBe(withoutIds(document, first.users))
    // A second restore creates nothing, in either instance.
    for (const { app, fixture } of [first, second]) {
      const { body } = await importing(app)(fixture.owner, document, 'mode=restore')
      expect(body.data).toMatchObject({ created: 0, duplicates: 8 })
      expect(await exportOf(app, fixture.owner, '?scope=all')).toBe(app === first.app ? document : again)
    }
  })

  test('a restore into an instance without custom reference data creates it', async () => {
    const first = await setUp()
    await fill(first.app, first.fixture)
    const document = await exportOf(first.app, first.fixture.owner, '?scope=all')
    const second = await setUp()
    await second.fixture.retire()
    const { db } = second.app
    for (const table of ['airports', 'airlines', 'aircraft'])
      await write(db, 'reference', () => db.$client.exec(`delete from ${table} where source_id is null`))
    const { body } = await importing(second.app)(second.fixture.owner, document, 'mode=restore')
    expect(body.data).toMatchObject({ created: 8, rejected: [] })
    const again = await exportOf(second.app, second.fixture.owner, '?scope=all')
    const parse = (text: string) => JSON.parse(withoutIds(text, [...first.users, ...second.users]))
    // A custom airline with the code of a built-in one is matched to the built-in one.
    const names = (text: string) =>
      parse(text).flights.map(({ airline }: { airline?: { name: string } }) => airline?.name)
    expect(names(again).slice(0, 5)).toEqual(names(document).slice(0, 5))
    expect(parse(again).flights[5].from).toEqual(parse(document).flights[5].from)
  })

  test('a personal import adds the flights of one user and converts all other passengers to guests', async () => {
    const first = await setUp()
    await fill(first.app, first.fixture)
    const document = await exportOf(first.app, first.fixture.mira)
    const second = await setUp()
    await second.fixture.retire()
    const { mira } = second.fixture
    const send = () => importing(second.app)(mira, document)
    expect((await send()).body.data).toMatchObject({ rows: 6, created: 6, rejected: [] })
    expect((await send()).body.data).toMatchObject({ rows: 6, created: 0, duplicates: 6 })
    const again = JSON.parse(await exportOf(second.app, mira))
    const expected = JSON.parse(document)
    expect(again.users).toEqual([{ id: mira.id, displayName: 'Mira "M" Å', username: 'mira' }])
    for (const [index, flight] of again.flights.entries()) {
      const { passengers, ...rest } = flight
      const { passengers: before, ...same } = expected.flights[index]
      expect(rest).toEqual(same)
      expect(passengers).toHaveLength(before.length)
    }
    const names = (flight: { passengers: { userId: string | null; guestName: string | null }[] }) =>
      flight.passengers.map(({ userId, guestName }) => (userId === mira.id ? 'me' : guestName))
    expect(names(again.flights[0])).toEqual(['Noor', 'me', 'Noor (2)', 'Ådél (2)'])
    expect(again.flights.flatMap(names)).not.toContain(null)
    // Another import keeps guests as guests, so the document no longer changes.
    const third = await setUp()
    await third.fixture.retire()
    await importing(third.app)(third.fixture.mira, JSON.stringify(again))
    const last = await exportOf(third.app, third.fixture.mira)
    expect(withoutIds(last, third.users)).toBe(withoutIds(`${JSON.stringify(again, null, 2)}\n`, second.users))
  })
})
