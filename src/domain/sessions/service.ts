import { accountPermissions, type Caller, credential, type Via, viaPage } from '../../access/caller.ts'
import { scopeNames } from '../../access/scopes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { notFound } from '../../lib/errors.ts'
import { digest, newToken } from '../../lib/secret.ts'
import type { SignInMethod } from '../activity/contract.ts'
import { type ActivityService, type Actor, anonymous, typedName } from '../activity/service.ts'
import type { UserService } from '../users/service.ts'
import { sessionStore } from './store.ts'

/** After the last use (contract 7.11). */
export const SESSION_SECONDS = 30 * 24 * 3600
const RECENT_SIGN_IN_MS = 600_000
const RENEW_AFTER_MS = 3_600_000
/** Sessions of one user that are listed, before they are grouped by device. */
const MAX_LISTED = 200

export type SessionService = ReturnType<typeof sessionService>

export interface Session {
  /** Has every scope: in the browser, only the role restricts. */
  caller: Caller
  /** The preferred language; null or `auto` without one. */
  language: string | null
  renewed: boolean
}

type Row = NonNullable<ReturnType<ReturnType<typeof sessionStore>['find']>>

const toCaller = (row: Row): Caller => ({
  userId: row.userId,
  username: row.username,
  displayName: row.displayName,
  role: row.roleId === null ? null : { id: row.roleId, name: row.roleName! },
  isOwner: row.isOwner,
  permissions: accountPermissions(row.isOwner, row.permissions),
  credential: credential('session', 'session', scopeNames),
  via: viaPage(null),
})

interface Dependencies {
  db: Db
  clock: Clock
  users: UserService
  activity: ActivityService
  passwordSignIn?: boolean
}

/** The cookie contains the session id, the table its digest. */
export function sessionService({ db, clock, users, activity, passwordSignIn = true }: Dependencies) {
  const store = sessionStore(db)
  const renewing = new Set<string>()

  /** Must run inside a transaction. A new id prevents session fixation. */
  function insert(userId: string, via?: Via, replaced?: string): string {
    const id = newToken()
    const now = clock()
    if (replaced !== undefined) store.delete(digest(replaced))
    store.deleteUnusedSince(now - SESSION_SECONDS * 1000)
    store.insert({ hash: digest(id), userId, createdAt: now, lastUsedAt: now, device: via?.device ?? null })
    return id
  }

  const start = (userId: string, via?: Via): Promise<string> => write(db, 'credentials', () => insert(userId, via))

  /** Must run inside a transaction. */
  function insertAndRecord(
    { id, username }: { id: string; username: string },
    method: SignInMethod,
    via: Via,
    replaced?: string,
  ): string {
    activity.record({ userId: id, username, via }, { kind: 'sign_in', subject: id, name: method })
    return insert(id, via, replaced)
  }

  const canUsePassword = (userId: string): boolean =>
    users.hasPassword(userId) && (passwordSignIn || users.isOwner(userId))

  async function signIn(
    username: string,
    password: string,
    replaced?: string,
    via = viaPage(null),
  ): Promise<string | undefined> {
    const id = await users.withPassword(username, password, (account) => {
      if (!canUsePassword(account.id)) return undefined
      return insertAndRecord(account, 'password', via, replaced)
    })
    if (id === undefined) {
      const name = typedName(username)
      await write(db, 'uncached', () => activity.record(anonymous(via), { kind: 'sign_in.failed', name }))
    }
    return id
  }

  /** Not awaited: pages stay readable while the database is locked, full or read-only. */
  function renew(id: string, hash: Buffer, now: number): boolean {
    if (renewing.has(id)) return false
    renewing.add(id)
    write(db, 'uncached', () => store.touch(hash, now))
      .catch(() => undefined)
      .finally(() => renewing.delete(id))
    return true
  }

  function find(id: string): Session | undefined {
    const hash = digest(id)
    const row = store.find(hash)
    const now = clock()
    if (!row || row.lastUsedAt + SESSION_SECONDS * 1000 <= now) return undefined
    const renewed = now - row.lastUsedAt >= RENEW_AFTER_MS && renew(id, hash, now)
    return { caller: toCaller(row), language: row.language, renewed }
  }

  /** Whether the user signed in within the last 10 minutes. */
  function isRecent(id: string): boolean {
    const row = store.find(digest(id))
    return row !== undefined && clock() - row.createdAt < RECENT_SIGN_IN_MS
  }

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

  /** Identifies a session on pages without revealing its id. */
  const handleOf = (hash: Buffer) =>
    digest(`session ${hash.toString('hex')}`)
      .toString('base64url')
      .slice(0, 22)

  const activeSessions = (userId: string) => store.ofUser(userId, clock() - SESSION_SECONDS * 1000, MAX_LISTED)

  /** Sessions with the same browser and system, which cannot be told apart. The latest used comes first. */
  function listOf(userId: string, current: string) {
    const own = digest(current)
    const devices = Map.groupBy(activeSessions(userId), ({ hash, device }) => device ?? hash)
    return [...devices.values()].map((sessions) => ({
      handle: handleOf(sessions[0]!.hash),
      device: sessions[0]!.device,
      count: sessions.length,
      createdAt: isoInstant(Math.min(...sessions.map(({ createdAt }) => createdAt))),
      lastUsedAt: isoInstant(sessions[0]!.lastUsedAt),
      isCurrent: sessions.some(({ hash }) => hash.equals(own)),
    }))
  }

  /** Ends all sessions of the device that the handle belongs to, except the current one. */
  function endDevice(by: Actor & { userId: string }, handle: string, current: string): Promise<void> {
    return write(db, 'credentials', () => {
      const found = activeSessions(by.userId).find(({ hash }) => handleOf(hash) === handle)
      if (!found) throw notFound('sign-in')
      if (found.device === null) store.delete(found.hash)
      else store.deleteDevice(by.userId, found.device, digest(current))
      activity.record(by, { kind: 'sign_out', subject: by.userId })
    })
  }

  function endOthers(by: Actor & { userId: string }, current: string): Promise<number> {
    return write(db, 'credentials', () => {
      const { changes } = store.deleteOthers(by.userId, digest(current))
      if (changes > 0) activity.record(by, { kind: 'sign_out', subject: by.userId })
      return changes
    })
  }

  return {
    start,
    insertAndRecord,
    startAndRecord: (...who: Parameters<typeof insertAndRecord>): Promise<string> =>
      write(db, 'credentials', () => insertAndRecord(...who)),
    signIn,
    canUsePassword,
    find,
    isRecent,
    changePassword,
    end,
    listOf,
    endDevice,
    endOthers,
  }
}
