import { type Caller, operator, type Via } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { conflict, notFound } from '../../lib/errors.ts'
import { digest } from '../../lib/secret.ts'
import { type ActivityService, type Actor, stranger } from '../activity/service.ts'
import type { RoleService } from '../roles/service.ts'
import type { SessionService } from '../sessions/service.ts'
import type { UserService } from '../users/service.ts'
import { ATTEMPT_SECONDS, type Attempt, openAttempt, sealAttempt, secretsOf } from './attempt.ts'
import { claimValues, displayName, fittingUsername, numberedUsername, wantedUsername } from './claims.ts'
import { IdentityFault, type Person, type ProviderSettings } from './contract.ts'
import type { Provider } from './provider.ts'
import { identityStore } from './store.ts'

interface Dependencies {
  db: Db
  clock: Clock
  users: UserService
  roles: RoleService
  sessions: SessionService
  activity: ActivityService
  baseUrl: string
  settings: ProviderSettings | undefined
}

export type IdentityService = ReturnType<typeof identityService>

/** What an attempt has led to. */
export type Outcome =
  | { kind: 'signed in'; session: string; next: string | undefined }
  | { kind: 'linked' }
  | { kind: 'deleted'; username: string }

/** Who comes back from the provider. */
interface Browser {
  secret: string | undefined
  caller: Caller | undefined
  session: string | undefined
  via: Via
}

const LONGEST_SUBJECT = 255
/** Of a name that nobody here may have, as much as tells who was meant. */
const MOST_OF_NAME = 40

