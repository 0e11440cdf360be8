import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/paxlog.ts'
import { seeded } from '../support/random.ts'
import { diskModel, type Fates } from './disk-model.ts'
import type { Call } from './system-calls.ts'

/** What a disk holds after these calls, by name, if the power goes then. */
function after(calls: Call[], kept: Fates, seed = 1): Record<string, string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'old'), 'old content')
  const disk = diskModel(folder)
  calls.forEach((call, number) => {
    const to = 'to' in call ? { to: join(folder, call.to) } : {}
    const path = 'path' in call ? { path: join(folder, call.path) } : {}
    disk.apply({ ...call, ...path, ...to, number } as Parameters<typeof disk.apply>[0])
  })
  const found = temporaryFolder()
  disk.restore(found, seeded(seed), kept)
  const names = readdirSync(found, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(names.map((name) => [name, contentOf(join(found, name))]))
}

const contentOf = (path: string) => (statSync(path).isDirectory() ? 'a folder' : readFileSync(path, 'latin1'))
const write = (path: string, data: string, at = 0): Call => ({ kind: 'write', path, at, data: Buffer.from(data) })
const flush = (path: string, begun = 99): Call => ({ kind: 'flush', path, begun })
const create = (path: string): Call => ({ kind: 'create', path })

const none: Fates = { contents: 'none', names: 'none' }
const all: Fates = { contents: 'all', names: 'all' }

test('the modelled disk forgets a write that was not flushed, and keeps one that was', () => {
  const calls = [write('old', 'new'), flush('old'), write('old', 'NEW')]
  expect(after(calls, none)).toEqual({ old: 'new content' })
  expect(after(calls, all)).toEqual({ old: 'NEW content' })
  // A flush covers what came before it began, not what another process wrote until it ended.
  expect(after([write('old', 'new'), flush('old', 0)], none)).toEqual({ old: 'old content' })
})

test('the modelled disk forgets a new name until its folder is flushed, however often the file is', () => {
  const calls = [create('new'), write('new', 'x'), flush('new')]
  expect(after(calls, none)).toEqual({ old: 'old content' })
  expect(after([...calls, flush('')], none)).toEqual({ old: 'old content', new: 'x' })
  expect(after([create('new'), write('new', 'x'), flush('')], none)).toEqual({ old: 'old content', new: '' })
  const inside: Call[] = [{ kind: 'create-folder', path: 'in' }, create('in/new'), flush('in')]
  expect(after(inside, none)).toEqual({ old: 'old content' })
  expect(after([...inside, flush('')], none)).toEqual({ old: 'old content', in: 'a folder', 'in/new': '' })
})

test('the modelled disk brings back what was removed, and renames as a whole or not at all', () => {
  expect(after([{ kind: 'remove', path: 'old' }], none)).toEqual({ old: 'old content' })
  expect(after([{ kind: 'remove', path: 'old' }, flush('')], none)).toEqual({})
  const calls: Call[] = [{ kind: 'rename', path: 'old', to: 'new' }]
  const seen = new Set<string>()
  for (let seed = 0; seed < 20; seed++)
    seen.add(Object.keys(after(calls, { contents: 'none', names: 'some' }, seed)).join())
  expect([...seen].sort()).toEqual(['new', 'old'])
})

test('the modelled disk tears a write between sectors, and leaves zeros where nothing was written', () => {
  const calls = [write('old', 'a'.repeat(2000), 100)]
  const lengths = new Set<number>()
  for (let seed = 0; seed < 100; seed++) {
    const { old } = after(calls, { contents: 'torn', names: 'none' }, seed)
    lengths.add(old!.length)
  }
  expect([...lengths].sort((a, b) => a - b)).toEqual([11, 512, 1024, 1536, 2048, 2100])
  const pieces = after([write('old', 'a'.repeat(51_200))], { contents: 'sectors', names: 'none' }).old!
  expect(pieces).toMatch(/^(old content\0{501}|a{512})(\0{512}|a{512})*$/)
  expect(pieces).toMatch(/\0a/)
  expect(after([{ kind: 'resize', path: 'old', size: 3 }, write('old', '!', 5)], all)).toEqual({ old: 'old\0\0!' })
})
