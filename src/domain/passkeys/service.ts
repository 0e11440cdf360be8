import { randomBytes } from 'node:crypto'
import type { Caller, Via } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { AppError, conflict, forbidden, notFound } from '../../lib/errors.ts'
import { isObject } from '../../lib/objects.ts'
import { digestText } from '../../lib/secret.ts'
import { english } from '../../messages/english.ts'
import { type ActivityService, anonymous } from '../activity/service.ts'
import type { MemoryService } from '../memory/service.ts'
import type { SessionService } from '../sessions/service.ts'
import type { UserService } from '../users/service.ts'
import { Assertion, ClientData, Registration, type RelyingParty, relyingPartyOf } from './contract.ts'
import { type PasskeyRow, passkeyStore } from './store.ts'

export const MAX_PASSKEYS = 20
const CHALLENGE_TTL_MS = 300_000
const MAX_STORED_CHALLENGES = 10_000
/** Two digests, a user id and their members. */
const CHALLENGE_BYTES = 400

type Purpose = 'sign-in' | 'add' | 'confirm'

interface Challenge {
  purpose: Purpose
  /** The digest of the cookie of the browser. */
  browser: string
  at: number
}

interface Dependencies {
  db: Db
  clock: Clock
  users: UserService
  sessions: SessionService
  activity: ActivityService
  memory: MemoryService
  baseUrl: string
  /** Whether the user can sign in with the identity provider. */
  isLinked: (userId: string) => boolean
}

export type PasskeyService = ReturnType<typeof passkeyService>

const refused = () => new AppError('bad_request', english.passkeys.notAccepted)

/** Reads the challenge also from a response that is otherwise invalid, because every attempt uses up its challenge. */
function challengeIn(response: unknown): string | undefined {
  const inner = isObject(response) ? response.response : undefined
  const text = isObject(inner) ? inner.clientDataJSON : undefined
  if (typeof text !== 'string') return undefined
  try {
    return ClientData.parse(JSON.parse(Buffer.from(text, 'base64url').toString())).challenge
  } catch {
    return undefined
  }
}

/** Loaded on first use, because most processes never need the library. */
const webauthn = () => import('./webauthn.ts')

