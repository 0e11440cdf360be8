import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { permissions } from '../../../src/access/permissions.ts'
import { scopeNames } from '../../../src/access/scopes.ts'
import { databasePath } from '../../../src/db/directory.ts'
import { requireSqlite } from '../../../src/db/sqlite/sqlite.ts'
import { isApiKey, newApiKey } from '../../../src/lib/secret.ts'
import { paxlog } from '../../support/paxlog.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Contract 10.5: CRC-32 of the 37 characters in base 62, padded with 0 on the left. */
function checksum(random: string): string {
  let rest = BigInt(crc32(random))
  let text = ''
  for (; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text
  return text.padStart(6, '0')
}

async function withOwner() {
  const server = await paxlog()
  const { id } = server.user({ owner: true })
  return { ...server, owner: { id, permissions: new Set(permissions) } }
}

describe('the text of an API key', () => {
  test('B16: consists of pxl_, 37 random characters and their checksum', () => {
    for (let round = 0; round < 200; round++) {
      const key = newApiKey()
      expect(key).toMatch(/^pxl_[0-9A-Za-z]{43}$/)
      expect(key.slice(41)).toBe(checksum(key.slice(4, 41)))
      expect(isApiKey(key)).toBe(true)
    }
  })

  test('B16: uses all 62 characters and never repeats', () => {
    const keys = Array.from({ length: 500 }, newApiKey)
    expect(new Set(keys).size).toBe(500)
    expect(new Set(keys.flatMap((key) => [...key.slice(4, 41)])).size).toBe(62)
  })

  test('is invalid with one character changed', () => {
    const key = newApiKey()
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a'
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }
  })
})

describe('a new key', () => {
  test('is shown once and stored only as a digest', async () => {
    const { services, owner, dataDir, as, db } = await withOwner()
    const { key } = await services.keys.create(owner, { name: ' Laptop ', scopes: ['profile.read'] })
    expect((await as(key).get('/me')).status).toBe(200)
    expect(JSON.stringify(services.keys.listOf(owner.id))).not.toContain(key)
    requireSqlite(db).pragma('wal_checkpoint(truncate)')
    const file = readFileSync(databasePath(dataDir))
    expect(file.includes('Laptop')).toBe(true)
    expect(file.includes(key.slice(4))).toBe(false)
  })

  test('has a trimmed name of 1 to 100 characters and at least one scope', async () => {
    const { services, owner } = await withOwner()
    const create = (name: string, scopes: string[] = ['profile.read']) => services.keys.create(owner, { name, scopes })
    expect((await create(`  ${'😀'.repeat(100)} `)).name).toBe('😀'.repeat(100))
    for (const name of ['', '   ', 'x'.repeat(101), 'a\0b', 'a\ud800']) {
      await expect(create(name)).rejects.toThrow(expect.objectContaining({ code: 'validation_failed' }))
    }
    await expect(create('Empty', [])).rejects.toThrow(expect.objectContaining({ code: 'validation_failed' }))
  })

  test('has only known scopes that the role grants, in catalogue order', async () => {
    const { services, owner, user } = await withOwner()
    const created = await services.keys.create(owner, { name: 'All', scopes: [...scopeNames].reverse() })
    expect(created.scopes).toEqual(scopeNames)
    const narrow = { id: user({ role: [] }).id, permissions: new Set<never>() }
    const create = (scopes: string[]) => services.keys.create(narrow, { name: 'Key', scopes })
    const { scopes } = await create(['reference_data.read', 'profile.read'])
    expect(scopes).toEqual(['profile.read', 'reference_data.read'])
    for (const scope of ['flight.read.own', 'users.delete', 'roles.manage', 'gone.scope', '']) {
      await expect(create(['profile.read', scope])).rejects.toThrow(expect.objectContaining({ code: 'forbidden' }))
    }
  })

  test('is rejected after 100 keys', async () => {
    const { services, owner } = await withOwner()
    const create = () => services.keys.create(owner, { name: 'Key', scopes: ['profile.read'] })
    // The helper created one key with the account.
    for (let count = 1; count < 100; count++) await create()
    await expect(create()).rejects.toThrow(expect.objectContaining({ code: 'validation_failed' }))
    await services.keys.remove(services.keys.listOf(owner.id)[0]!.id)
    await create()
  })
})
