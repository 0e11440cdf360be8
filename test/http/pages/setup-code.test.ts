import { describe, expect, test } from 'vitest'
import { setupCode } from '../../../src/domain/users/setup-code.ts'
import { browserSession } from '../../support/browser-session.ts'
import { PASSWORD } from '../../support/pages.ts'
import { type PaxlogOptions, paxlog } from '../../support/paxlog.ts'

const form = { username: 'mira', displayName: 'Mira', password: PASSWORD }
const REMOTE_ADDRESS = '192.0.2.7'

/** Starts an instance, with a browser that has the given address. */
async function setUp(
  from: { address?: string; host?: string; headers?: Record<string, string>; options?: PaxlogOptions } = {},
) {
  const instance = await paxlog(from.options)
  const headers = {
    host: from.host ?? 'localhost:3000',
    ...(from.options?.addressHeader && { 'x-real-ip': '127.0.0.1' }),
    ...from.headers,
  }
  const browser = browserSession(instance.app, { address: from.address ?? '127.0.0.1', headers })
  const submit = (fields: Record<string, string> = {}, more?: Record<string, string>) =>
    browser.submit('/setup', '/setup', { ...form, ...fields }, more)
  return { ...instance, browser, submit, owner: () => instance.services.users.owner()?.username }
}

describe('setup', () => {
  test.each([
    ['127.0.0.1', 'localhost:3000'],
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]:3000'],
    ['::ffff:127.0.0.1', 'LOCALHOST'],
  ])('from %s to %s on the same machine requires no code', async (address, host) => {
    const { browser, submit, owner } = await setUp({ address, host })
    expect((await browser.get('/setup')).html).not.toContain('Setup code')
    expect((await submit()).status).toBe(303)
    expect(owner()).toBe('mira')
  })

  test.each<[string, Parameters<typeof setUp>[0]]>([
    ['from another machine', { address: REMOTE_ADDRESS }],
    ['under another host name, as in DNS rebinding', { host: 'evil.example' }],
    ['under a host name that only starts with localhost', { host: 'localhost.evil.example:3000' }],
    ['behind a proxy that sends client addresses', { options: { addressHeader: 'x-real-ip' } }],
    ['on an instance with a public address', { options: { baseUrl: 'http://log.example' } }],
    ...['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host', 'Via'].map(
      (name): [string, Parameters<typeof setUp>[0]] => [
        `behind a proxy on the same machine that sends ${name}`,
        { headers: { [name.toLowerCase()]: 'x' } },
      ],
    ),
  ])('%s requires the code, in any spelling', async (_from, from) => {
    const { browser, submit, owner, services } = await setUp(from)
    expect((await browser.get('/setup')).html).toContain('<label for="code">Setup code</label>')
    const text = services.setupCode.announce()!
    for (const code of ['', 'AAAA-AAAA', `${text}A`, text.slice(1), `${text}${' '.repeat(100)}`]) {
      const rejected = await submit({ code }, { origin: 'null' })
      expect([rejected.status, rejected.html.includes('id="code-error"')]).toEqual([403, true])
      expect(rejected.html).toContain('value="mira"')
    }
    expect(owner()).toBeUndefined()
    expect((await submit({ code: ` ${text.replace('-', '').toLowerCase()} ` })).status).toBe(303)
    expect(owner()).toBe('mira')
  })

  test('keeps a correct code after other errors and clears a wrong one', async () => {
    const { submit, services } = await setUp({ address: REMOTE_ADDRESS })
    const code = services.setupCode.announce()!
    const invalid = await submit({ code, username: 'a b' })
    expect([invalid.status, invalid.html.includes(`value="${code}"`)]).toEqual([422, true])
    expect((await submit({ code: 'AAAA-AAAA' })).html).not.toContain('AAAA-AAAA')
  })

  test('allows ten attempts per minute and address, then rejects the right code too', async () => {
    let now = Date.now()
    const { submit, owner, services } = await setUp({ address: REMOTE_ADDRESS, options: { now: () => now } })
    for (let count = 0; count < 10; count++) expect((await submit({ code: 'AAAA-AAAA' })).status).toBe(403)
    const text = services.setupCode.announce()!
    const rejected = await submit({ code: text })
    expect([rejected.status, Number(rejected.headers['retry-after']) > 0]).toEqual([429, true])
    expect(owner()).toBeUndefined()
    now += 60_000
    expect((await submit({ code: text })).status).toBe(303)
  })
})

describe('SETUP_CODE', () => {
  const chosen = 'Blue Heron 42'

  test('is the only accepted code, verbatim', async () => {
    const { submit, owner, services } = await setUp({ address: REMOTE_ADDRESS, options: { setupCode: chosen } })
    expect(services.setupCode.announce()).toBeUndefined()
    for (const code of ['', chosen.toLowerCase(), chosen.replaceAll(' ', ''), `${chosen}!`]) {
      expect((await submit({ code }, { origin: 'null' })).status).toBe(403)
    }
    expect(owner()).toBeUndefined()
    expect((await submit({ code: ` ${chosen} ` })).status).toBe(303)
    expect(owner()).toBe('mira')
  })

  test('can be as long as the setting allows, in characters', () => {
    const longest = '🦢'.repeat(200)
    expect(setupCode(undefined, longest).matches(` ${longest} `)).toBe(true)
    expect(setupCode(undefined, longest).matches(`${longest}🦢`)).toBe(false)
  })
})

test('a setup code has two groups of four unambiguous characters and changes at each start', () => {
  const codes = Array.from({ length: 200 }, () => setupCode().announce()!)
  for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/)
  expect(new Set(codes).size).toBe(200)
})
