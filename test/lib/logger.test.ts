import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'

function captureLog(level = 'trace') {
  const lines: string[] = []
  const logger = createLogger(level, { write: (line) => void lines.push(line) })
  return { logger, lines, last: () => JSON.parse(lines.at(-1)!) }
}

describe('the log', () => {
  test('is flushed after warnings and errors, not after other lines', () => {
    let flushed = 0
    const logger = createLogger('info', { write: () => undefined, flush: () => void flushed++ })
    logger.info('request')
    expect(flushed).toBe(0)
    logger.warn('the setup code')
    logger.child({ part: 'import' }).error('failed')
    expect(flushed).toBe(2)
  })

  test.each([
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'password',
    'code',
    'code_verifier',
    'token',
    'access_token',
    'refresh_token',
    'client_secret',
    'key',
    'csrf',
  ])('hides %s at any depth', (name) => {
    const { logger, lines } = captureLog()
    const secret = 'canary-7f3a'
    logger.info({ [name]: secret })
    logger.info({ a: { [name]: secret } })
    logger.info({ req: { headers: { [name]: [secret] } } })
    logger.info({ list: [{ deep: { [name]: { inner: secret } } }] })
    logger.info({ a: { b: { c: { d: { e: { f: { [name]: secret } } } } } } })
    expect(lines).toHaveLength(5)
    expect(lines.join('')).not.toContain(secret)
  })

  test('does not change other properties or the logged object', () => {
    const { logger, last } = captureLog()
    const logged = { route: '/api/v1/me', status: 200, user: { password: 'hunter2', name: 'Ada' }, list: [1, 'two'] }
    logger.info(logged, 'request')
    expect(last()).toMatchObject({
      route: '/api/v1/me',
      status: 200,
      user: { password: '[hidden]', name: 'Ada' },
      list: [1, 'two'],
      msg: 'request',
    })
    expect(logged.user.password).toBe('hunter2')
  })

  test('keeps the code of an error', () => {
    const { logger, last } = captureLog()
    logger.error(Object.assign(new Error('it broke'), { code: 'SQLITE_FULL' }))
    expect(last()).toMatchObject({ msg: 'it broke', err: { code: 'SQLITE_FULL', message: 'it broke' } })
  })

  test('omits lines below its level', () => {
    const { logger, lines } = captureLog('warn')
    logger.info('not this')
    logger.warn('but this')
    expect(lines).toHaveLength(1)
    const silent = captureLog('silent')
    silent.logger.fatal('nothing')
    expect(silent.lines).toEqual([])
  })
})

/** Runs a script with `logger` and `close` of `openLog` in a child process. */
function runWithLog(script: string, stdout: 'pipe' | number = 'pipe'): ChildProcess {
  const file = join(import.meta.dirname, '../../src/lib/logger.ts')
  const program = `import { openLog } from ${JSON.stringify(file)}
    const { logger, close } = await openLog('info')
    ${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', stdout, 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function ended(child: ChildProcess) {
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  return { code, stderr }
}

const messages = (lines: string) =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).msg)

describe('standard output', () => {
  test.each([
    ['ends', '', 0],
    ['exits', 'process.exit(3)', 3],
    ['closes the log', 'await close(); process.exit(0)', 0],
    ['crashes', "throw new Error('crash')", 1],
  ])('has all lines when the process %s', async (_, end, code) => {
    const child = runWithLog(`logger.info('first'); logger.warn('second'); logger.info('third'); ${end}`)
    const [lines, { code: found }] = await Promise.all([text(child.stdout!), ended(child)])
    // The last batch may precede an earlier write.
    expect([messages(lines).toSorted(), found]).toEqual([['first', 'second', 'third'], code])
  })

  test('receives a warning while the process is busy', async () => {
    const child = runWithLog("logger.info('batched'); logger.warn('the setup code'); setInterval(() => {}, 1000)")
    const [chunk] = await once(child.stdout!, 'data')
    expect(messages(String(chunk))).toEqual(['batched', 'the setup code'])
  })

  test('receives other lines within the flush interval', async () => {
    const child = runWithLog("logger.info('request'); setInterval(() => {}, 1000)")
    const [chunk] = await once(child.stdout!, 'data')
    expect(messages(String(chunk))).toEqual(['request'])
  })

  const MANY_LINES = "for (let count = 0; count < 10_000; count++) logger.info('x'.repeat(1_000))"

  test('ignores a closed pipe', async () => {
    const child = runWithLog(`process.stdin.once('data', async () => {
      for (let count = 0; count < 3; count++) {
        logger.warn('nobody reads this')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      ${MANY_LINES}
      await close()
      process.exit(0)
    })`)
    child.stdout!.destroy()
    child.stdin!.write('go')
    expect(await ended(child)).toEqual({ code: 0, stderr: '' })
  })

  test('does not keep the process alive when it is closed', async () => {
    const child = runWithLog(
      "process.stdin.once('data', async () => { logger.info('last words'); await close(); process.exit(0) })",
    )
    child.stdout!.destroy()
    child.stdin!.write('go')
    expect(await ended(child)).toEqual({ code: 0, stderr: '' })
  })

  test('drops lines beyond a limit for a stalled reader', async () => {
    const child = runWithLog(`${MANY_LINES}
      for (let count = 0; count < 100; count++) logger.warn('x'.repeat(100_000))
      await new Promise((resolve) => setTimeout(resolve, 300))
      await close()
      process.stderr.write(String(process.memoryUsage().external < 64e6))
      process.exit(0)`)
    expect(await ended(child)).toEqual({ code: 0, stderr: 'true' })
  })

  test('ignores a full disk', async () => {
    const child = runWithLog(
      `logger.warn('lost'); ${MANY_LINES}
      await new Promise((resolve) => setTimeout(resolve, 300))
      await close()
      process.exit(0)`,
      openSync('/dev/full', 'w'),
    )
    expect(await ended(child)).toEqual({ code: 0, stderr: '' })
  })
})
