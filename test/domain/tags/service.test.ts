import { expect, test } from 'vitest'
import type { Caller } from '../../../src/access/caller.ts'
import { tagService } from '../../../src/domain/tags/service.ts'
import { openedDatabase } from '../../support/database.ts'
import { temporaryFolder } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'

const made = (tag: string) => () => tag

function opened() {
  const db = openedDatabase(temporaryFolder())
  const caller = { credential: { id: 1 } } as unknown as Caller
  const write = () => runNow(db, "insert into settings (key, value) values (random(), '1')")
  return { tags: tagService({ db }), caller, write }
}

test('a tag is kept for the same caller and address until anything is written', () => {
  const { tags, caller, write } = opened()
  expect(tags.of(caller, '/a')).toBeUndefined()
  expect(tags.reading()(caller, '/a', made('first'))).toBe('first')
  expect(tags.of(caller, '/a')).toBe('first')
  expect(tags.of(caller, '/b')).toBeUndefined()
  expect(tags.of({ ...caller }, '/a')).toBeUndefined()
  expect(tags.reading()(caller, '/a', made('not asked for'))).toBe('first')
  write()
  expect(tags.of(caller, '/a')).toBeUndefined()
})

test('an answer that was begun before a write has a tag of its own, which nobody else gets', () => {
  const { tags, caller, write } = opened()
  const before = tags.reading()
  write()
  expect(tags.reading()(caller, '/a', made('new'))).toBe('new')
  expect(before(caller, '/a', made('old'))).toBe('old')
  expect(tags.of(caller, '/a')).toBe('new')
})
