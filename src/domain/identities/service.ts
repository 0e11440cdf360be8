import { type Caller, operator, type Via } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { conflict, notFound } from '../../lib/errors.ts'
import { digest } from '../../lib/secret.ts'
import { english } from '../../messages/english.ts'
import { type ActivityService, type Actor, anonymous, typedName } from '../activity/service.ts'
import type { PasskeyService } from '../passkeys/service.ts'
import type { RoleService } from '../roles/service.ts'
import type { SessionService } from '../sessions/service.ts'
import type { UserService } from '../users/service.ts'
import { ATTEMPT_SECONDS, type Attempt, openAttempt, sealAttempt, secretsOf } from './attempt.ts'
import { claimValues, displayName, numberedUsername, preferredUsername, toValidUsername } from './claims.ts'
import { IdentityError, type Person, type ProviderSettings } from './contract.ts'
import type { Provider } from './provider.ts'
import { identityStore } from './store.ts'

interface Dependencies {
  db: Db
  clock: Clock
  users: UserService
  roles: RoleService
  sessions: SessionService
  passkeys: Pick<PasskeyService, 'countUsable'>
  activity: ActivityService
  baseUrl: string
  settings: ProviderSettings | undefined
}

export type IdentityService = ReturnType<typeof identityService>

export type Outcome =
  | { kind: 'signed in'; session: string; next: string | undefined }
  | { kind: 'linked' }
  | { kind: 'deleted'; username: string }

interface Browser {
  secret: string | undefined
  caller: Caller | undefined
  session: string | undefined
  via: Via
}

const MAX_SUBJECT_LENGTH = 255

