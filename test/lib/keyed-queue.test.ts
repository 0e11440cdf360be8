import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keyedQueue } from '../../src/lib/keyed-queue.ts'

/** Tasks that run until `end` is called. */
function tasks(maxRunning: number) {
  const run = keyedQueue(maxRunning)
  const running: string[] = []
  const ends = new Map<string, () => void>()
  const start = (key: string, name: string) =>
    run(key, async () => {
      running.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      running.splice(running.indexOf(name), 1)
      return name
    })
  const end = async (name: string) => {
    ends.get(name)!()
    await nextTurn()
  }
  return { run, running, start, end }
}

test('runs tasks of one key in sequence and of different keys in parallel', async () => {
  const { running, start, end } = tasks(4)
  const results = Promise.all([start('a', 'a1'), start('a', 'a2'), start('b', 'b1')])
  await nextTurn()
  expect(running).toEqual(['a1', 'b1'])
  await end('a1')
  expect(running).toEqual(['b1', 'a2'])
  await end('b1')
  await end('a2')
  expect(await results).toEqual(['a1', 'a2', 'b1'])
})

test('limits the number of parallel tasks', async () => {
  const { running, start, end } = tasks(2)
  for (const name of ['a', 'b', 'c', 'd']) start(name, name)
  await nextTurn()
  expect(running).toEqual(['a', 'b'])
  await end('b')
  expect(running).toEqual(['a', 'c'])
  await end('a')
  await end('c')
  expect(running).toEqual(['d'])
  await end('d')
  expect(running).toEqual([])
})

test('continues after a failed task', async () => {
  const { run } = tasks(1)
  const failed = run('a', async () => {
    throw new Error('failed')
  })
  const next = run('a', async () => 'next')
  await expect(failed).rejects.toThrow('failed')
  expect(await next).toBe('next')
})

test('a queue with a limit refuses further tasks of a key until one ends', async () => {
  const full = new Error('full')
  const run = keyedQueue(Infinity, { maxQueued: 2, fullError: () => full })
  const gate = Promise.withResolvers<void>()
  const tasks = [run('a', () => gate.promise), run('a', () => Promise.reject(new Error('failed')))]
  await expect(run('a', async () => 1)).rejects.toBe(full)
  expect(await run('b', async () => 2)).toBe(2)
  gate.resolve()
  expect((await Promise.allSettled(tasks)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await run('a', async () => 3)).toBe(3)
})
