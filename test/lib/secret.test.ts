import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { digest, isApiKey, newApiKey, newId } from '../../src/lib/secret.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An independent implementation of contract 10.5. */
function checksum(random: string): string {
  let rest = BigInt(crc32(random))
  let text = ''
  do {
    text = DIGITS[Number(rest % 62n)] + text
    rest /= 62n
  } while (rest > 0n)
  return text.padStart(6, '0')
}

describe('an API key', () => {
  test('has its prefix, 37 random characters and the checksum of the contract', () => {
    for (let round = 0; round < 200; round++) {
      const key = newApiKey()
      expect(key).toMatch(/^pxl_[0-9A-Za-z]{43}$/)
      expect(key.slice(-6)).toBe(checksum(key.slice(4, -6)))
      expect(isApiKey(key)).toBe(true)
    }
  })

  test('matches a known checksum', () => {
    const random = 'a'.repeat(37)
    expect(checksum(random)).toBe('2sN54l')
    expect(isApiKey(`pxl_${random}2sN54l`)).toBe(true)
  })

  test('is rejected with one character changed', () => {
    const key = newApiKey()
    for (let place = 4; place < key.length; place++) {
      const other = key[place] === 'x' ? 'y' : 'x'
      expect(isApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBe(false)
    }
  })

  test.each([
    '',
    'pxl_',
    'pxl_short',
    `pxr_${newApiKey().slice(4)}`,
    `${newApiKey()}0`,
    ` ${newApiKey()}`,
    `${newApiKey()}\n`,
    newApiKey().replace(/.$/, '-'),
  ])('is rejected if malformed: %j', (text) => {
    expect(isApiKey(text)).toBe(false)
  })

  test('is unique', () => {
    expect(new Set(Array.from({ length: 500 }, newApiKey)).size).toBe(500)
  })
})

test('an id has 15 lower-case letters and digits, or the given length', () => {
  expect(newId()).toMatch(/^[0-9a-z]{15}$/)
  expect(newId(8)).toMatch(/^[0-9a-z]{8}$/)
  expect(new Set(Array.from({ length: 500 }, () => newId())).size).toBe(500)
})

test('a digest is the SHA-256 of the text', () => {
  expect(digest('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
