import { createCipheriv, createDecipheriv, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE_36 = '0123456789abcdefghijklmnopqrstuvwxyz'
const KEY_PREFIX = 'pxl_'
const KEY_RANDOM_LENGTH = 37
const KEY_CHECKSUM_LENGTH = 6

const randomText = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

export const newId = (length = 15) => randomText(BASE_36, length)

/** Without letters and digits that look alike. */
const READABLE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

export const newCode = (length: number) => randomText(READABLE_ALPHABET, length)

export const newToken = () => randomBytes(32).toString('base64url')

/** Secrets have full entropy, so a plain digest is enough; passwords are hashed with Argon2id. */
export const digest = (plain: string): Buffer => hash('sha256', plain, 'buffer')

/** As the key of a map, text takes a third of the memory of a buffer. */
export const digestText = (plain: string): string => hash('sha256', plain, 'base64')

function checksum(random: string): string {
  let value = crc32(random)
  let text = ''
  for (let index = 0; index < KEY_CHECKSUM_LENGTH; index++) {
    text = BASE_62[value % 62] + text
    value = Math.floor(value / 62)
  }
  return text
}

export function newApiKey(): string {
  const random = randomText(BASE_62, KEY_RANDOM_LENGTH)
  return KEY_PREFIX + random + checksum(random)
}

export const looksLikeApiKey = (text: string) => text.startsWith(KEY_PREFIX)

/** The checksum rejects typing errors without a query. */
export function isApiKey(text: string): boolean {
  if (!/^pxl_[0-9A-Za-z]{43}$/.test(text)) return false
  const random = text.slice(KEY_PREFIX.length, KEY_PREFIX.length + KEY_RANDOM_LENGTH)
  return checksum(random) === text.slice(-KEY_CHECKSUM_LENGTH)
}

export const newSecret = (prefix: string) => prefix + randomBytes(32).toString('base64url')

export const sameDigest = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SEAL_BYTES = NONCE_BYTES + TAG_BYTES

export function seal(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export function unseal(key: Buffer, bytes: Buffer): string {
  // Without a fixed length Node accepts shorter tags, which are easier to forge.
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), options)
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, SEAL_BYTES))
  return decipher.update(bytes.subarray(SEAL_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
