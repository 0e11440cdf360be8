import { accountPermissions, type Caller, credential, type Via, viaPage } from '../../access/caller.ts'
import { isPermission } from '../../access/permissions.ts'
import { scopeNames } from '../../access/scopes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { notFound } from '../../lib/errors.ts'
import { digest, newToken } from '../../lib/secret.ts'
import { type ActivityService, type Actor, stranger } from '../activity/service.ts'
import type { UserService } from '../users/service.ts'
import { sessionStore } from './store.ts'

const HOUR_MS = 3_600_000
/** A session ends this long after its last use (contract 7.11). */
export const SESSION_SECONDS = 30 * 24 * 3600
const RENEW_AFTER_MS = HOUR_MS

export type SessionService = ReturnType<typeof sessionService>

export interface Session {
  /** Holds every scope: in the browser only the role decides. Nothing but pages ever sees this caller. */
  caller: Caller
  /** True when this use counted as one, so that the cookie must live on as well. */
  renewed: boolean
}

type Row = NonNullable<ReturnType<ReturnType<typeof sessionStore>['find']>>

const toCaller = (row: Row): Caller => ({
  userId: row.userId,
  username: row.username,
  displayName: row.displayName,
  role: row.roleId === null ? null : { id: row.roleId, name: row.roleName! },
  isOwner: row.isOwner,
  permissions: accountPermissions(row.isOwner, (row.permissions ?? []).filter(isPermission)),
  credential: credential('session', 'session', scopeNames),
  via: viaPage(null),
})

/** More than anybody looks through. */
const MOST_LISTED = 50

/** Of a name that nobody may have, as much as tells who was meant. */
const MOST_OF_NAME = 40

interface Dependencies {
  db: Db
  clock: Clock
  users: UserService
  activity: ActivityService
  /** False: only the owner signs in with a password. */
  passwordSignIn?: boolean
}

/** Browser sign-ins: the id is in the cookie, its digest in the table. */
export function sessionService({ db, clock, users, activity, passwordSignIn = true }: Dependencies) {
  const store = sessionStore(db)
  const renewing = new Set<string>()
  const isOver = (lastUsedAt: number, now: number) => lastUsedAt + SESSION_SECONDS * 1000 <= now

  /** Inside a transaction. A new id every time, so that one planted in the browser before is worthless. */
  function insert(userId: string, via?: Via, replaced?: string): string {
    const id = newToken()
    const now = clock()
    if (replaced !== undefined) store.delete(digest(replaced))
    store.deleteUnusedSince(now - SESSION_SECONDS * 1000)
    store.insert({ hash: digest(id), userId, createdAt: now, lastUsedAt: now, device: via?.device ?? null })
    return id
  }

  const start = (userId: string, via?: Via): Promise<string> => write(db, 'credentials', () => insert(userId, via))

  /** Inside a transaction: a session for somebody who has proved who they are, and its entry in the activity. */
  function insertRecorded({ id, username }: { id: string; username: string }, via: Via, replaced?: string): string {
    activity.record({ userId: id, username, via }, { kind: 'sign_in', subject: id })
    return insert(id, via, replaced)
  }

  /** Whether a password opens this account at all. */
  const takesPassword = (userId: string): boolean =>
    users.hasPassword(userId) && (passwordSignIn || users.isOwner(userId))

  /** Signs in and returns the id of a new session, or undefined when the name or the password is wrong. */
  async function signIn(
    username: string,
    password: string,
    replaced?: string,
    via = viaPage(null),
  ): Promise<string | undefined> {
    const id = await users.withPassword(username, password, (account) => {
      if (!takesPassword(account.id)) return undefined
      return insertRecorded(account, via, replaced)
    })
    if (id === undefined) {
      const name = [...username.slice(0, 2 * MOST_OF_NAME)].slice(0, MOST_OF_NAME).join('').toWellFormed()
      await write(db, 'uncached', () => activity.record(stranger(via), { kind: 'sign_in.failed', name }))
    }
    return id
  }

  /** Nothing waits for it: a page can be read while the database is locked, full or read-only. */
  function renew(id: string, hash: Buffer, now: number): boolean {
    if (renewing.has(id)) return false
    renewing.add(id)
    write(db, 'uncached', () => store.touch(hash, now))
      // The next request tries again.
      .catch(() => undefined)
      .finally(() => renewing.delete(id))
    return true
  }

  function find(id: string): Session | undefined {
    const hash = digest(id)
    const row = store.find(hash)
    const now = clock()
    if (!row || isOver(row.lastUsedAt, now)) return undefined
    const renewed = now - row.lastUsedAt >= RENEW_AFTER_MS && renew(id, hash, now)
    return { caller: toCaller(row), renewed }
  }

  /** Ends the user's sign-ins along with the old password, and begins a new session for the one who changed it. */
  async function changePassword(userId: string, current: string, password: string, by?: Actor): Promise<string> {
    await users.changePassword(userId, current, password, by)
    return start(userId, by?.via)
  }

  function end(id: string, by?: Actor): Promise<void> {
    return write(db, 'credentials', () => {
      const { changes } = store.delete(digest(id))
      if (by && changes > 0) activity.record(by, { kind: 'sign_out', subject: by.userId })
    })
  }

  /** Names a session on pages without telling anything that opens it. */
  const handleOf = (hash: Buffer) =>
    digest(`session ${hash.toString('hex')}`)
      .toString('base64url')
      .slice(0, 22)

  const living = (userId: string) => store.ofUser(userId, clock() - SESSION_SECONDS * 1000, MOST_LISTED)

  /** Where somebody is signed in, the last used first. */
  const listOf = (userId: string, current: string) =>
    living(userId).map(({ hash, device, createdAt, lastUsedAt }) => ({
      handle: handleOf(hash),
      device,
      createdAt: new Date(createdAt).toISOString(),
      lastUsedAt: new Date(lastUsedAt).toISOString(),
      isCurrent: hash.equals(digest(current)),
    }))

  /** Ends one of the own sign-ins; a handle of somebody else's does not exist. */
  function endByHandle(by: Actor & { userId: string }, handle: string): Promise<void> {
    return write(db, 'credentials', () => {
      const found = living(by.userId).find(({ hash }) => handleOf(hash) === handle)
      if (!found) throw notFound('sign-in')
      store.delete(found.hash)
      activity.record(by, { kind: 'sign_out', subject: by.userId })
    })
  }

  /** Ends every sign-in of the user but this one, and tells how many. */
  function endOthers(by: Actor & { userId: string }, current: string): Promise<number> {
    return write(db, 'credentials', () => {
      const { changes } = store.deleteOthers(by.userId, digest(current))
      if (changes > 0) activity.record(by, { kind: 'sign_out', subject: by.userId })
      return changes
    })
  }

  return {
    start,
    insertRecorded,
    startRecorded: (...who: Parameters<typeof insertRecorded>): Promise<string> =>
      write(db, 'credentials', () => insertRecorded(...who)),
    signIn,
    takesPassword,
    find,
    changePassword,
    end,
    listOf,
    endByHandle,
    endOthers,
  }
}
