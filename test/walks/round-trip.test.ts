import { describe, expect, test } from 'vitest'
import { write } from '../../src/db/write.ts'
import { type Paxlog, paxlog, type TestUser } from '../support/paxlog.ts'
import { importing } from '../support/travel.ts'
import { fill, furnish } from '../support/varied-log.ts'

const exportOf = async (app: Paxlog, who: TestUser, query = '') =>
  (await app.as(who).get(`/flights/export${query}`)).text

/** Ids of users are the one thing that differs between two instances. */
const withoutIds = (text: string, users: readonly TestUser[]) =>
  users.reduce((document, { id, username }) => document.replaceAll(id, `id of ${username.toLowerCase()}`), text)

async function furnished() {
  const app = await paxlog()
  const furniture = await furnish(app)
  const { mira, noor, jon, owner } = furniture
  return { app, furniture, users: [mira, noor, jon, owner] }
}

describe('K10: export, import and export again', () => {
  test('a restore into an empty instance with the same users, definitions and reference data gives the same document', async () => {
    const first = await furnished()
    await fill(first.app, first.furniture)
    const document = await exportOf(first.app, first.furniture.owner, '?scope=all')

    const second = await furnished()
    await second.furniture.retire()
    const report = await importing(second.app)(second.furniture.owner, document, 'mode=restore')
    expect(report.body.data).toEqual({ rows: 8, created: 8, duplicates: 0, rejected: [], dryRun: false })
    const again = await exportOf(second.app, second.furniture.owner, '?scope=all')
    expect(withoutIds(again, second.users)).toBe(withoutIds(document, first.users))
    // And nothing is created the second time, here and where it came from.
    for (const { app, furniture } of [first, second]) {
      const { body } = await importing(app)(furniture.owner, document, 'mode=restore')
      expect(body.data).toMatchObject({ created: 0, duplicates: 8 })
      expect(await exportOf(app, furniture.owner, '?scope=all')).toBe(app === first.app ? document : again)
    }
  })

  test('a restore into an instance without custom rows makes them, and the document stays the same', async () => {
    const first = await furnished()
    await fill(first.app, first.furniture)
    const document = await exportOf(first.app, first.furniture.owner, '?scope=all')
    const second = await furnished()
    await second.furniture.retire()
    const { db } = second.app
    for (const table of ['airports', 'airlines', 'aircraft'])
      await write(db, 'reference', () => db.$client.exec(`delete from ${table} where source_id is null`))
    const { body } = await importing(second.app)(second.furniture.owner, document, 'mode=restore')
    expect(body.data).toMatchObject({ created: 8, rejected: [] })
    const again = await exportOf(second.app, second.furniture.owner, '?scope=all')
    const fixed = (text: string) => JSON.parse(withoutIds(text, [...first.users, ...second.users]))
    // A custom airline that shares its code with a shipped one is found as that one.
    const names = (text: string) =>
      fixed(text).flights.map(({ airline }: { airline?: { name: string } }) => airline?.name)
    expect(names(again).slice(0, 5)).toEqual(names(document).slice(0, 5))
    expect(fixed(again).flights[5].from).toEqual(fixed(document).flights[5].from)
  })

  test('a personal import takes the flights of one person and makes everybody else a guest', async () => {
    const first = await furnished()
    await fill(first.app, first.furniture)
    const document = await exportOf(first.app, first.furniture.mira)
    const second = await furnished()
    await second.furniture.retire()
    const { mira } = second.furniture
    const send = () => importing(second.app)(mira, document)
    expect((await send()).body.data).toMatchObject({ rows: 6, created: 6, rejected: [] })
    expect((await send()).body.data).toMatchObject({ rows: 6, created: 0, duplicates: 6 })
    const again = JSON.parse(await exportOf(second.app, mira))
    const wanted = JSON.parse(document)
    expect(again.users).toEqual([{ id: mira.id, displayName: 'Mira "M" Å', username: 'mira' }])
    for (const [index, flight] of again.flights.entries()) {
      const { passengers, ...rest } = flight
      const { passengers: before, ...same } = wanted.flights[index]
      expect(rest).toEqual(same)
      expect(passengers).toHaveLength(before.length)
    }
    const names = (flight: { passengers: { userId: string | null; guestName: string | null }[] }) =>
      flight.passengers.map(({ userId, guestName }) => (userId === mira.id ? 'me' : guestName))
    expect(names(again.flights[0])).toEqual(['Noor', 'me', 'Noor (2)', 'Ådél (2)'])
    expect(again.flights.flatMap(names)).not.toContain(null)
    // From here on the way of a guest is the way of a guest: the document no longer changes.
    const third = await furnished()
    await third.furniture.retire()
    await importing(third.app)(third.furniture.mira, JSON.stringify(again))
    const last = await exportOf(third.app, third.furniture.mira)
    expect(withoutIds(last, third.users)).toBe(withoutIds(`${JSON.stringify(again, null, 2)}\n`, second.users))
  })
})
