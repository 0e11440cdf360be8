import { setImmediate as nextTurn } from 'node:timers/promises'
import argon2 from 'argon2'
import { describe, expect, test } from 'vitest'
import { requireSqlite } from '../../../src/db/sqlite/sqlite.ts'
import { digest } from '../../../src/lib/secret.ts'
import { paxlog } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PASSWORD = 'correct horse battery'

async function withClock() {
  let time = Date.parse('2026-03-01T12:00:00Z')
  const instance = await paxlog({ now: () => time })
  const rows = () =>
    instance.db.$client.prepare('select hash, user_id, created_at, last_used_at from sessions').all() as {
      hash: Buffer
      user_id: string
      last_used_at: number
    }[]
  return { ...instance, rows, wait: (ms: number) => (time += ms), now: () => time }
}

describe('a session', () => {
  test('has a random id of 43 characters, stored only as a digest', async () => {
    const { services, user, rows } = await withClock()
    const { id: userId } = user()
    const ids = [await services.sessions.start(userId), await services.sessions.start(userId)]
    expect(ids[0]).toMatch(/^[\w-]{43}$/)
    expect(ids[0]).not.toBe(ids[1])
    expect(
      rows()
        .map(({ hash }) => hash.toString('hex'))
        .sort(),
    ).toEqual(ids.map((id) => digest(id).toString('hex')).sort())
  })

  test('returns the caller with the current role', async () => {
    const { services, user, role, db } = await withClock()
    const { id, username } = user({ role: ['flight.read.own'] })
    const session = await services.sessions.start(id)
    const caller = services.sessions.find(session)!.caller
    expect([caller.userId, caller.username, caller.isOwner]).toEqual([id, username, false])
    expect([...caller.permissions]).toEqual(['flight.read.own'])
    runNow(db, 'update users set role_id = ? where id = ?', role([]), id)
    expect([...services.sessions.find(session)!.caller.permissions]).toEqual([])
  })

  test('returns every permission for the owner', async () => {
    const { services, user } = await withClock()
    const session = await services.sessions.start(user({ owner: true }).id)
    const { caller } = services.sessions.find(session)!
    expect([caller.isOwner, caller.role, caller.permissions.size]).toEqual([true, null, 25])
  })

  test('is renewed on use, at most once an hour', async () => {
    const { services, user, rows, wait, now } = await withClock()
    const session = await services.sessions.start(user().id)
    const start = now()
    wait(HOUR - 1)
    expect(services.sessions.find(session)!.renewed).toBe(false)
    expect(rows()[0]!.last_used_at).toBe(start)
    wait(1)
    expect(services.sessions.find(session)!.renewed).toBe(true)
    await nextTurn()
    expect(rows()[0]!.last_used_at).toBe(start + HOUR)
    expect(services.sessions.find(session)!.renewed).toBe(false)
  })

  test('C15: ends 30 days after its last use, not after its start', async () => {
    const { services, user, wait } = await withClock()
    const session = await services.sessions.start(user().id)
    wait(29 * DAY)
    expect(services.sessions.find(session)).toBeDefined()
    await nextTurn()
    wait(30 * DAY - 1)
    expect(services.sessions.find(session)).toBeDefined()
    await nextTurn()
    wait(30 * DAY)
    expect(services.sessions.find(session)).toBeUndefined()
  })

  test('is deleted by the next sign-in after it expires', async () => {
    const { services, user, rows, wait } = await withClock()
    const { id } = user()
    await services.sessions.start(id)
    wait(30 * DAY)
    await services.sessions.start(id)
    expect(rows()).toHaveLength(1)
  })

  test('C22: can be ended separately, and ends when its user is deleted', async () => {
    const { services, user, db, rows } = await withClock()
    const { id } = user()
    const [one, other] = [await services.sessions.start(id), await services.sessions.start(id)]
    await services.sessions.end(one)
    expect([services.sessions.find(one), services.sessions.find(other)?.caller.userId]).toEqual([undefined, id])
    runNow(db, 'delete from users where id = ?', id)
    expect(services.sessions.find(other)).toBeUndefined()
    expect(rows()).toEqual([])
  })

  test('stays valid if it cannot be renewed because the disk is full', async () => {
    const { services, user, rows, wait, now, db } = await withClock()
    const session = await services.sessions.start(user().id)
    const start = now()
    wait(2 * HOUR)
    requireSqlite(db).pragma('query_only = true')
    expect(services.sessions.find(session)).toBeDefined()
    await nextTurn()
    requireSqlite(db).pragma('query_only = false')
    expect(rows()[0]!.last_used_at).toBe(start)
    // The next request retries.
    services.sessions.find(session)
    await nextTurn()
    expect(rows()[0]!.last_used_at).toBe(now())
  })
})

