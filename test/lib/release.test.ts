import { expect, test } from 'vitest'
import { release } from '../../src/lib/release.ts'

test('frees the memory of bytes with their own buffer', () => {
  const bytes = Buffer.alloc(100_000, 1)
  release(bytes)
  expect([bytes.length, bytes.buffer.byteLength]).toEqual([0, 0])
})

test('keeps the memory of bytes with a shared buffer', () => {
  const [pooled, whole] = [Buffer.from('pooled'), Buffer.alloc(10, 'x')]
  const part = whole.subarray(2, 5)
  const shared = new Uint8Array(new SharedArrayBuffer(4))
  for (const bytes of [pooled, part, shared]) release(bytes)
  expect([pooled.toString(), part.toString(), whole.length, shared.length]).toEqual(['pooled', 'xxx', 10, 4])
})
