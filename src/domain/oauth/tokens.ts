import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Scope } from '../../access/scopes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { digestText, newId } from '../../lib/secret.ts'
import type { OAuthStore } from './store.ts'

interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
}

/** The newest key signs, all keys verify, so that a new key does not invalidate tokens. */
export function instanceKeys(db: Db, store: OAuthStore, clock: Clock) {
  const known = new Map<string, SigningKey>()

  function load(): void {
    for (const { kid, privateJwk } of store.signingKeys()) {
      if (known.has(kid)) continue
      const privateKey = createPrivateKey({ key: privateJwk, format: 'jwk' })
      known.set(kid, { kid, privateKey, publicKey: createPublicKey(privateKey) })
    }
  }

  /** Another process may create the first key at the same time. */
  async function ensure(): Promise<void> {
    load()
    if (known.size > 0) return
    await write(db, 'uncached', () => {
      if (store.signingKeys().length > 0) return
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const privateJwk = privateKey.export({ format: 'jwk' }) as Record<string, string>
      store.insertSigningKey({ kid: newId(), privateJwk, createdAt: clock() })
    })
    load()
  }

  async function current(): Promise<SigningKey> {
    await ensure()
    return [...known.values()].at(-1)!
  }

  /** Reloads once, because another process may have added the key. */
  function find(kid: string | undefined): SigningKey | undefined {
    if (kid === undefined) return undefined
    if (!known.has(kid)) load()
    return known.get(kid)
  }

  async function publicSet() {
    await ensure()
    const keys = [...known.values()].map(({ kid, publicKey }) => {
      const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
      return { kty, crv, x, y, use: 'sig', alg: 'ES256', kid }
    })
    return { keys }
  }

  return { current, find, publicSet }
}

const TYPE = 'at+jwt'
const ALGORITHM = 'ES256'

export interface AccessClaims {
  jti: string
  audience: string
  userId: string
  clientId: string
  scopes: readonly string[]
  issuedAt: number
  expiresAt: number
}

export type AccessTokens = ReturnType<typeof accessTokens>

/** RFC 9068. Revocation is checked elsewhere on every request. */
export function accessTokens(keys: ReturnType<typeof instanceKeys>, clock: Clock, issuer: string) {
  // Verifying a signature takes a hundred times as long as a lookup. Claims with all scopes take 2 KiB.
  const verified = new LRUCache<string, AccessClaims>({ max: 1024 })

  async function sign(claims: Omit<AccessClaims, 'scopes'> & { scopes: readonly Scope[] }): Promise<string> {
    const { kid, privateKey } = await keys.current()
    return new SignJWT({ client_id: claims.clientId, scope: claims.scopes.join(' ') })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
      .setIssuer(issuer)
      .setAudience(claims.audience)
      .setSubject(claims.userId)
      .setIssuedAt(claims.issuedAt)
      .setExpirationTime(claims.expiresAt)
      .setJti(claims.jti)
      .sign(privateKey)
  }

  async function check(token: string): Promise<AccessClaims | undefined> {
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = keys.find(kid)
          if (!key) throw new Error('unknown key')
          return key.publicKey
        },
        {
          issuer,
          algorithms: [ALGORITHM],
          typ: TYPE,
          currentDate: new Date(clock()),
          requiredClaims: ['aud', 'sub', 'client_id', 'scope', 'iat', 'exp', 'jti'],
        },
      )
      if (typeof payload.aud !== 'string') return undefined
      return {
        jti: payload.jti!,
        audience: payload.aud,
        userId: payload.sub!,
        clientId: String(payload.client_id),
        scopes: String(payload.scope).split(' '),
        issuedAt: payload.iat!,
        expiresAt: payload.exp!,
      }
    } catch {
      return undefined
    }
  }

  function verify(token: string): AccessClaims | undefined | Promise<AccessClaims | undefined> {
    const name = digestText(token)
    const known = verified.get(name)
    if (known) return known.expiresAt * 1000 > clock() ? known : undefined
    return check(token).then((claims) => {
      if (claims) verified.set(name, claims)
      return claims
    })
  }

  return { sign, verify }
}
