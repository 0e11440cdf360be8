import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pendingUploads } from '../../../src/domain/transfer/pending-uploads.ts'

const USERS = 12
const UPLOADS_PER_USER = 40
const HALF_AN_HOUR_MS = 30 * 60_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paxlog-uploads-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const by = (user: number) => ({ userId: `user ${user}`, session: `session ${user}` })

describe('pending uploads', () => {
  /** Over PostgreSQL several servers share one folder. */
  const modes: [name: string, isShared: boolean, servers: number][] = [
    ['one server with its own folder', false, 1],
    ['three servers with a shared folder', true, 3],
  ]
  test.each(modes)('are all kept with many concurrent users: %s', async (_name, isShared, servers) => {
    const stores = Array.from({ length: servers }, () => pendingUploads({ folder, isShared, clock: Date.now }))
    const lost: string[] = []
    async function uploadAll(user: number): Promise<void> {
      for (let round = 0; round < UPLOADS_PER_USER; round++) {
        const [first, second] = [stores[(user + round) % servers]!, stores[(user + round + 1) % servers]!]
        const text = `${user} ${round}`
        await first.keep(by(user), Buffer.from(text), { text })
        const found = await second.find<{ text: string }>(by(user))
        const content = await found?.content()
        if (found?.note.text !== text || content?.toString() !== text) lost.push(text)
        if (round % 10 === 0) await second.sweep()
      }
    }
    await Promise.all(Array.from({ length: USERS }, (_, user) => uploadAll(user)))
    expect(lost).toEqual([])
    expect(readdirSync(folder)).toHaveLength(2 * USERS)
  })

  test('keep only the latest one of a user', async () => {
    const store = pendingUploads({ folder, clock: Date.now })
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => store.keep(by(1), Buffer.from(text), { text })))
    const found = await store.find<{ text: string }>(by(1))
    expect((await found?.content())?.toString()).toBe(found?.note.text)
    await store.remove(by(1).userId)
    expect(readdirSync(folder)).toEqual([])
  })

  test('are not replaced by the report of an earlier one', async () => {
    const store = pendingUploads({ folder, clock: Date.now })
    await store.keep(by(1), Buffer.from('a'), { text: 'a' })
    const earlier = await store.find<{ text: string }>(by(1))
    await store.keep(by(1), Buffer.from('b'), { text: 'b' })
    await earlier!.replaceNote({ text: 'a done' })
    expect(await earlier!.content()).toBeUndefined()
    expect((await store.find<{ text: string }>(by(1)))?.note.text).toBe('b')
  })

  test('are kept if the clock of their server is a minute ahead', async () => {
    const ahead = pendingUploads({ folder, isShared: true, clock: () => Date.now() + 60_000 })
    const store = pendingUploads({ folder, isShared: true, clock: Date.now })
    await ahead.keep(by(1), Buffer.from('a'), {})
    await store.sweep()
    expect((await (await store.find(by(1)))?.content())?.toString()).toBe('a')
    await store.keep(by(1), Buffer.from('b'), {})
    expect((await (await store.find(by(1)))?.content())?.toString()).toBe('b')
  })
})

test('are deleted by a sweep only after they expire, with or without a note', async () => {
  let now = Date.now()
  const store = pendingUploads({ folder, isShared: true, clock: () => now })
  await store.keep(by(1), Buffer.from('a'), {})
  await store.keep(by(2), Buffer.from('b'), {})
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith('.json'))
    .slice(0, 1))
    rmSync(join(folder, name))
  now += HALF_AN_HOUR_MS - 1
  await store.keep(by(3), Buffer.from('c'), {})
  await store.sweep()
  expect(readdirSync(folder)).toHaveLength(5)
  now += 1
  await store.sweep()
  expect(readdirSync(folder)).toHaveLength(2)
  expect((await (await store.find(by(3)))?.content())?.toString()).toBe('c')
})
