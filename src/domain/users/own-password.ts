import { operator } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { forbidden, invalid } from '../../lib/errors.ts'
import type { ActivityService, Actor } from '../activity/service.ts'
import type { Removal } from './account-changes.ts'
import { checkPassword, hashPassword, samePassword } from './password.ts'
import type { userStore } from './store.ts'

interface Dependencies {
  store: ReturnType<typeof userStore>
  db: Db
  clock: Clock
  activity: ActivityService
  remove: (removal: Removal) => Promise<void>
}

const refuse = (path: string, reason: string) => invalid('The password was not changed.', [path], reason)
export const refuseDeletion = (reason: string) => invalid('The account was not deleted.', ['password'], reason)

/** What people do with their own password: sign in with it, change it, and leave. */
export function ownPassword({ db, store, clock, activity, remove }: Dependencies) {
  /**
   * Does the work, inside a transaction, when name and password are right; undefined otherwise, after the same time.
   * The hash is compared again with the work: the password may have been changed while it was verified.
   */
  async function withPassword<Result>(
    username: string,
    password: string,
    work: (account: { id: string; username: string }) => Result,
  ): Promise<Result | undefined> {
    const account = store.passwordOf(username)
    const { right, renewed } = await checkPassword(account?.passwordHash, password)
    if (!account || !right) return undefined
    return write(db, 'credentials', () => {
      if (store.passwordOfId(account.id) !== account.passwordHash) return undefined
      if (renewed !== undefined) store.update(account.id, { passwordHash: renewed })
      return work(account)
    })
  }

  /** Ends every session and OAuth token of the user with the old password. */
  async function changePassword(id: string, current: string, password: string, by: Actor = operator): Promise<void> {
    if (samePassword(current, password)) throw refuse('password', 'The new password is the current one.')
    const known = store.passwordOfId(id)
    const { right } = await checkPassword(known, current)
    if (!right) throw refuse('current', 'This is not your current password.')
    const passwordHash = await hashPassword(password)
    await write(db, 'credentials', () => {
      if (store.passwordOfId(id) !== known) throw refuse('current', 'Your password was changed meanwhile.')
      const now = clock()
      store.update(id, { passwordHash, updatedAt: now })
      store.endSignIns(id, now)
      activity.record(by, { kind: 'password.changed', subject: id, concerns: [id] })
    })
  }

  /** The same for whoever has just proved at the identity provider who they are. */
  const deleteVouched = (by: Actor): Promise<void> => remove({ way: 'provider', id: by.userId, by })

  /** Needs no permission, but the password: an open browser is not enough (contract 16.10). */
  async function deleteOwnAccount(id: string, password: string, by: Actor = operator): Promise<void> {
    refuseOwner(id)
    const passwordHash = store.passwordOfId(id)
    const { right } = await checkPassword(passwordHash, password)
    if (!right) throw refuseDeletion('This is not your password.')
    await remove({ way: 'password', id, by, passwordHash })
  }

  function refuseOwner(id: string): void {
    if (store.find(id)?.isOwner) throw forbidden('The owner cannot be deleted.')
  }

  return { withPassword, changePassword, deleteOwnAccount, deleteVouched }
}
