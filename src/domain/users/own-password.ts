import { type Caller, operator } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { forbidden, invalid } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
import type { ActivityService, Actor } from '../activity/service.ts'
import { checkPassword, hashPassword, samePassword } from './password.ts'
import type { userStore } from './store.ts'

/** `passwordHash` must still be the stored one; `confirmed` is a sign-in at the provider or with a passkey. */
export type Removal = { id: string } & (
  | { method: 'administration'; caller: Caller }
  | { method: 'password'; by: Actor; passwordHash: string | undefined }
  | { method: 'confirmed'; by: Actor }
)

interface Dependencies {
  store: ReturnType<typeof userStore>
  db: Db
  clock: Clock
  activity: ActivityService
  remove: (removal: Removal) => Promise<void>
}

const passwordError = (path: string, reason: string) => invalid(english.users.passwordNotChanged, [path], reason)
export const deletionError = (reason: string) => invalid(english.users.accountNotDeleted, ['password'], reason)

export function ownPassword({ db, store, clock, activity, remove }: Dependencies) {
  /** Returns undefined for a wrong password, after the same time. The password may change while it is verified. */
  async function withPassword<Result>(
    username: string,
    password: string,
    work: (account: { id: string; username: string }) => Result,
  ): Promise<Result | undefined> {
    const account = store.passwordOf(username)
    const { isCorrect, upgradedHash } = await checkPassword(account?.passwordHash, password)
    if (!account || !isCorrect) return undefined
    return write(db, 'credentials', () => {
      if (store.passwordOfId(account.id) !== account.passwordHash) return undefined
      if (upgradedHash !== undefined) store.update(account.id, { passwordHash: upgradedHash })
      return work(account)
    })
  }

  async function changePassword(id: string, current: string, password: string, by: Actor = operator): Promise<void> {
    if (samePassword(current, password)) throw passwordError('password', english.users.samePassword)
    const known = store.passwordOfId(id)
    const { isCorrect } = await checkPassword(known, current)
    if (!isCorrect) throw passwordError('current', english.users.notCurrentPassword)
    const passwordHash = await hashPassword(password)
    await write(db, 'credentials', () => {
      if (store.passwordOfId(id) !== known) throw passwordError('current', english.users.passwordChangedMeanwhile)
      const now = clock()
      store.update(id, { passwordHash, updatedAt: now })
      store.endSignIns(id, now)
      activity.record(by, { kind: 'password.changed', subject: id, concerns: [id] })
    })
  }

  /** Needs the password: an open browser is not enough (contract 16.10). */
  async function deleteOwnAccount(id: string, password: string, by: Actor = operator): Promise<void> {
    if (store.find(id)?.isOwner) throw forbidden(english.users.ownerNotDeletable)
    const passwordHash = store.passwordOfId(id)
    const { isCorrect } = await checkPassword(passwordHash, password)
    if (!isCorrect) throw deletionError(english.users.notYourPassword)
    await remove({ method: 'password', id, by, passwordHash })
  }

  return { withPassword, changePassword, deleteOwnAccount }
}