/** Signing in with an identity provider: who somebody is there, and which account that is here (contract 16.9). */
export function identityService(dependencies: Dependencies) {
  const { db, clock, users, roles, sessions, activity, baseUrl, settings } = dependencies
  const store = identityStore(db)
  // One spelling of the issuer, whether or not it was set with the slash of its host.
  const issuer = settings ? new URL(settings.issuer).href : ''

  let loading: Promise<Provider> | undefined
  /** The library is loaded by the first who needs it: an instance without a provider never does. */
  function provider(): Promise<Provider> {
    if (!settings) throw notFound('page')
    loading ??= import('./provider.ts').then(({ createProvider }) =>
      createProvider(settings, `${baseUrl}/login/oidc/callback`),
    )
    return loading
  }

  /** The address at the provider that the browser is sent to; the secret stays in its cookie. */
  async function begin(secret: string, attempt: Omit<Attempt, 'at'>): Promise<string> {
    const state = sealAttempt(secret, { ...attempt, at: clock() })
    return (await provider()).authorizationUrl(secretsOf(secret, state), attempt.purpose === 'delete')
  }

  /** The attempt that this answer belongs to, once: whatever comes of it, the same answer never counts again. */
  async function take(secret: string | undefined, state: string, userId: string | undefined): Promise<Attempt> {
    const now = clock()
    const attempt = secret === undefined ? undefined : openAttempt(secret, state, now)
    const isNew =
      attempt && (await write(db, 'uncached', () => store.use(digest(state), now, now - ATTEMPT_SECONDS * 1000)))
    if (!attempt || !isNew) {
      const sentence = 'This sign-in was begun in another browser, is too old, or was used already. Begin again.'
      throw new IdentityFault('stale', sentence)
    }
    if (attempt.userId !== undefined && attempt.userId !== userId) {
      throw new IdentityFault('stale', 'Somebody else is signed in here now. Begin again.')
    }
    return attempt
  }

  /** What an answer would be for, so that a failure can lead back to where it began. */
  const purposeOf = (secret: string | undefined, state: string): Attempt | undefined =>
    secret === undefined ? undefined : openAttempt(secret, state, clock())

  async function finish(answer: URLSearchParams, browser: Browser): Promise<Outcome> {
    const state = answer.get('state') ?? ''
    const attempt = await take(browser.secret, state, browser.caller?.userId)
    let known: Person | undefined
    try {
      known = await personOf(answer, browser.secret!, attempt)
      return await outcomeOf(attempt, known, browser)
    } catch (error) {
      if (attempt.purpose === 'sign-in') await recordFailure(error, known, browser.via)
      throw error
    }
  }

  async function personOf(answer: URLSearchParams, secret: string, attempt: Attempt): Promise<Person> {
    const age = attempt.purpose === 'delete' ? Math.ceil((clock() - attempt.at) / 1000) : undefined
    const person = await (await provider()).person(answer, secretsOf(secret, answer.get('state') ?? ''), age)
    if (person.subject.length > LONGEST_SUBJECT) {
      throw new IdentityFault(
        'untrusted',
        `The answer of ${settings!.name} cannot be trusted: its subject is too long.`,
      )
    }
    return person
  }

  /** What an answer in good faith has led to; a change of mind is no failure. */
  async function recordFailure(error: unknown, person: Person | undefined, via: Via): Promise<void> {
    if (!(error instanceof IdentityFault) || error.kind === 'cancelled') return
    const who = (person && wantedUsername(person.claims)) ?? 'somebody'
    const name = [...`${who.slice(0, 2 * MOST_OF_NAME)} at ${settings!.name}`]
      .slice(0, MOST_OF_NAME)
      .join('')
      .toWellFormed()
    await write(db, 'uncached', () => activity.record(stranger(via), { kind: 'sign_in.failed', name }))
  }

  async function outcomeOf(attempt: Attempt, person: Person, browser: Browser): Promise<Outcome> {
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
    settings?.roleClaim === undefined ? undefined : roles.ofClaim(claimValues(claims, settings.roleClaim))

  const record = (by: Actor, kind: 'identity.linked' | 'identity.unlinked', userId: string): void =>
    activity.record(by, { kind, subject: userId, name: users.nameOf(userId), concerns: [userId] })

  const insert = (subject: string, userId: string): void => {
    const now = clock()
    store.insert({ issuer, subject, userId, createdAt: now, lastUsedAt: now })
  }

  /** The account with the same name, when the operator trusts the provider that far; never the owner's. */
  function linkByName({ subject, claims }: Person, via: Via): string | undefined {
    const username = settings?.linkByUsername ? wantedUsername(claims) : undefined
    const account = username === undefined ? undefined : users.findByName(username)
    // An account that is linked already belongs to another person of that name.
    if (!account || account.isOwner || store.ofUser(account.id, issuer)) return undefined
    insert(subject, account.id)
    record({ userId: account.id, username: account.username, via }, 'identity.linked', account.id)
    return account.id
  }

  function signUp(person: Person, via: Via): string {
    if (!settings?.signUp) {
      const sentence = `${settings?.name} knows you, but no account here is linked to you. If you have one, sign in with your password and link it under Settings, Security; otherwise ask whoever runs this instance.`
      throw new IdentityFault('unknown', sentence)
    }
    const wanted = fittingUsername(person.claims)
    let count = 1
    while (users.findByName(numberedUsername(wanted, count))) count++
    const username = numberedUsername(wanted, count)
    const roleId = roleOf(person) ?? roles.default().id
    const userId = users.addVouched({ username, displayName: displayName(person.claims), roleId })
    insert(person.subject, userId)
    activity.record(
      { userId, username, via },
      { kind: 'user.created', subject: userId, name: username, concerns: [userId] },
    )
    return userId
  }

  /** Returns the id of a new session. The role follows the claim every time; without a match it stays. */
  function signIn(person: Person, { session, via }: { session: string | undefined; via: Via }): Promise<string> {
    return write(db, 'accounts', () => {
      const userId = store.find(issuer, person.subject)?.userId ?? linkByName(person, via) ?? signUp(person, via)
      const roleId = roleOf(person)
      if (roleId !== undefined) users.takeRole(userId, roleId, via)
      store.touch(issuer, person.subject, clock())
      return sessions.insertRecorded({ id: userId, username: users.nameOf(userId) }, via, session)
    })
  }

  function link(caller: Caller, { subject }: Person): Promise<void> {
    return write(db, 'accounts', () => {
      const known = store.find(issuer, subject)
      if (known?.userId === caller.userId) return
      if (known) {
        const sentence = `Another account here is linked to this person at ${settings!.name}. Nothing was changed.`
        throw new IdentityFault('taken', sentence)
      }
      if (store.ofUser(caller.userId, issuer)) {
        const sentence = `Your account is linked to another person at ${settings!.name}. Unlink it first.`
        throw new IdentityFault('taken', sentence)
      }
      insert(subject, caller.userId)
      record(caller, 'identity.linked', caller.userId)
    })
  }

  async function remove(caller: Caller, { subject }: Person): Promise<void> {
    if (store.find(issuer, subject)?.userId !== caller.userId) {
      const sentence = `You signed in at ${settings!.name} as somebody else. Your account was not deleted.`
      throw new IdentityFault('taken', sentence)
    }
    await users.deleteVouched(caller)
  }

  /** The last way to sign in cannot be removed. */
  function unlink(caller: Caller): Promise<void> {
    return write(db, 'accounts', () => {
      if (!sessions.takesPassword(caller.userId)) {
        throw conflict('This is your only way to sign in. Ask an administrator for a password first.')
      }
      if (store.delete(caller.userId, issuer) > 0) record(caller, 'identity.unlinked', caller.userId)
    })
  }

  return {
    /** What pages show of the provider; undefined without one. */
    provider: settings && { name: settings.name, issuer },
    begin,
    finish,
    purposeOf,
    unlink,
    linkOf: (userId: string) => (settings ? store.ofUser(userId, issuer) : undefined),
    /** For the operator, who may also take the last way in: ends all links of an account, whatever the issuer. */
    unlinkAll: (userId: string): Promise<number> =>
      write(db, 'accounts', () => {
        const links = store.deleteAll(userId)
        if (links > 0) record(operator, 'identity.unlinked', userId)
        return links
      }),
    /** Throws an IdentityFault that says what is wrong, for the log of the start. */
    check: async (): Promise<void> => (await provider()).check(),
  }
}
