import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '../../src/db/open.ts'
import { memoryService } from '../../src/domain/memory/service.ts'
import { setupCode } from '../../src/domain/users/setup-code.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

/** Runs the work with two connections, like two processes. */
function withTwoConnections(work: (first: Db, second: Db) => void): void {
  const databases = [1, 2].map(() => openDatabase(temporaryFolder(), postgres.url('postgres')))
  try {
    work(databases[0]!, databases[1]!)
  } finally {
    for (const db of databases) closeDatabase(db)
  }
}

const MINUTE = 60_000

describe('the memory service of two processes on one PostgreSQL', () => {
  test('counts requests of both per limit and key', () =>
    withTwoConnections((first, second) => {
      const options = { limit: 4, windowMs: MINUTE, capacity: 100 }
      const [a, b] = [first, second].map((db) => memoryService({ db }).limiter('/login', options))
      const waits = Array.from({ length: 6 }, (_, index) => (index % 2 ? b! : a!).take('192.0.2.7'))
      expect(waits.slice(0, 4)).toEqual([0, 0, 0, 0])
      for (const wait of waits.slice(4)) expect([wait > 0, wait <= 60]).toEqual([true, true])
      expect(b!.take('192.0.2.8')).toBe(0)
      expect(memoryService({ db: second }).limiter('/setup', options).take('192.0.2.7')).toBe(0)
      const stored = JSON.stringify(
        first.$client.prepare('select name, encode(key, ?) from limits').raw().all('escape'),
      )
      expect(stored).toContain('/login')
      expect(stored).not.toContain('192.0.2')
    }))

  test('starts a new count after a window and purges expired ones', () =>
    withTwoConnections((first, second) => {
      const [a, b] = [first, second].map((db) =>
        memoryService({ db }).limiter('short', { limit: 1, windowMs: MINUTE, capacity: 9 }),
      )
      expect([a!.take('x'), b!.take('x') > 0]).toEqual([0, true])
      // Simulates that a minute has passed.
      first.$client.exec(`update limits set ends_at = ends_at - ${MINUTE}`)
      expect([b!.take('x'), a!.take('x') > 0]).toEqual([0, true])
      first.$client.exec(`update limits set ends_at = ends_at - ${MINUTE}`)
      memoryService({ db: second }).purge()
      expect(first.$client.prepare('select count(*) from limits').pluck().get()).toBe(0)
    }))

  test('stays near its capacity', () =>
    withTwoConnections((first, second) => {
      const { take } = memoryService({ db: first }).limiter('many', { limit: 1, windowMs: MINUTE, capacity: 50 })
      for (let index = 0; index < 620; index++) take(`visitor ${index}`)
      const count = second.$client.prepare("select count(*) from limits where name = 'many'").pluck().get()
      expect(count).toBeLessThanOrEqual(250)
      // The newest keys remain.
      expect(take('visitor 619')).toBeGreaterThan(0)
    }))

  test('returns a value once to the other process', () =>
    withTwoConnections((first, second) => {
      const options = { maxBytes: 1000, maxEntries: 10, sizeOf: () => 1, ttlMs: MINUTE }
      const [a, b] = [first, second].map((db) => memoryService({ db }).store<string>('notices', options))
      a!.set('session', 'Saved: “Zürich”.')
      expect([b!.get('session'), b!.take('session'), a!.take('session')]).toEqual([
        'Saved: “Zürich”.',
        'Saved: “Zürich”.',
        undefined,
      ])
      a!.set('session', 'One')
      b!.set('session', 'Two')
      expect(a!.get('session')).toBe('Two')
      first.$client.exec(`update remembered set ends_at = ends_at - ${MINUTE}`)
      expect(b!.get('session')).toBeUndefined()
    }))

  test('accepts the setup code of either process', () =>
    withTwoConnections((first, second) => {
      const [a, b] = [first, second].map((db) => setupCode(memoryService({ db })))
      expect([b!.matches(a!.announce()!), a!.matches(b!.announce()!)]).toEqual([true, true])
      expect(a!.matches('AAAA-AAAA')).toBe(false)
    }))
})