export function identityService(dependencies: Dependencies) {
  const { db, clock, users, roles, sessions, passkeys, activity, baseUrl, settings } = dependencies
  const store = identityStore(db)
  // Normalizes a trailing slash.
  const issuer = settings ? new URL(settings.issuer).href : ''

  let loading: Promise<Provider> | undefined
  /** Loaded on first use, so that instances without a provider never load the library. */
  function provider(): Promise<Provider> {
    if (!settings) throw notFound('page')
    loading ??= import('./provider.ts').then(({ createProvider }) =>
      createProvider(settings, `${baseUrl}/login/oidc/callback`),
    )
    return loading
  }

  async function begin(secret: string, attempt: Omit<Attempt, 'at'>): Promise<string> {
    const state = sealAttempt(secret, { ...attempt, at: clock() })
    return (await provider()).authorizationUrl(secretsOf(secret, state), attempt.purpose === 'delete')
  }

  /** A response is accepted only once. */
  async function consumeAttempt(
    secret: string | undefined,
    state: string,
    userId: string | undefined,
  ): Promise<Attempt> {
    const now = clock()
    const attempt = purposeOf(secret, state)
    const isNew =
      attempt && (await write(db, 'uncached', () => store.use(digest(state), now, now - ATTEMPT_SECONDS * 1000)))
    if (!attempt || !isNew) {
      const message = english.provider.otherBrowser
      throw new IdentityError('stale', message)
    }
    if (attempt.userId !== undefined && attempt.userId !== userId) {
      throw new IdentityError('stale', english.provider.otherUser)
    }
    return attempt
  }

  const purposeOf = (secret: string | undefined, state: string): Attempt | undefined =>
    secret === undefined ? undefined : openAttempt(secret, state, clock())

  async function finish(answer: URLSearchParams, browser: Browser): Promise<Outcome> {
    const state = answer.get('state') ?? ''
    const attempt = await consumeAttempt(browser.secret, state, browser.caller?.userId)
    let known: Person | undefined
    try {
      known = await fetchPerson(answer, browser.secret!, attempt)
      return await completeAttempt(attempt, known, browser)
    } catch (error) {
      if (attempt.purpose === 'sign-in') await recordFailure(error, known, browser.via)
      throw error
    }
  }

  async function fetchPerson(answer: URLSearchParams, secret: string, attempt: Attempt): Promise<Person> {
    const age = attempt.purpose === 'delete' ? Math.ceil((clock() - attempt.at) / 1000) : undefined
    const person = await (await provider()).fetchPerson(answer, secretsOf(secret, answer.get('state') ?? ''), age)
    if (person.subject.length > MAX_SUBJECT_LENGTH) {
      throw new IdentityError('untrusted', english.provider.untrustedSubject({ provider: settings!.name }))
    }
    return person
  }

  async function recordFailure(error: unknown, person: Person | undefined, via: Via): Promise<void> {
    if (!(error instanceof IdentityError) || error.kind === 'cancelled') return
    const who = (person && preferredUsername(person.claims)) ?? 'someone'
    const name = typedName(`${who} at ${settings!.name}`)
    await write(db, 'uncached', () => activity.record(anonymous(via), { kind: 'sign_in.failed', name }))
  }

  async function completeAttempt(attempt: Attempt, person: Person, browser: Browser): Promise<Outcome> {
    const { caller } = browser
    if (attempt.purpose === 'sign-in') {
      return { kind: 'signed in', session: await signIn(person, browser), next: attempt.next }
    }
    if (attempt.purpose === 'link') {
      await link(caller!, person)
      return { kind: 'linked' }
    }
    await remove(caller!, person)
    return { kind: 'deleted', username: caller!.username }
  }

  const roleOf = ({ claims }: Person): string | undefined =>
    settings?.roleClaim === undefined ? undefined : roles.findByClaim(claimValues(claims, settings.roleClaim))

  const record = (by: Actor, kind: 'identity.linked' | 'identity.unlinked', userId: string): void =>
    activity.record(by, { kind, subject: userId, name: users.nameOf(userId), concerns: [userId] })

  const insert = (subject: string, userId: string): void => {
    const now = clock()
    store.insert({ issuer, subject, userId, createdAt: now, lastUsedAt: now })
  }

  /** Only if the operator enabled it, and never for the owner. */
  function linkByName({ subject, claims }: Person, via: Via): string | undefined {
    const username = settings?.linkByUsername ? preferredUsername(claims) : undefined
    const account = username === undefined ? undefined : users.findByName(username)
    // A linked account belongs to another user of the provider.
    if (!account || account.isOwner || store.ofUser(account.id, issuer)) return undefined
    insert(subject, account.id)
    record({ userId: account.id, username: account.username, via }, 'identity.linked', account.id)
    return account.id
  }

  function signUp(person: Person, via: Via): string {
    if (!settings?.signUp) {
      const message = english.provider.notLinked({ provider: settings!.name })
      throw new IdentityError('unknown', message)
    }
    const wanted = toValidUsername(person.claims)
    let count = 1
    while (users.findByName(numberedUsername(wanted, count))) count++
    const username = numberedUsername(wanted, count)
    const roleId = roleOf(person) ?? roles.default().id
    const userId = users.addWithoutPassword({ username, displayName: displayName(person.claims), roleId })
    insert(person.subject, userId)
    activity.record(
      { userId, username, via },
      { kind: 'user.created', subject: userId, name: username, concerns: [userId] },
    )
    return userId
  }

  /** Returns the session id. The role follows the claim at every sign-in; without a match it stays. */
  function signIn(person: Person, { session, via }: { session: string | undefined; via: Via }): Promise<string> {
    return write(db, 'accounts', () => {
      const userId = store.find(issuer, person.subject)?.userId ?? linkByName(person, via) ?? signUp(person, via)
      const roleId = roleOf(person)
      if (roleId !== undefined) users.assignClaimedRole(userId, roleId, via)
      store.touch(issuer, person.subject, clock())
      return sessions.insertAndRecord({ id: userId, username: users.nameOf(userId) }, 'provider', via, session)
    })
  }

  function link(caller: Caller, { subject }: Person): Promise<void> {
    return write(db, 'accounts', () => {
      const known = store.find(issuer, subject)
      if (known?.userId === caller.userId) return
      if (known) {
        const message = english.provider.linkedToOther({ provider: settings!.name })
        throw new IdentityError('taken', message)
      }
      if (store.ofUser(caller.userId, issuer)) {
        const message = english.provider.alreadyLinked({ provider: settings!.name })
        throw new IdentityError('taken', message)
      }
      insert(subject, caller.userId)
      record(caller, 'identity.linked', caller.userId)
    })
  }

  async function remove(caller: Caller, { subject }: Person): Promise<void> {
    if (store.find(issuer, subject)?.userId !== caller.userId) {
      const message = english.provider.otherPerson({ provider: settings!.name })
      throw new IdentityError('taken', message)
    }
    await users.deleteAfterConfirmation(caller)
  }

  function unlink(caller: Caller): Promise<void> {
    return write(db, 'accounts', () => {
      if (!sessions.canUsePassword(caller.userId) && passkeys.countUsable(caller.userId) === 0) {
        throw conflict(english.provider.onlySignIn)
      }
      if (store.delete(caller.userId, issuer) > 0) record(caller, 'identity.unlinked', caller.userId)
    })
  }

  return {
    provider: settings && { name: settings.name, issuer },
    begin,
    finish,
    purposeOf,
    unlink,
    linkOf: (userId: string) => (settings ? store.ofUser(userId, issuer) : undefined),
    unlinkAll: (userId: string): Promise<number> =>
      write(db, 'accounts', () => {
        const links = store.deleteAll(userId)
        if (links > 0) record(operator, 'identity.unlinked', userId)
        return links
      }),
    check: async (): Promise<void> => (await provider()).check(),
  }
}