describe('signing in', () => {
  test('C14: replaces the previous session of the browser', async () => {
    const { services } = await withClock()
    await services.users.createOwner({ username: 'mira', password: PASSWORD })
    const first = (await services.sessions.signIn('mira', PASSWORD))!
    const second = (await services.sessions.signIn('MIRA', PASSWORD, first))!
    expect(second).not.toBe(first)
    expect(services.sessions.find(first)).toBeUndefined()
    expect(services.sessions.find(second)!.caller.username).toBe('mira')
  })

  test('fails if the password changes during verification', async () => {
    const { services, rows, db } = await withClock()
    const { id } = await services.users.createOwner({ username: 'mira', password: PASSWORD })
    const late = services.sessions.signIn('mira', PASSWORD)
    runNow(db, "update users set password_hash = 'another' where id = ?", id)
    expect(await late).toBeUndefined()
    expect(rows()).toEqual([])
  })

  test('C19: rehashes only passwords with weaker parameters', async () => {
    const { services, db } = await withClock()
    const { id } = await services.users.createOwner({ username: 'mira', password: PASSWORD })
    const stored = () => db.$client.prepare('select password_hash from users where id = ?').pluck().get(id) as string
    const good = stored()
    expect(good).toMatch(/^\$argon2id\$v=19\$m=19456,(p=1,t=2|t=2,p=1)\$[\w+/]{22}\$[\w+/]{43}$/)
    await services.sessions.signIn('mira', PASSWORD)
    expect(stored()).toBe(good)
    const weak = await argon2.hash(PASSWORD, { memoryCost: 1024, timeCost: 2, parallelism: 1 })
    runNow(db, 'update users set password_hash = ? where id = ?', weak, id)
    expect(await services.sessions.signIn('mira', 'wrong password')).toBeUndefined()
    expect(stored()).toBe(weak)
    expect(await services.sessions.signIn('mira', PASSWORD)).toBeDefined()
    expect(stored()).toContain('m=19456')
    expect(await services.sessions.signIn('mira', PASSWORD)).toBeDefined()
  })

  test('C21: rejects invalid passwords and accepts every Unicode form of the right one', async () => {
    const { services } = await withClock()
    await services.users.createOwner({ username: 'mira', password: 'Zürich \u212bngström' })
    for (const password of ['', 'x'.repeat(1_000_000), `Zürich \u212bngström\0`, 'Zürich']) {
      expect(await services.sessions.signIn('mira', password)).toBeUndefined()
    }
    expect(await services.sessions.signIn('mira', 'Zu\u0308rich A\u030angström')).toBeDefined()
  })

  test('C18: computes a hash for unknown users too', async () => {
    const { services } = await withClock()
    await services.users.createOwner({ username: 'mira', password: PASSWORD })
    async function signInTime(username: string) {
      const start = performance.now()
      await services.sessions.signIn(username, 'wrong password')
      return performance.now() - start
    }
    // Take the minimum of several attempts, because load only makes attempts slower.
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 0; round < 7; round++) {
      known = Math.min(known, await signInTime('mira'))
      unknown = Math.min(unknown, await signInTime('nobody'))
    }
    expect(unknown).toBeGreaterThan(known / 2)
    expect(unknown).toBeLessThan(known * 2)
  })
})

describe('changing the password', () => {
  test('C14: ends every session of the user, starts a new one and keeps those of other users', async () => {
    const { services, user } = await withClock()
    const { id } = await services.users.createOwner({ username: 'mira', password: PASSWORD })
    const other = await services.sessions.start(user().id)
    const old = [await services.sessions.start(id), await services.sessions.start(id)]
    const fresh = await services.sessions.changePassword(id, PASSWORD, 'another good password')
    expect(old.map((session) => services.sessions.find(session))).toEqual([undefined, undefined])
    expect(services.sessions.find(fresh)!.caller.userId).toBe(id)
    expect(services.sessions.find(other)).toBeDefined()
    expect(await services.sessions.signIn('mira', PASSWORD)).toBeUndefined()
    expect(await services.sessions.signIn('mira', 'another good password')).toBeDefined()
  })
})
