import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Scope } from '../../access/scopes.ts'
import type { Clock } from '../../lib/clock.ts'
import { digestText } from '../../lib/secret.ts'
import type { SigningKeys } from './signing-keys.ts'

const TYPE = 'at+jwt'
const ALGORITHM = 'ES256'
/** About 2 MiB: claims with all scopes take 2 KiB. */
const MAX_VERIFIED_TOKENS = 1024

export interface AccessClaims {
  jti: string
  audience: string
  userId: string
  clientId: string
  scopes: readonly string[]
  /** Unix seconds. */
  issuedAt: number
  expiresAt: number
}

interface Dependencies {
  keys: SigningKeys
  clock: Clock
  issuer: string
}

export type AccessTokens = ReturnType<typeof accessTokens>

/** RFC 9068. Revocation is checked elsewhere on every request. */
export function accessTokens({ keys, clock, issuer }: Dependencies) {
  // Verifying a signature takes a hundred times as long as a lookup.
  const verified = new LRUCache<string, AccessClaims>({ max: MAX_VERIFIED_TOKENS })

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

  const isActive = ({ expiresAt }: AccessClaims) => expiresAt * 1000 > clock()

  /** Returns claims of a valid token; synchronously if it was verified before. */
  function verify(token: string): AccessClaims | undefined | Promise<AccessClaims | undefined> {
    const name = digestText(token)
    const known = verified.get(name)
    if (known) return isActive(known) ? known : undefined
    return check(token).then((claims) => {
      if (claims) verified.set(name, claims)
      return claims
    })
  }

  return { sign, verify }
}
