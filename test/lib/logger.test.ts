import { describe, expect, test } from 'vitest'
import { createLogger, infoLines } from '../../src/lib/logger.ts'

function logging(level = 'trace') {
  const lines: string[] = []
  const logger = createLogger(level, { write: (line) => void lines.push(line) })
  return { logger, lines, last: () => JSON.parse(lines.at(-1)!) }
}

describe('the log', () => {
  test('batches nothing but the lines of requests', () => {
    const [written, batched] = [[] as string[], [] as string[]]
    const destination = {
      write: (line: string) => void written.push(line),
      batch: (line: string) => void batched.push(line),
    }
    const logger = createLogger('info', destination)
    logger.warn('the setup code')
    infoLines(logger, 'request')!('"status":200')
    expect([written.length, batched.length]).toEqual([1, 1])
    expect(batched[0]).toContain('"msg":"request"')
  })

  test('has the same line of what is JSON already as of the same members', () => {
    const { logger, lines } = logging()
    const named = logger.child({ process: 'writer' })
    for (const one of [logger, named]) {
      infoLines(one, 'request')!('"status":200,"ms":0.3')
      one.info({ status: 200, ms: 0.3 }, 'request')
    }
    const withoutTime = lines.map((line) => line.replace(/"time":\d{13}/, '"time":0'))
    expect(withoutTime[0]).toBe(withoutTime[1])
    expect(withoutTime[2]).toBe(withoutTime[3])
    expect(withoutTime[2]).toContain('"process":"writer"')
    expect(infoLines(logging('warn').logger, 'request')).toBeUndefined()
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
  ])('hides %s wherever it stands', (name) => {
    const { logger, lines } = logging()
    const secret = 'canary-7f3a'
    logger.info({ [name]: secret })
    logger.info({ a: { [name]: secret } })
    logger.info({ req: { headers: { [name]: [secret] } } })
    logger.info({ list: [{ deep: { [name]: { inner: secret } } }] })
    logger.info({ a: { b: { c: { d: { e: { f: { [name]: secret } } } } } } })
    expect(lines).toHaveLength(5)
    expect(lines.join('')).not.toContain(secret)
  })

  test('leaves everything else as it is, and the logged object untouched', () => {
    const { logger, last } = logging()
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

  test('keeps the code of an error, which says what failed', () => {
    const { logger, last } = logging()
    logger.error(Object.assign(new Error('it broke'), { code: 'SQLITE_FULL' }))
    expect(last()).toMatchObject({ msg: 'it broke', err: { code: 'SQLITE_FULL', message: 'it broke' } })
  })

  test('holds no line below its level', () => {
    const { logger, lines } = logging('warn')
    logger.info('not this')
    logger.warn('but this')
    expect(lines).toHaveLength(1)
    const silent = logging('silent')
    silent.logger.fatal('nothing')
    expect(silent.lines).toEqual([])
  })
})
