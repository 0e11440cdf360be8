import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { asc } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { signingKeys } from '../../db/tables/index.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/secret.ts'

interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
}

export type SigningKeys = ReturnType<typeof instanceKeys>

/** The newest key signs, all keys verify, so that a new key does not invalidate tokens. */
export function instanceKeys({ db, clock }: { db: Db; clock: Clock }) {
  const known = new Map<string, SigningKey>()
  const stored = () => db.select().from(signingKeys).orderBy(asc(signingKeys.createdAt), asc(signingKeys.kid)).all()

  function load(): void {
    for (const { kid, privateJwk } of stored()) {
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
      if (stored().length > 0) return
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const privateJwk = privateKey.export({ format: 'jwk' }) as Record<string, string>
      db.insert(signingKeys).values({ kid: newId(), privateJwk, createdAt: clock() }).run()
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
