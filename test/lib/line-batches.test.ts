import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { lineBatches } from '../../src/lib/line-batches.ts'

afterEach(() => void vi.useRealTimers())

function writing(write = (bytes: Buffer) => bytes.length) {
  vi.useFakeTimers()
  const written: Buffer[] = []
  const batches = lineBatches((bytes) => {
    const count = write(bytes)
    written.push(Buffer.from(bytes.subarray(0, count)))
    return count
  })
  return { batches, writes: () => written.map(String), text: () => Buffer.concat(written).toString() }
}

describe('lines of the log', () => {
  test('are written at once', () => {
    const { batches, writes } = writing()
    batches.write('one\n')
    expect(writes()).toEqual(['one\n'])
    batches.write('two\n')
    expect(writes()).toEqual(['one\n', 'two\n'])
  })

  test('of requests are written together after 200 ms', () => {
    const { batches, writes } = writing()
    batches.batch('one\n')
    batches.batch('two\n')
    expect(writes()).toEqual([])
    vi.advanceTimersByTime(200)
    expect(writes()).toEqual(['one\ntwo\n'])
  })

  test('of requests do not wait once there are many, and keep their place before a line that is written at once', () => {
    const { batches, writes } = writing()
    batches.batch('x'.repeat(20_000))
    expect(writes()).toHaveLength(1)
    batches.batch('request\n')
    batches.write('warning\n')
    expect(writes().at(-1)).toBe('request\nwarning\n')
  })

  test('that wait are written when the process ends', () => {
    const file = join(import.meta.dirname, '../../src/lib/line-batches.ts')
    const program = `const { lineBatches } = await import(${JSON.stringify(file)}); lineBatches().batch('last words\\n')`
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })).toBe(
      'last words\n',
    )
  })

  test('leave in pieces, whole and in order, where only pieces are taken', () => {
    const { batches, text } = writing((bytes) => Math.min(bytes.length, 3))
    batches.write('Zürich, 東京\n')
    batches.flushSync()
    expect(text()).toBe('Zürich, 東京\n')
  })

  test('wait for a reader who is slow, and are dropped rather than kept without end', () => {
    let slow = true
    const { batches, text } = writing((bytes) => {
      if (slow) throw Object.assign(new Error('again'), { code: 'EAGAIN' })
      return bytes.length
    })
    batches.write('first\n')
    for (let count = 0; count < 100; count++) batches.write(`${'x'.repeat(100_000)}\n`)
    slow = false
    vi.advanceTimersByTime(200)
    expect(text().startsWith('first\n')).toBe(true)
    expect(text().length).toBeLessThan(5 * 1024 * 1024)
  })

  test('go nowhere once the reader has gone, and nothing fails', () => {
    const { batches, writes } = writing(() => {
      throw Object.assign(new Error('gone'), { code: 'EPIPE' })
    })
    batches.write('one\n')
    batches.flushSync()
    batches.write('two\n')
    batches.flushSync()
    expect(writes()).toEqual([])
  })
})
