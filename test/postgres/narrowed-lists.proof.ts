import { afterAll, beforeAll, expect, test } from 'vitest'
import { paxlog } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { SEED, seeded } from '../support/random.ts'
import { places, report } from '../support/travel.ts'

/** More than are read before candidates are selected. */
const FLIGHTS = 700
const QUERIES = 90
const RARE = ['quokka', 'Müsli', 'kiwi-fruit', 'şeker', '東京']
const COMMON = ['window', 'aisle', 'delayed', 'lounge']

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

interface Logged {
  id: number
  date: string
  texts: string[]
  userIds: string[]
  isPlanned: boolean
}

test('lists contain the same flights whether or not candidates are selected first', async () => {
  report(`random flights: PAXLOG_TEST_SEED=${SEED}`)
  const random = seeded(SEED)
  const { db, user, as } = await paxlog({ databaseUrl: postgres.url('postgres') })
  const { ZRH: fromId, LIS: toId } = places(db).airports
  const owner = user({ owner: true, username: 'q1' })
  const users = [owner, user({ username: 'q2' }), user({ username: 'q3' })]
  const client = as(owner)

  const log: Logged[] = []
  for (let count = 0; count < FLIGHTS; count++) {
    const isPlanned = random.chance(0.03)
    const month = String(random.between(1, 12)).padStart(2, '0')
    const date = `${isPlanned ? 2099 : random.between(2015, 2024)}-${month}-${random.between(10, 28)}`
    const note = [random.pick(COMMON), ...(random.chance(0.04) ? [random.pick(RARE)] : [])]
    const guest = random.chance(0.02) ? 'Quentin Fjord' : undefined
    const aboard = random.chance(0.2) ? users.slice(0, 2) : [random.pick(users)]
    const passengers = [...aboard.map(({ id }) => ({ userId: id })), ...(guest ? [{ guestName: guest }] : [])]
    const { status, body } = await client.post('/flights', { date, fromId, toId, note: note.join(', '), passengers })
    expect(status).toBe(201)
    const texts = [...note, ...(guest ? ['quentin', 'fjord'] : [])]
    log.push({ id: body.data.id, date, texts, userIds: aboard.map(({ id }) => id), isPlanned })
  }

  /** What is typed for a text: the beginning of it, possibly without accents. */
  const typed: Record<string, string> = { Müsli: 'musl', 'kiwi-fruit': 'kiwi', şeker: 'seker', 東京: '東' }
  const words = [...RARE, ...COMMON, 'fjord', 'missing']
  let found = 0
  for (let count = 0; count < QUERIES; count++) {
    const chosen = random.chance(0.7) ? [random.pick(words), ...(random.chance(0.3) ? [random.pick(words)] : [])] : []
    const companion = random.chance(0.2) ? random.pick(users).id : undefined
    const completed = random.chance(0.2) ? random.chance(0.3) : undefined
    const order = random.pick(['newest', 'oldest'])
    const scope = random.pick(['all', 'all', 'mine'])
    const filter = new URLSearchParams({ scope, order, limit: String(random.between(1, 40)) })
    if (chosen.length > 0) filter.set('text', chosen.map((word) => typed[word] ?? word.slice(0, 5)).join(' '))
    if (companion) filter.set('companion', companion)
    if (completed !== undefined) filter.set('completed', String(completed))

    const expected = log
      .filter(({ userIds }) => scope === 'all' || userIds.includes(owner.id))
      .filter(({ texts }) => chosen.every((word) => texts.includes(word)))
      .filter(({ userIds }) => companion === undefined || userIds.includes(companion))
      .filter(({ isPlanned }) => completed === undefined || completed !== isPlanned)
      .sort((left, right) => left.date.localeCompare(right.date) || left.id - right.id)
      .map(({ id }) => id)
    if (order === 'newest') expected.reverse()

    const ids: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      if (cursor) filter.set('cursor', cursor)
      const { status, body } = await client.get(`/flights?${filter}`)
      expect(status).toBe(200)
      ids.push(...body.data.map(({ id }: { id: number }) => id))
      cursor = body.page.nextCursor
    }
    expect([String(filter), ids]).toEqual([String(filter), expected])
    found += ids.length
  }
  expect(found).toBeGreaterThan(QUERIES)
})
