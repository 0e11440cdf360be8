import { accountPermissions, type Caller, credential, type Via, viaPage } from '../../access/caller.ts'
import { isPermission } from '../../access/permissions.ts'
import { scopeNames } from '../../access/scopes.ts'
import { dataVersion } from '../../db/data-version.ts'
import type { Db } from '../../db/open.ts'
import { writeGate } from '../../db/write-gate.ts'
import { writing } from '../../db/writing.ts'
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
  const gate = writeGate(db)
  const versions = dataVersion(db)
  const isOver = (lastUsedAt: number, now: number) => lastUsedAt + SESSION_SECONDS * 1000 <= now

  /** A new id every time, so that one planted in the browser before is worthless. */
  function start(userId: string, via?: Via, replaced?: string): string {
    const id = newToken()
    const now = clock()
    writing(db, () => {
      if (replaced !== undefined) store.delete(digest(replaced))
      store.deleteUnusedSince(now - SESSION_SECONDS * 1000)
      store.insert({ hash: digest(id), userId, createdAt: now, lastUsedAt: now, device: via?.device ?? null })
    })
    return id
  }

  /** A session for somebody who has proved who they are, and the entry that tells of it. */
  const startRecorded = ({ id, username }: { id: string; username: string }, via: Via, replaced?: string): string =>
    writing(db, () => {
      activity.record({ userId: id, username, via }, { kind: 'sign_in', subject: id })
      return start(id, via, replaced)
    })

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
      return startRecorded(account, via, replaced)
    })
    if (id === undefined) {
      const name = [...username.slice(0, 2 * MOST_OF_NAME)].slice(0, MOST_OF_NAME).join('').toWellFormed()
      await gate.closed()
      versions.write('unkept', () =>
        writing(db, () => activity.record(stranger(via), { kind: 'sign_in.failed', name })),
      )
    }
    return id
  }

  function renew(hash: Buffer, now: number): boolean {
    // Nobody who only reads waits for a long write.
    if (gate.closed()) return false
    try {
      versions.write('unkept', () => writing(db, () => store.touch(hash, now)))
      return true
    } catch {
      // A full or read-only disk must not keep anybody from reading; the next request tries again.
      return false
    }
  }

  function find(id: string): Session | undefined {
    const hash = digest(id)
    const row = store.find(hash)
    const now = clock()
    if (!row || isOver(row.lastUsedAt, now)) return undefined
    const renewed = now - row.lastUsedAt >= RENEW_AFTER_MS && renew(hash, now)
    return { caller: toCaller(row), renewed }
  }

  /** Whoever was here last, and is likely to come next. */
  function lastSeen(): Caller | undefined {
    const row = store.lastUsed()
    return row && !isOver(row.lastUsedAt, clock()) ? toCaller(row) : undefined
  }

  /** Ends the user's sign-ins along with the old password, and begins a new session for the one who changed it. */
  async function changePassword(userId: string, current: string, password: string, by?: Actor): Promise<string> {
    await users.changePassword(userId, current, password, by)
    return start(userId, by?.via)
  }

  function end(id: string, by?: Actor): void {
    writing(db, () => {
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
  function endByHandle(by: Actor & { userId: string }, handle: string): void {
    writing(db, () => {
      const found = living(by.userId).find(({ hash }) => handleOf(hash) === handle)
      if (!found) throw notFound('sign-in')
      store.delete(found.hash)
      activity.record(by, { kind: 'sign_out', subject: by.userId })
    })
  }

  /** Ends every sign-in of the user but this one, and tells how many. */
  function endOthers(by: Actor & { userId: string }, current: string): number {
    return writing(db, () => {
      const { changes } = store.deleteOthers(by.userId, digest(current))
      if (changes > 0) activity.record(by, { kind: 'sign_out', subject: by.userId })
      return changes
    })
  }

  return {
    start,
    startRecorded,
    signIn,
    takesPassword,
    find,
    lastSeen,
    changePassword,
    end,
    listOf,
    endByHandle,
    endOthers,
  }
}
