import { expect, test } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { flightStore } from '../../src/domain/flights/store.ts'
import { statsStore } from '../../src/domain/stats/store.ts'
import { openedDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'

/** How SQLite goes about those statements of a store that have certain words. */
function plansOf(store: (db: Db) => unknown, words: string): string[] {
  const db = openedDatabase(temporaryFolder())
  const prepare = db.$client.prepare.bind(db.$client)
  const prepared: string[] = []
  db.$client.prepare = ((sql: string) => {
    prepared.push(sql)
    return prepare(sql)
  }) as typeof db.$client.prepare
  store(db)
  return prepared
    .filter((sql) => sql.replaceAll('"', '').includes(words))
    .map((sql) => {
      const names = new Set([...sql.matchAll(/@(\w+)/g)].map(([, name]) => name!))
      const unnamed = sql.match(/\?/g) ?? []
      const values = names.size > 0 ? [Object.fromEntries([...names].map((name) => [name, 1]))] : unnamed.map(() => 1)
      const steps = prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
      return steps.map(({ detail }) => detail).join('; ')
    })
}

test('who is on a flight is asked by the flight, not by going through the log of a user', () => {
  const plans = [
    'where passengers.flight_id = ? order',
    'where (passengers.flight_id = ? and +passengers.user_id',
  ].flatMap((words) => plansOf(flightStore, words))
  expect(plans).toHaveLength(2)
  for (const plan of plans) expect(plan).toMatch(/^SEARCH passengers USING INDEX passengers_once \(flight_id=\?/)
})

test('a slice of a log is found by its index and not sorted', () => {
  const [all, user, ...others] = plansOf(statsStore, 'limit')
  expect(others).toEqual([])
  expect(all).toMatch(/SEARCH flights USING COVERING INDEX flights_by_date/)
  expect(user).toMatch(/SEARCH passengers USING COVERING INDEX passengers_log \(user_id=\? AND /)
  expect(`${all} ${user}`).not.toContain('TEMP B-TREE')
})
