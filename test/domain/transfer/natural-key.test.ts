import { describe, expect, test } from 'vitest'
import { duplicateFinder } from '../../../src/domain/transfer/natural-key.ts'
import { seeded } from '../../support/random.ts'

const KEY = '2025-05-03|day|1|2|LX14|'
type Users = ReadonlySet<string>

/** Implements contract 5.1: the first remaining flight with the same users, else the first with a common user. */
function naiveFinder(stored: readonly Users[]) {
  const remaining = [...stored]
  return (users: Users): boolean => {
    const match = [
      remaining.findIndex((otherUsers) => users.symmetricDifference(otherUsers).size === 0),
      remaining.findIndex((otherUsers) => users.intersection(otherUsers).size > 0),
    ].find((index) => index >= 0)
    if (match !== undefined) remaining.splice(match, 1)
    return match !== undefined
  }
}

describe('duplicates among equal flights', () => {
  test('are the same as with a naive search', () => {
    const random = seeded(17)
    const some = (count: number) =>
      Array.from({ length: count }, () => new Set(['a', 'b', 'c', 'd'].filter(() => random.below(3) === 0)))
    for (let round = 0; round < 150; round++) {
      const [stored, rows] = [some([1, 2, 30][round % 3]!), some(40)]
      const isDuplicate = duplicateFinder(stored.values().map((users) => [KEY, [...users]]))
      const expected = naiveFinder(stored)
      expect(rows.map((users) => isDuplicate([KEY], [...users]))).toEqual(rows.map(expected))
    }
  })

  test('take linear time', () => {
    const cpuOf = (count: number) => {
      const before = process.cpuUsage()
      const people = (index: number) => [`user${index}`, 'everybody']
      const isDuplicate = duplicateFinder(
        Array.from({ length: count }, (_, index) => people(index))
          .values()
          .map((users) => [KEY, users]),
      )
      let matched = 0
      // Exact matches in reverse order, then flights with one common user.
      for (let index = count - 1; index >= count / 2; index--) matched += Number(isDuplicate([KEY], people(index)))
      for (let index = 0; index < count / 2; index++) matched += Number(isDuplicate([KEY], people(-1 - index)))
      expect([matched, isDuplicate([KEY], people(0))]).toEqual([count, false])
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    const [small, large] = [cpuOf(25_000), cpuOf(50_000)]
    // A linear search per row took minutes.
    expect([small, large].map((ms) => ms < 20_000)).toEqual([true, true])
  })
})
