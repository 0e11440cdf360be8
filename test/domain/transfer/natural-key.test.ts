import { describe, expect, test } from 'vitest'
import { duplicateFinder } from '../../../src/domain/transfer/natural-key.ts'
import { seeded } from '../../support/random.ts'

const KEY = '2025-05-03|day|1|2|LX14|'
type Users = ReadonlySet<string>

/** By the word of contract 5.1: among all that are left, the first with the very same people, else the first that shares one. */
function plainly(stored: readonly Users[]) {
  const left = [...stored]
  return (users: Users): boolean => {
    const place = [
      left.findIndex((theirs) => users.symmetricDifference(theirs).size === 0),
      left.findIndex((theirs) => users.intersection(theirs).size > 0),
    ].find((found) => found >= 0)
    if (place !== undefined) left.splice(place, 1)
    return place !== undefined
  }
}

describe('duplicates among equal flights', () => {
  test('are the ones that a plain look at each of them finds', () => {
    const random = seeded(17)
    const some = (count: number) =>
      Array.from({ length: count }, () => new Set(['a', 'b', 'c', 'd'].filter(() => random.below(3) === 0)))
    for (let round = 0; round < 150; round++) {
      const [stored, rows] = [some([1, 2, 30][round % 3]!), some(40)]
      const found = duplicateFinder(stored.values().map((users) => [KEY, [...users]]))
      const expected = plainly(stored)
      expect(rows.map((users) => found([KEY], [...users]))).toEqual(rows.map(expected))
    }
  })

  test('cost no more for each of them the more there are', () => {
    const cpuOf = (count: number) => {
      const before = process.cpuUsage()
      const people = (index: number) => [`user${index}`, 'everybody']
      const found = duplicateFinder(
        Array.from({ length: count }, (_, index) => people(index))
          .values()
          .map((users) => [KEY, users]),
      )
      let matched = 0
      // From the other end, and then those who share one person with somebody.
      for (let index = count - 1; index >= count / 2; index--) matched += Number(found([KEY], people(index)))
      for (let index = 0; index < count / 2; index++) matched += Number(found([KEY], people(-1 - index)))
      expect([matched, found([KEY], people(0))]).toEqual([count, false])
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    const [small, large] = [cpuOf(25_000), cpuOf(50_000)]
    // A look at each of those that are left took minutes.
    expect([small, large].map((ms) => ms < 20_000)).toEqual([true, true])
  })
})
