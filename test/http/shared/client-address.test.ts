import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { clientAddress } from '../../../src/http/shared/client-address.ts'

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as FastifyRequest

const direct = { addressHeader: undefined, xffDepth: 1 }

describe('the address used for rate limits', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('L3: of %s is %s', (address, expected) => {
    expect(clientAddress(request(address), direct)).toBe(expected)
  })

  test('L3: comes from a header only when the operator configures one', () => {
    const spoofed = request('192.0.2.7', { 'x-forwarded-for': '198.51.100.1' })
    expect(clientAddress(spoofed, direct)).toBe('192.0.2.7')
    expect(clientAddress(spoofed, { addressHeader: 'x-forwarded-for', xffDepth: 1 })).toBe('198.51.100.1')
    const real = request('192.0.2.7', { 'x-real-ip': ' 2001:db8::1 ' })
    expect(clientAddress(real, { addressHeader: 'x-real-ip', xffDepth: 1 })).toBe('2001:db8:0:0::/64')
  })

  test.each([
    [1, '203.0.113.9'],
    [2, '198.51.100.2'],
    [3, '198.51.100.1'],
    [4, '192.0.2.7'],
  ])('is entry %i from the right, or the connection address if there are fewer entries', (xffDepth, expected) => {
    const chain = request('192.0.2.7', { 'x-forwarded-for': '198.51.100.1, 198.51.100.2,203.0.113.9' })
    expect(clientAddress(chain, { addressHeader: 'x-forwarded-for', xffDepth })).toBe(expected)
  })

  test.each(['', 'unknown', 'evil, 1.2.3', '1.2.3.4:80'])(
    'is the connection address when the header is %j',
    (value) => {
      const odd = request('192.0.2.7', { 'x-forwarded-for': value })
      expect(clientAddress(odd, { addressHeader: 'x-forwarded-for', xffDepth: 1 })).toBe('192.0.2.7')
    },
  )
})