export function passkeyService(dependencies: Dependencies) {
  const { db, clock, users, sessions, activity, memory, baseUrl, isLinked } = dependencies
  const store = passkeyStore(db)
  const relyingParty = relyingPartyOf(baseUrl)
  const challenges = memory.store<Challenge>('passkey challenges', {
    maxBytes: MAX_STORED_CHALLENGES * CHALLENGE_BYTES,
    maxEntries: MAX_STORED_CHALLENGES,
    sizeOf: () => CHALLENGE_BYTES,
    ttlMs: CHALLENGE_TTL_MS,
  })

  function requireParty(): RelyingParty {
    if (!relyingParty) throw notFound('page')
    return relyingParty
  }

  function newChallenge(purpose: Purpose, browser: string): Buffer {
    const challenge = randomBytes(32)
    challenges.set(challenge.toString('base64url'), { purpose, browser: digestText(browser), at: clock() })
    return challenge
  }

  /** Returns undefined if the challenge is unknown, used, expired, or of another browser or purpose. */
  function takeChallenge(purpose: Purpose, browser: string | undefined, response: unknown): string | undefined {
    const text = challengeIn(response)
    const known = text === undefined ? undefined : challenges.take(text)
    if (!known || browser === undefined) return undefined
    const age = clock() - known.at
    const isValid = known.purpose === purpose && known.browser === digestText(browser)
    return isValid && age >= 0 && age < CHALLENGE_TTL_MS ? text : undefined
  }

  async function signInOptions(browser: string) {
    const party = requireParty()
    return (await webauthn()).requestOptions(party, newChallenge('sign-in', browser), CHALLENGE_TTL_MS)
  }

  async function creationOptions(caller: Caller, browser: string) {
    const party = requireParty()
    const existing = store.ofUser(caller.userId)
    requireFewer(existing.length)
    const { userId: id, username, displayName } = caller
    return (await webauthn()).creationOptions(party, {
      challenge: newChallenge('add', browser),
      timeoutMs: CHALLENGE_TTL_MS,
      user: { id, username, displayName },
      existing: existing.filter(({ rpId }) => rpId === party.id).map(({ credentialId }) => credentialId),
    })
  }

  /** For a passkey of the caller, in addition to the session. */
  async function confirmationOptions({ userId }: Caller, browser: string) {
    const party = requireParty()
    const own = usableOf(userId)
    if (own.length === 0) throw notFound('passkey')
    const ids = own.map(({ credentialId }) => credentialId)
    return (await webauthn()).requestOptions(party, newChallenge('confirm', browser), CHALLENGE_TTL_MS, ids)
  }

  function requireFewer(count: number): void {
    if (count >= MAX_PASSKEYS) throw conflict(english.passkeys.tooMany({ max: MAX_PASSKEYS }))
  }

  async function register(party: RelyingParty, challenge: string, response: unknown) {
    const { verifyRegistration } = await webauthn()
    try {
      return await verifyRegistration(party, challenge, Registration.parse(response))
    } catch {
      // The library throws any kind of error for a hostile response.
      return undefined
    }
  }

  async function add(caller: Caller, name: string, response: unknown, browser: string): Promise<void> {
    const party = requireParty()
    const challenge = takeChallenge('add', browser, response)
    const credential = challenge && (await register(party, challenge, response))
    if (!credential) throw refused()
    await write(db, 'credentials', () => {
      const { userId } = caller
      requireFewer(store.ofUser(userId).length)
      if (store.find(credential.credentialId)) throw conflict(english.passkeys.inUse)
      const row = { ...credential, userId, name, rpId: party.id, createdAt: clock(), lastUsedAt: null }
      activity.record(caller, { kind: 'passkey.added', subject: store.insert(row), name })
    })
  }

  /** The passkey of a response whose signature was verified. */
  async function verify(
    challenge: string,
    response: unknown,
  ): Promise<{ row: PasskeyRow; counter: number } | undefined> {
    const party = requireParty()
    const { verifyAssertion } = await webauthn()
    try {
      const assertion = Assertion.parse(response)
      const row = store.find(assertion.id)
      if (!row || assertion.response.userHandle.toString() !== row.userId) return undefined
      return { row, counter: await verifyAssertion(party, challenge, assertion, row) }
    } catch {
      return undefined
    }
  }

  /** Must run inside a transaction. Returns false for a counter that went backwards, which a copied passkey would have. */
  function use({ row, counter }: { row: PasskeyRow; counter: number }, via: Via): boolean {
    const { id, name, userId, credentialId } = row
    const current = store.find(credentialId)
    // It may have been removed meanwhile.
    if (current?.id !== id) return false
    if (counter <= current.counter && (counter > 0 || current.counter > 0)) {
      activity.record(anonymous(via), { kind: 'passkey.refused', subject: id, name, concerns: [userId] })
      return false
    }
    store.update(id, { counter, lastUsedAt: clock() })
    return true
  }

  function recordFailure(response: unknown, via: Via): Promise<void> {
    const { data } = Assertion.safeParse(response)
    const row = data && store.find(data.id)
    const name = row ? users.nameOf(row.userId) : 'unknown passkey'
    return write(db, 'uncached', () => activity.record(anonymous(via), { kind: 'sign_in.failed', name }))
  }

  interface Browser {
    secret: string | undefined
    session: string | undefined
    via: Via
  }

  /** Returns the session id. */
  async function signIn(response: unknown, { secret, session, via }: Browser): Promise<string> {
    requireParty()
    const challenge = takeChallenge('sign-in', secret, response)
    const verified = challenge && (await verify(challenge, response))
    if (!verified) {
      await recordFailure(response, via)
      throw refused()
    }
    const { row } = verified
    const id = await write(db, 'credentials', () => {
      if (!use(verified, via)) return undefined
      return sessions.insertAndRecord({ id: row.userId, username: users.nameOf(row.userId) }, 'passkey', via, session)
    })
    if (id === undefined) throw refused()
    return id
  }

  /** Requires a response to `confirmationOptions`. */
  async function confirm(caller: Caller, response: unknown, browser: string): Promise<void> {
    const challenge = takeChallenge('confirm', browser, response)
    const verified = challenge && (await verify(challenge, response))
    const isOwn = verified && verified.row.userId === caller.userId
    const isUsed = isOwn && (await write(db, 'credentials', () => use(verified, caller.via)))
    if (!isUsed) throw forbidden(english.passkeys.nothingChanged)
  }

  const usableOf = (userId: string): PasskeyRow[] =>
    relyingParty ? store.ofUser(userId).filter(({ rpId }) => rpId === relyingParty.id) : []

  function listOf(userId: string) {
    return store.ofUser(userId).map(({ id, name, rpId, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: isoInstant(createdAt),
      lastUsedAt: lastUsedAt === null ? null : isoInstant(lastUsedAt),
      /** The host that the passkey works on, if it is not this one. */
      otherHost: rpId === relyingParty?.id ? undefined : rpId,
      isOnlySignIn: isOnlySignIn(userId, id),
    }))
  }

  function isOnlySignIn(userId: string, id: number): boolean {
    const usable = usableOf(userId)
    const isOnlyPasskey = usable.length === 1 && usable[0]!.id === id
    return isOnlyPasskey && !sessions.canUsePassword(userId) && !isLinked(userId)
  }

  function remove(caller: Caller, id: number): Promise<void> {
    const { userId } = caller
    return write(db, 'credentials', () => {
      const row = store.ofUser(userId).find((each) => each.id === id)
      if (!row) throw notFound('passkey')
      if (isOnlySignIn(userId, id)) {
        throw conflict(english.passkeys.onlySignIn)
      }
      store.delete(id)
      activity.record(caller, { kind: 'passkey.removed', subject: id, name: row.name })
    })
  }

  return {
    isOffered: relyingParty !== undefined,
    signInOptions,
    signIn,
    creationOptions,
    add,
    confirmationOptions,
    confirm,
    listOf,
    remove,
    countUsable: (userId: string): number => usableOf(userId).length,
    countAll: () => store.countBoundTo(relyingParty?.id ?? ''),
    countByOtherHosts: () => store.countByOtherHosts(relyingParty?.id ?? ''),
  }
}
