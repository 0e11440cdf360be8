import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE_36 = '0123456789abcdefghijklmnopqrstuvwxyz'
const KEY_PREFIX = 'pxl_'
const KEY_RANDOM = 37
const KEY_CHECK = 6

const pick = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Ids of users and roles, and generated share slugs. */
export const newId = (length = 15) => pick(BASE_36, length)

/** For people to read and type: no letter or digit that looks like another one. */
const READABLE = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

export const newCode = (length: number) => pick(READABLE, length)

/** 32 random bytes in 43 characters that need no encoding in a cookie or a URL. */
export const newToken = () => randomBytes(32).toString('base64url')

/** Secrets have full entropy, so a plain digest is enough at rest; passwords are hashed with Argon2id instead. */
export const digest = (plain: string): Buffer => hash('sha256', plain, 'buffer')

/** The same digest as text: as the key of a map it costs a third. */
export const digestText = (plain: string): string => hash('sha256', plain, 'base64')

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let place = 0; place < KEY_CHECK; place++) {
    text = BASE_62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

export function newApiKey(): string {
  const random = pick(BASE_62, KEY_RANDOM)
  return KEY_PREFIX + random + checksum(random)
}

export const looksLikeApiKey = (text: string) => text.startsWith(KEY_PREFIX)

/** The checksum turns typing errors away before the database is asked. */
export function isApiKey(text: string): boolean {
  if (!/^pxl_[0-9A-Za-z]{43}$/.test(text)) return false
  const random = text.slice(KEY_PREFIX.length, KEY_PREFIX.length + KEY_RANDOM)
  return checksum(random) === text.slice(-KEY_CHECK)
}

/** 32 random bytes behind a prefix that says what the secret is for. */
export const newSecret = (prefix: string) => prefix + randomBytes(32).toString('base64url')

export const sameDigest = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)
