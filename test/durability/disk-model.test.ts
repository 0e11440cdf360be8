import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/paxlog.ts'
import { seeded } from '../support/random.ts'
import { diskModel, type Survival } from './disk-model.ts'
import type { Call } from './system-calls.ts'

/** The files by name after these calls and a power cut. */
function filesAfter(calls: Call[], survival: Survival, seed = 1): Record<string, string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'old'), 'old content')
  const disk = diskModel(folder)
  calls.forEach((call, number) => {
    const to = 'to' in call ? { to: join(folder, call.to) } : {}
    const path = 'path' in call ? { path: join(folder, call.path) } : {}
    disk.apply({ ...call, ...path, ...to, number } as Parameters<typeof disk.apply>[0])
  })
  const restored = temporaryFolder()
  disk.restore(restored, seeded(seed), survival)
  const names = readdirSync(restored, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(names.map((name) => [name, contentOf(join(restored, name))]))
}

const contentOf = (path: string) => (statSync(path).isDirectory() ? 'a folder' : readFileSync(path, 'latin1'))
const write = (path: string, data: string, at = 0): Call => ({ kind: 'write', path, at, data: Buffer.from(data) })
const flush = (path: string, startedAt = 99): Call => ({ kind: 'flush', path, startedAt })
const create = (path: string): Call => ({ kind: 'create', path })

const none: Survival = { contents: 'none', names: 'none' }
const all: Survival = { contents: 'all', names: 'all' }

test('the disk model loses unflushed writes and keeps flushed ones', () => {
  const calls = [write('old', 'new'), flush('old'), write('old', 'NEW')]
  expect(filesAfter(calls, none)).toEqual({ old: 'new content' })
  expect(filesAfter(calls, all)).toEqual({ old: 'NEW content' })
  // A flush does not cover writes after its start.
  expect(filesAfter([write('old', 'new'), flush('old', 0)], none)).toEqual({ old: 'old content' })
})

test('the disk model loses a new name unless its folder is flushed', () => {
  const calls = [create('new'), write('new', 'x'), flush('new')]
  expect(filesAfter(calls, none)).toEqual({ old: 'old content' })
  expect(filesAfter([...calls, flush('')], none)).toEqual({ old: 'old content', new: 'x' })
  expect(filesAfter([create('new'), write('new', 'x'), flush('')], none)).toEqual({ old: 'old content', new: '' })
  const inside: Call[] = [{ kind: 'create-folder', path: 'in' }, create('in/new'), flush('in')]
  expect(filesAfter(inside, none)).toEqual({ old: 'old content' })
  expect(filesAfter([...inside, flush('')], none)).toEqual({ old: 'old content', in: 'a folder', 'in/new': '' })
})

test('the disk model restores removed files and renames atomically', () => {
  expect(filesAfter([{ kind: 'remove', path: 'old' }], none)).toEqual({ old: 'old content' })
  expect(filesAfter([{ kind: 'remove', path: 'old' }, flush('')], none)).toEqual({})
  const calls: Call[] = [{ kind: 'rename', path: 'old', to: 'new' }]
  const seen = new Set<string>()
  for (let seed = 0; seed < 20; seed++)
    seen.add(Object.keys(filesAfter(calls, { contents: 'none', names: 'some' }, seed)).join())
  expect([...seen].sort()).toEqual(['new', 'old'])
})

test('the disk model tears writes between sectors and fills gaps with zeros', () => {
  const calls = [write('old', 'a'.repeat(2000), 100)]
  const lengths = new Set<number>()
  for (let seed = 0; seed < 100; seed++) {
    const { old } = filesAfter(calls, { contents: 'torn', names: 'none' }, seed)
    lengths.add(old!.length)
  }
  expect([...lengths].sort((a, b) => a - b)).toEqual([11, 512, 1024, 1536, 2048, 2100])
  const pieces = filesAfter([write('old', 'a'.repeat(51_200))], { contents: 'sectors', names: 'none' }).old!
  expect(pieces).toMatch(/^(old content\0{501}|a{512})(\0{512}|a{512})*$/)
  expect(pieces).toMatch(/\0a/)
  expect(filesAfter([{ kind: 'resize', path: 'old', size: 3 }, write('old', '!', 5)], all)).toEqual({ old: 'old\0\0!' })
})
