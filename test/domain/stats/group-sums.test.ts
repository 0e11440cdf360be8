import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { groupSums, type Key, type Sum, sumTable } from '../../../src/domain/stats/group-sums.ts'
import { openedDatabase } from '../../support/database.ts'
import { temporaryFolder } from '../../support/paxlog.ts'

const KEYS = 20_000

/** Every key twice, a number and null among them, with turns after each portion. */
function summed(sums: ReturnType<typeof groupSums>): { found: Map<Key, Sum>; turns: number } {
  let turns = 0
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < KEYS; index++) {
      const key = index === 0 ? null : index % 2 === 0 ? index : `guest:${index} ${'ü'.repeat(80)}`
      sums.add(key, { meters: index + 0.5, seconds: round === 0 ? index : null })
      if (index % 1_000 === 0) for (const _ of sums.spill()) turns++
    }
  }
  const found = new Map<Key, Sum>()
  for (const some of sums.all()) {
    for (const [key, sum] of some ?? []) {
      expect(found.has(key)).toBe(false)
      found.set(key, { ...sum })
    }
  }
  sums.close()
  return { found, turns }
}

test('sums that do not fit into memory are the same, and leave no file behind', () => {
  const folder = temporaryFolder()
  const db = openedDatabase(folder)
  const before = readdirSync(folder)
  let tables = 0
  const spilled = summed(
    groupSums(() => {
      tables++
      return sumTable(db)
    }),
  )
  expect([tables, spilled.turns > 10]).toEqual([1, true])
  const inMemory = summed(groupSums())
  expect(inMemory.turns).toBe(0)
  expect(spilled.found).toEqual(inMemory.found)
  expect(spilled.found.size).toBe(KEYS)
  expect(spilled.found.get(null)).toEqual({ flights: 2, meters: 1, seconds: 0, known: 1 })
  expect(readdirSync(folder)).toEqual(before)
})
