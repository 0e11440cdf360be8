import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requireRoom } from '../../src/cli/reference.ts'
import { freeInContainer } from '../../src/lib/container-memory.ts'
import { temporaryFolder } from '../support/paxlog.ts'

const MB = 1024 * 1024

function folder(files: Record<string, string>): string {
  const made = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
  return made
}

test('a container has left what its processes have not taken, whatever of files is in memory', () => {
  const stat = `anon ${70 * MB}\nfile ${55 * MB}\nkernel 1\n`
  expect(freeInContainer(folder({ 'memory.max': `${128 * MB}\n`, 'memory.stat': stat }))).toBe(58)
  expect(freeInContainer(folder({ 'memory.max': `${64 * MB}\n`, 'memory.stat': stat }))).toBe(0)
})

test('nothing is said of a machine without a limit, or of one that does not tell', () => {
  expect(freeInContainer(folder({ 'memory.max': 'max\n', 'memory.stat': 'anon 1\n' }))).toBeUndefined()
  expect(freeInContainer(folder({ 'memory.max': `${128 * MB}\n` }))).toBeUndefined()
  expect(freeInContainer(join(temporaryFolder(), 'none'))).toBeUndefined()
})

test('an update of the reference data is refused with a sentence where it would not fit', () => {
  expect(() => requireRoom(44)).toThrow(/about 45 MB beside the server, and this container has 44 MB left/)
  expect(() => requireRoom(45)).not.toThrow()
  expect(() => requireRoom(undefined)).not.toThrow()
})
