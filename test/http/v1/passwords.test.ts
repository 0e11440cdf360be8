import argon2 from 'argon2'
import { describe, expect, test, vi } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import { insertRow, otherConnection } from '../../support/other-connection.ts'
import { paxlog } from '../../support/paxlog.ts'

const PHC = /^\$argon2id\$v=19\$([a-z0-9=,]+)\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/
const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body?.error?.code,
]

async function withOwner() {
  const server = await paxlog()
  const hashOf = (id: string) =>
    String(server.db.$client.prepare('select password_hash from users where id = ?').pluck().get(id))
  return { ...server, owner: server.as(server.user({ owner: true })), hashOf }
}

describe('a password', () => {
  test('is stored as Argon2id with 19456 KiB, 2 passes, 1 lane, 16 bytes of salt and 32 of output', async () => {
    const { owner, hashOf } = await withOwner()
    const [a, b] = [
      await owner.post('/users', { username: 'one', password: 'long enough' }),
      await owner.post('/users', { username: 'two', password: 'long enough' }),
    ]
    const hashes = [hashOf(a.body.data.id), hashOf(b.body.data.id)]
    for (const hash of hashes) expect(PHC.exec(hash)?.[1]?.split(',').sort()).toEqual(['m=19456', 'p=1', 't=2'])
    expect(hashes[0]).not.toBe(hashes[1])
  })

  test('is normalised by NFKC before hashing and otherwise used as sent', async () => {
    const { owner, hashOf } = await withOwner()
    const { body } = await owner.post('/users', { username: 'mira', password: ' Ünï\u212B\uFF21 12 ' })
    const hash = hashOf(body.data.id)
    expect(await argon2.verify(hash, ' U\u0308n\u00EF\u00C5A 12 '.normalize('NFKC'))).toBe(true)
    expect(await argon2.verify(hash, 'Ünï\u00C5A 12')).toBe(false)
  })

  test('is accepted with 8 characters and with 1024 bytes', async () => {
    const { owner } = await withOwner()
    for (const [username, password] of [
      ['one', '12345678'],
      ['two', 'ü'.repeat(512)],
      ['three', '😀'.repeat(8)],
    ]) {
      expect((await owner.post('/users', { username, password })).status).toBe(201)
    }
  })

  test('ends the sessions and OAuth tokens of its user when reset, but keeps API keys and other users', async () => {
    const { owner, as, user, hashOf, db, dataDir } = await withOwner()
    const [mira, noor] = [user(), user()]
    const other = otherConnection(dataDir)
    for (const { id } of [mira, noor]) {
      insertRow(other, 'sessions', { user_id: id })
      insertRow(other, 'oauth_clients', { id: `client-${id}`, auth_method: 'none' })
      const grant = insertRow(other, 'oauth_grants', { client_id: `client-${id}`, user_id: id })
      const family = insertRow(other, 'oauth_families', { grant_id: grant })
      insertRow(other, 'oauth_codes', { grant_id: grant, family_id: family })
    }
    expect((await owner.put(`/users/${mira.id}`, { password: 'another one' })).status).toBe(200)
    expect(await argon2.verify(hashOf(mira.id), 'another one')).toBe(true)
    const users = (sql: string) => db.$client.prepare(sql).pluck().all()
    expect(users('select user_id from sessions')).toEqual([noor.id])
    const activeGrants =
      'select g.user_id from oauth_grants g join oauth_families f on f.grant_id = g.id where f.revoked_at is null'
    expect(users(activeGrants)).toEqual([noor.id])
    const unspentCodes =
      'select g.user_id from oauth_grants g join oauth_codes c on c.grant_id = g.id where c.spent_at is null'
    expect(users(unspentCodes)).toEqual([noor.id])
    expect((await as(mira).get('/me')).status).toBe(200)
  })

  test('is not required for other changes', async () => {
    const { owner, user, hashOf } = await withOwner()
    const { id } = user()
    await owner.put(`/users/${id}`, { displayName: 'Another' })
    expect(hashOf(id)).toBe('none')
  })
})

describe('password hashing', () => {
  test('runs two at a time, queues fifty, and returns 503 with Retry-After for the next', async () => {
    const { owner } = await withOwner()
    let running = 0
    let maxRunning = 0
    const real = argon2.hash
    const spy = vi.spyOn(argon2, 'hash').mockImplementation((async (...given: Parameters<typeof real>) => {
      maxRunning = Math.max(maxRunning, ++running)
      try {
        return await real(...given)
      } finally {
        running--
      }
    }) as typeof real)
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => owner.post('/users', { username: `user-${n}`, password: 'long enough' })),
    )
    spy.mockRestore()
    const rejected = answers.filter(({ status }) => status !== 201)
    expect(maxRunning).toBe(2)
    expect(rejected).toHaveLength(8)
    for (const answer of rejected) {
      expect(outcome(answer)).toEqual([503, 'internal_error'])
      expect(answer.headers['retry-after']).toBe('5')
    }
    expect((await owner.post('/users', { username: 'late', password: 'long enough' })).status).toBe(201)
  })

  test('does not start for a request that is rejected', async () => {
    const { owner, as, user } = await withOwner()
    const spy = vi.spyOn(argon2, 'hash')
    const taken = user({ username: 'mira' })
    await owner.post('/users', { username: 'mira', password: 'long enough' })
    await owner.post('/users', { username: 'noor', password: 'long enough', roleId: 'none' })
    await as(user()).post('/users', { username: 'noor', password: 'long enough' })
    await as(taken).put(`/users/${taken.id}`, { password: 'long enough' })
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  })
})

describe('a change during password hashing', () => {
  const GRANTED: Permission[] = ['users.create', 'users.update', 'users.roles.assign', 'flight.read.own']

  test('prevents assigning a role that gains permissions the caller lacks', async () => {
    const { owner, as, user, role } = await withOwner()
    const given = role([])
    const creator = as(user({ role: GRANTED }))
    const creating = creator.post('/users', { username: 'mira', password: 'long enough', roleId: given })
    await owner.put(`/roles/${given}`, { name: 'Grown', permissions: ['roles.manage'] })
    expect(outcome(await creating)).toEqual([403, 'forbidden'])
  })

  test('prevents creating a user if the caller loses the permission or the account', async () => {
    const { owner, as, user } = await withOwner()
    const [reduced, removed] = [user({ role: GRANTED }), user({ role: GRANTED })]
    const body = (username: string) => ({ username, password: 'long enough' })
    const creating = [as(reduced).post('/users', body('one')), as(removed).post('/users', body('two'))]
    await owner.put(`/users/${reduced.id}`, { roleId: 'role-user' })
    await owner.delete(`/users/${removed.id}`)
    expect((await Promise.all(creating)).map(outcome)).toEqual([
      [403, 'forbidden'],
      [401, 'unauthorized'],
    ])
  })

  test('keeps the old password of a user who gains permissions the caller lacks', async () => {
    const { owner, as, user, hashOf } = await withOwner()
    const target = user({ role: [] })
    const changing = as(user({ role: GRANTED })).put(`/users/${target.id}`, { password: 'long enough' })
    await owner.put(`/users/${target.id}`, { roleId: 'role-administrator' })
    expect(outcome(await changing)).toEqual([403, 'forbidden'])
    expect(hashOf(target.id)).toBe('none')
  })

  test('creates only one of two accounts whose usernames differ only in case', async () => {
    const { owner } = await withOwner()
    for (let round = 0; round < 5; round++) {
      const name = `mira${round}`
      const answers = await Promise.all(
        [name, name.toUpperCase()].map((username) => owner.post('/users', { username, password: 'long enough' })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    }
  })
})
