import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** Only whoever holds the used token can read what replaced it. */
const keyFrom = (token: string) => Buffer.from(hkdfSync('sha256', token, '', 'paxlog refresh successor', 32))

export function sealSuccessor(usedToken: string, successor: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(ALGORITHM, keyFrom(usedToken), nonce)
  const sealed = Buffer.concat([cipher.update(successor, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export function openSuccessor(usedToken: string, sealed: Buffer): string {
  const decipher = createDecipheriv(ALGORITHM, keyFrom(usedToken), sealed.subarray(0, NONCE))
  decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
  return decipher.update(sealed.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8')
}
