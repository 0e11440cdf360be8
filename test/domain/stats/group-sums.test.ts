import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { groupSums, type Key, type Sum, sumTable } from '../../../src/domain/stats/group-sums.ts'
import { openedDatabase } from '../../support/database.ts'
import { temporaryFolder } from '../../support/paxlog.ts'

const KEYS = 20_000

/** Adds every key twice, including a number and null, and yields after each batch. */
function addAll(sums: ReturnType<typeof groupSums>): { found: Map<Key, Sum>; turns: number } {
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

test('sums that spill to disk equal those in memory and leave no file', () => {
  const folder = temporaryFolder()
  const db = openedDatabase(folder)
  const before = readdirSync(folder)
  let tables = 0
  const spilled = addAll(
    groupSums(() => {
      tables++
      return sumTable(db)
    }),
  )
  expect([tables, spilled.turns > 10]).toEqual([1, true])
  const inMemory = addAll(groupSums())
  expect(inMemory.turns).toBe(0)
  expect(spilled.found).toEqual(inMemory.found)
  expect(spilled.found.size).toBe(KEYS)
  expect(spilled.found.get(null)).toEqual({ flights: 2, meters: 1, seconds: 0, known: 1 })
  expect(readdirSync(folder)).toEqual(before)
})
