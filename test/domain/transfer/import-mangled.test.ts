import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { importing, places } from '../../support/travel.ts'
import { sampleBytes, samples } from './sample.ts'

const ROUNDS = 30

let app: Paxlog
let mira: TestUser
beforeAll(async () => {
  app = await sharedPaxlog()
  places(app.db)
  mira = app.user({ username: 'mira', role: 'role-administrator' })
})
afterAll(() => app.close())

/** A linear congruential generator with the same numbers in every run. */
function seeded(seed: number) {
  let state = seed * 2_654_435_761
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pieces = [
  '"',
  ',',
  ';',
  '\n',
  '\0',
  '{',
  '[',
  'null',
  '-1',
  '1e999',
  '9999-12-31',
  '0001-01-01T00:00:00Z',
  '"__proto__":1,',
  'ZRH',
  'é',
  '\ud83d',
]
  .map((text) => Buffer.from(text))
  .concat(Buffer.from([0xff]))

/** Deletes, repeats, replaces and inserts random parts. */
function mangled(bytes: Buffer, random: (below: number) => number): Buffer {
  let result = bytes
  for (let changes = 1 + random(4); changes > 0; changes--) {
    const at = random(result.length)
    const until = at + random(Math.min(60, result.length - at + 1))
    const piece = random(3) === 0 ? result.subarray(at, until) : pieces[random(pieces.length)]!
    const rest = random(2) === 0 ? result.subarray(until) : result.subarray(at)
    result = Buffer.concat([result.subarray(0, at), piece, rest])
  }
  return result
}

describe('a mangled file', () => {
  test.each(samples)(
    'of %s (%s) is rejected, or every row has exactly one outcome; it never causes a server error',
    async (format, name) => {
      const random = seeded(name.length + 1)
      const original = Buffer.from(sampleBytes(name))
      const statuses = new Map<number, number>()
      for (let round = 0; round < ROUNDS; round++) {
        const file = mangled(original, random)
        const how = random(2) === 0 ? `format=${format}` : 'format=auto'
        const query = format === 'backup' && random(2) === 0 ? `format=backup&mode=restore` : how
        const before = Number(app.db.$client.prepare('select count(*) from flights').pluck().get())
        const { status, body } = await importing(app)(mira, file, query)
        const after = Number(app.db.$client.prepare('select count(*) from flights').pluck().get())
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 200) {
          const { rows, created, duplicates, rejected } = body.data
          expect(created + duplicates + rejected.length).toBe(rows)
          expect(after - before).toBe(created)
          const numbers = rejected.map(({ row }: { row: number }) => row)
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => Number(a) - Number(b)))
          expect(numbers.every((row: number) => row >= 1 && row <= rows)).toBe(true)
          for (const { reason } of rejected) expect(reason).toMatch(/^[^\n]{5,500}\.$/)
        } else {
          expect([round, status, file.toString('base64')]).toEqual([round, 422, file.toString('base64')])
          expect(after).toBe(before)
        }
      }
      // Some files must be accepted, or the test proves little.
      expect(statuses.get(200) ?? 0).toBeGreaterThan(2)
    },
  )
})
