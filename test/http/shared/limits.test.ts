import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { createLimiter } from '../../../src/domain/memory/limiter.ts'
import { clientAddress } from '../../../src/http/shared/client-address.ts'
import { browserSession } from '../../support/browser-session.ts'
import { PASSWORD } from '../../support/pages.ts'
import { paxlog } from '../../support/paxlog.ts'

function addressOf(remoteAddress: string, headers: Record<string, string> = {}, header?: string, depth = 1): string {
  const request = { socket: { remoteAddress }, headers } as unknown as FastifyRequest
  return clientAddress(request, { addressHeader: header, xffDepth: depth })
}

describe('the client address', () => {
  test('L3: is the connection address and ignores headers unless one is trusted', () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' }
    expect(addressOf('198.51.100.1', headers)).toBe('198.51.100.1')
  })

  test('L3: is the /64 of an IPv6 address, and IPv4 for an IPv4-mapped address', () => {
    expect(addressOf('2001:db8:1:2:3:4:5:6')).toBe(addressOf('2001:db8:1:2::ffff'))
    expect(addressOf('2001:db8:1:2::1')).not.toBe(addressOf('2001:db8:1:3::1'))
    expect(addressOf('fe80::1%eth0')).toBe(addressOf('fe80::2'))
    expect(addressOf('::1')).not.toBe(addressOf('fe80::1'))
    expect(addressOf('::ffff:198.51.100.1')).toBe('198.51.100.1')
  })

  test('L3: is the X-Forwarded-For entry at the configured depth from the right', () => {
    const headers = { 'x-forwarded-for': '10.9.9.9, 203.0.113.1,203.0.113.2 , 203.0.113.3' }
    const at = (depth: number) => addressOf('198.51.100.1', headers, 'x-forwarded-for', depth)
    expect([at(1), at(2), at(4), at(5)]).toEqual(['203.0.113.3', '203.0.113.2', '10.9.9.9', '198.51.100.1'])
  })

  test('L3: is the whole value of another trusted header, or the connection address if invalid', () => {
    const addressFor = (value: string) => addressOf('198.51.100.1', { 'x-real-ip': value }, 'x-real-ip')
    expect(addressFor('203.0.113.1')).toBe('203.0.113.1')
    for (const value of ['', 'unknown', '203.0.113.1, 203.0.113.2', '203.0.113.1:4711', '999.1.1.1']) {
      expect(addressFor(value)).toBe('198.51.100.1')
    }
    expect(addressOf('198.51.100.1', {}, 'x-real-ip')).toBe('198.51.100.1')
  })

  test('L3: is taken from the trusted header at sign-in', async () => {
    const { app, services } = await paxlog({ addressHeader: 'x-forwarded-for', xffDepth: 1 })
    await services.users.createOwner({ username: 'mira', password: PASSWORD })
    const from = (address: string) => browserSession(app, { headers: { 'x-forwarded-for': address } })
    for (let attempt = 0; attempt < 5; attempt++) await from('2001:db8::1').signIn('mira', 'wrong')
    expect((await from('1.2.3.4, 2001:db8::2').signIn('mira', PASSWORD)).status).toBe(429)
    expect((await from('2001:db8:0:1::1').signIn('mira', PASSWORD)).status).toBe(303)
  })
})

describe('a rate limiter', () => {
  test('L2: allows a number of calls per window from the first call and returns the wait in seconds', () => {
    let time = 1_000
    const { take } = createLimiter({ limit: 2, windowMs: 60_000, capacity: 10, now: () => time })
    expect([take('a'), take('a'), take('b')]).toEqual([0, 0, 0])
    time += 500
    expect(take('a')).toBe(60)
    time += 59_499
    expect(take('a')).toBe(1)
    time += 1
    expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 60])
  })

  test('L3: stores a limited number of keys and drops the oldest first', () => {
    let time = 0
    const { take } = createLimiter({ limit: 1, windowMs: 60_000, capacity: 3, now: () => time++ })
    for (const key of ['a', 'b', 'c']) expect(take(key)).toBe(0)
    expect(take('a')).toBeGreaterThan(0)
    expect(take('d')).toBe(0)
    expect([take('b'), take('c'), take('d')].every((wait) => wait > 0)).toBe(true)
    expect(take('a')).toBe(0)
  })
})
