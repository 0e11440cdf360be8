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

async function clocked() {
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
  test('has a random id of 43 characters, of which the table keeps only the digest', async () => {
    const { services, user, rows } = await clocked()
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

  test('gives the caller with the role of this moment', async () => {
    const { services, user, role, db } = await clocked()
    const { id, username } = user({ role: ['flight.read.own'] })
    const session = await services.sessions.start(id)
    const caller = services.sessions.find(session)!.caller
    expect([caller.userId, caller.username, caller.isOwner]).toEqual([id, username, false])
    expect([...caller.permissions]).toEqual(['flight.read.own'])
    runNow(db, 'update users set role_id = ? where id = ?', role([]), id)
    expect([...services.sessions.find(session)!.caller.permissions]).toEqual([])
  })

  test('of the owner holds every permission', async () => {
    const { services, user } = await clocked()
    const session = await services.sessions.start(user({ owner: true }).id)
    const { caller } = services.sessions.find(session)!
    expect([caller.isOwner, caller.role, caller.permissions.size]).toEqual([true, null, 25])
  })

  test('is renewed by use, at most once an hour', async () => {
    const { services, user, rows, wait, now } = await clocked()
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
    const { services, user, wait } = await clocked()
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

  test('that is over is swept away by the next sign-in', async () => {
    const { services, user, rows, wait } = await clocked()
    const { id } = user()
    await services.sessions.start(id)
    wait(30 * DAY)
    await services.sessions.start(id)
    expect(rows()).toHaveLength(1)
  })

  test('C22: can be ended alone, and ends with its user', async () => {
    const { services, user, db, rows } = await clocked()
    const { id } = user()
    const [one, other] = [await services.sessions.start(id), await services.sessions.start(id)]
    await services.sessions.end(one)
    expect([services.sessions.find(one), services.sessions.find(other)?.caller.userId]).toEqual([undefined, id])
    runNow(db, 'delete from users where id = ?', id)
    expect(services.sessions.find(other)).toBeUndefined()
    expect(rows()).toEqual([])
  })

  test('that cannot be renewed because the disk refuses is still read', async () => {
    const { services, user, rows, wait, now, db } = await clocked()
    const session = await services.sessions.start(user().id)
    const start = now()
    wait(2 * HOUR)
    requireSqlite(db).pragma('query_only = true')
    expect(services.sessions.find(session)).toBeDefined()
    await nextTurn()
    requireSqlite(db).pragma('query_only = false')
    expect(rows()[0]!.last_used_at).toBe(start)
    // The next request tries again.
    services.sessions.find(session)
    await nextTurn()
    expect(rows()[0]!.last_used_at).toBe(now())
  })
})

describe('signing in', () => {
  test('C14: replaces the session that the browser had', async () => {
    const { services } = await clocked()
    await services.users.createOwner({ username: 'mira', password: PASSWORD })
    const first = (await services.sessions.signIn('mira', PASSWORD))!
    const second = (await services.sessions.signIn('MIRA', PASSWORD, first))!
    expect(second).not.toBe(first)
    expect(services.sessions.find(first)).toBeUndefined()
    expect(services.sessions.find(second)!.caller.username).toBe('mira')
  })

  test('with a password that is changed while it is verified opens nothing', async () => {
    const { services, rows, db } = await clocked()
    const { id } = await services.users.createOwner({ username: 'mira', password: PASSWORD })
    const late = services.sessions.signIn('mira', PASSWORD)
    runNow(db, "update users set password_hash = 'another' where id = ?", id)
    expect(await late).toBeUndefined()
    expect(rows()).toEqual([])
  })

  test('C19: renews a hash that was made with weaker parameters, and no other', async () => {
    const { services, db } = await clocked()
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

  test('C21: refuses passwords that nobody can have, and takes every form of the same letters', async () => {
    const { services } = await clocked()
    await services.users.createOwner({ username: 'mira', password: 'Zürich \u212bngström' })
    for (const password of ['', 'x'.repeat(1_000_000), `Zürich \u212bngström\0`, 'Zürich']) {
      expect(await services.sessions.signIn('mira', password)).toBeUndefined()
    }
    expect(await services.sessions.signIn('mira', 'Zu\u0308rich A\u030angström')).toBeDefined()
  })

  test('C18: costs an unknown user a hash too', async () => {
    const { services } = await clocked()
    await services.users.createOwner({ username: 'mira', password: PASSWORD })
    async function signInTime(username: string) {
      const start = performance.now()
      await services.sessions.signIn(username, 'wrong password')
      return performance.now() - start
    }
    // The shortest of several: a busy machine makes single attempts longer, never shorter.
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
  test('C14: ends every session of the user, begins a new one, and leaves other users alone', async () => {
    const { services, user } = await clocked()
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
