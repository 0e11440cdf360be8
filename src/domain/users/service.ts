import { authorize } from '../../access/authorize.ts'
import { accountPermissions, type Caller, type CurrentCaller, operator, type Via } from '../../access/caller.ts'
import { isPermission } from '../../access/permissions.ts'
import { INLINE_ROW_LIMIT, type LongWrites } from '../../db/long-writes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { conflict, forbidden, invalid, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/secret.ts'
import { english } from '../../messages/english.ts'
import type { ActivityService, Actor } from '../activity/service.ts'
import { canActOn, type RoleService, requireHeld } from '../roles/service.ts'
import type { User, UserChange, UserWrite } from './contract.ts'
import { deletionError, ownPassword, type Removal } from './own-password.ts'
import { hashPassword, isPasswordHash } from './password.ts'
import { userStore } from './store.ts'

type Account = NonNullable<ReturnType<ReturnType<typeof userStore>['find']>>

export type UserService = ReturnType<typeof userService>

const permissionsOf = (account: Account) => accountPermissions(account.isOwner, account.permissions)

const canManageAccount = (caller: Caller, account: Account) =>
  canActOn(caller, { ...account, permissions: permissionsOf(account) })

function toUser(caller: Caller, account: Account): User {
  const { permissions: _, ...user } = account
  return { ...user, canManage: account.id !== caller.userId && canManageAccount(caller, account) }
}

interface Change {
  id: string
  caller: Caller
  body: Omit<UserChange, 'password'>
  passwordHash: string | undefined
}

interface Dependencies {
  db: Db
  clock: Clock
  roles: RoleService
  activity: ActivityService
  longWrites: LongWrites
  currentCaller: CurrentCaller
  deletedFlights: {
    removeUser: (id: string) => void
    hasAtLeast: (userId: string, count: number) => boolean
  }
}

export function userService(dependencies: Dependencies) {
  const { db, clock, roles, activity, longWrites, currentCaller, deletedFlights } = dependencies
  const store = userStore(db)
  const isLong = ({ id }: { id: string }) => !store.hasShortLog(id, INLINE_ROW_LIMIT)
  const removeMaybeLong = longWrites.declare({
    name: 'remove an account',
    run: removeNow,
    isLong: (removal: Removal) => isLong(removal) || deletedFlights.hasAtLeast(removal.id, INLINE_ROW_LIMIT),
  })
  const changeMaybeLong = longWrites.declare({
    name: 'change an account',
    run: changeNow,
    // Flights contain only the names of an account.
    isLong: (change: Change) =>
      (change.body.username !== undefined || change.body.displayName !== undefined) && isLong(change),
  })

  function requireAccount(id: string): Account {
    const account = store.find(id)
    if (!account) throw notFound('user')
    return account
  }

  function requireFreeName(username: string, id?: string): void {
    const taken = store.findByName(username)
    if (taken && taken.id !== id) throw conflict(english.users.usernameTaken({ username }))
  }

  /** The default role may be assigned to every new account. */
  function requireAssignableRole(caller: Caller, roleId: string) {
    const role = roles.find(roleId)
    if (!role) throw invalid(english.users.notValid, ['roleId'], english.users.noRole({ role: roleId }))
    if (!role.isDefault) requireHeld(caller, role.permissions.filter(isPermission))
    return role
  }

  function list(caller: Caller): User[] {
    authorize(caller, 'listUsers', {})
    return store.all().map((account) => toUser(caller, account))
  }

  function get(caller: Caller, id: string): User {
    authorize(caller, 'getUser', {})
    return toUser(caller, requireAccount(id))
  }

  function checkCreation(caller: Caller, body: UserWrite) {
    const defaultRole = roles.default()
    const roleId = body.roleId ?? defaultRole.id
    authorize(caller, 'createUser', { otherRole: roleId !== defaultRole.id })
    const role = roleId === defaultRole.id ? defaultRole : requireAssignableRole(caller, roleId)
    requireFreeName(body.username)
    return role
  }

  /** Checked before the expensive hash, and again inside the transaction. */
  async function create(caller: Caller, body: UserWrite): Promise<User> {
    checkCreation(currentCaller(caller), body)
    const passwordHash = await hashPassword(body.password)
    return write(db, 'accounts', () => {
      const actor = currentCaller(caller)
      const role = checkCreation(actor, body)
      const id = newId()
      insert({ id, passwordHash, username: body.username, displayName: body.displayName, roleId: role.id })
      activity.record(caller, { kind: 'user.created', subject: id, name: body.username, concerns: [id] })
      return toUser(actor, requireAccount(id))
    })
  }

  function insert(account: {
    id: string
    username: string
    displayName: string | undefined
    passwordHash: string
    roleId: string | null
  }): void {
    const now = clock()
    const { displayName = account.username, ...rest } = account
    store.insert({ ...rest, displayName, isOwner: account.roleId === null, createdAt: now, updatedAt: now })
  }

  /** Checked again inside the transaction, because two setups may run at once. */
  async function createOwner(body: Omit<UserWrite, 'roleId'>, via: Via = operator.via) {
    const { username, displayName } = body
    const requireNoOwner = () => {
      const owner = store.owner()
      if (owner) throw conflict(english.users.ownerExists({ username: owner.username }))
      requireFreeName(username)
    }
    requireNoOwner()
    const passwordHash = await hashPassword(body.password)
    return write(db, 'accounts', () => {
      requireNoOwner()
      const id = newId()
      insert({ id, passwordHash, username, displayName, roleId: null })
      const entry = { kind: 'user.created', subject: id, name: username, concerns: [id] } as const
      activity.record({ userId: id, username, via }, entry)
      return { id, username }
    })
  }

  function checkChange(caller: Caller, id: string, body: UserChange): Account {
    const account = requireAccount(id)
    const roleId = body.roleId ?? account.roleId
    const roleChange = roleId !== account.roleId
    authorize(caller, 'updateUser', { roleChange })
    const self = account.id === caller.userId
    if ((self || account.isOwner) && (roleChange || body.password !== undefined)) {
      throw forbidden(self ? english.users.notOwnRole : english.users.onlyOwner)
    }
    if (!self && !canManageAccount(caller, account)) throw forbidden(english.users.morePermissions)
    if (roleChange && roleId !== null) {
      const role = requireAssignableRole(caller, roleId)
      requireHeld(caller, role.permissions.filter(isPermission))
    }
    if (body.username !== undefined) requireFreeName(body.username, id)
    return account
  }

  async function update(caller: Caller, id: string, { password, ...body }: UserChange): Promise<User> {
    checkChange(currentCaller(caller), id, { ...body, password })
    const passwordHash = password === undefined ? undefined : await hashPassword(password)
    return changeMaybeLong({ id, caller, body, passwordHash })
  }

  /** After a password reset, because passkeys could be those of an intruder. */
  function endAllSignIns(by: Actor, { id, username: name }: Pick<Account, 'id' | 'username'>): void {
    store.endSignIns(id, clock())
    activity.record(by, { kind: 'password.reset', subject: id, name, concerns: [id] })
    const count = store.deletePasskeys(id)
    if (count > 0) activity.record(by, { kind: 'passkey.removed', name, count, concerns: [id] })
  }

  function changeNow({ id, caller, body, passwordHash }: Change): Promise<User> {
    return write(db, 'accounts', () => {
      const actor = currentCaller(caller)
      const account = checkChange(actor, id, { ...body, password: passwordHash })
      store.update(id, {
        username: body.username ?? account.username,
        displayName: body.displayName ?? account.displayName,
        roleId: body.roleId ?? account.roleId,
        ...(passwordHash !== undefined && { passwordHash }),
        updatedAt: clock(),
      })
      const changed = requireAccount(id)
      const about = { subject: id, name: changed.username, concerns: [id] }
      if (passwordHash !== undefined) endAllSignIns(caller, changed)
      if (Object.keys(body).length > 0) activity.record(caller, { kind: 'user.changed', ...about })
      return toUser(actor, changed)
    })
  }

  function checkRemoval(removal: Removal): Account {
    const actor = removal.method === 'administration' ? currentCaller(removal.caller) : undefined
    if (actor) authorize(actor, 'deleteUser', {})
    const account = requireAccount(removal.id)
    if (account.isOwner) throw forbidden(english.users.ownerNotDeletable)
    if (actor && account.id !== actor.userId && !canManageAccount(actor, account)) {
      throw forbidden(english.users.morePermissions)
    }
    if (removal.method === 'password' && store.passwordOfId(account.id) !== removal.passwordHash) {
      throw deletionError(english.users.passwordChangedMeanwhile)
    }
    return account
  }

  function removeNow(removal: Removal): Promise<void> {
    return write(db, 'accounts', () => {
      const { id, username: name } = checkRemoval(removal)
      deletedFlights.removeUser(id)
      const count = store.delete(id, clock())
      const by = removal.method === 'administration' ? removal.caller : removal.by
      activity.record(by, { kind: 'user.deleted', subject: id, name, count })
    })
  }

  async function removeAccount(removal: Removal): Promise<void> {
    checkRemoval(removal)
    await removeMaybeLong(removal)
  }

  async function resetPassword(username: string, password: string): Promise<{ id: string; username: string }> {
    const passwordHash = await hashPassword(password)
    return write(db, 'accounts', () => {
      const account = store.findByName(username)
      if (!account) throw notFound('user')
      store.update(account.id, { passwordHash, updatedAt: clock() })
      endAllSignIns(operator, account)
      return { id: account.id, username: account.username }
    })
  }

  function addWithoutPassword(account: { username: string; displayName: string | undefined; roleId: string }): string {
    const id = newId()
    requireFreeName(account.username)
    insert({ id, passwordHash: '', ...account })
    return id
  }

  function assignClaimedRole(id: string, roleId: string, via: Via): void {
    const { isOwner, username, roleId: present } = requireAccount(id)
    if (isOwner || present === roleId) return
    store.update(id, { roleId, updatedAt: clock() })
    activity.record(
      { userId: id, username, via },
      { kind: 'user.changed', subject: id, name: username, concerns: [id] },
    )
  }

  function findByName(username: string) {
    const account = store.findByName(username)
    return account && { ...account, permissions: permissionsOf(account) }
  }

  return {
    list,
    get,
    create,
    createOwner,
    update,
    remove: (caller: Caller, id: string) => removeAccount({ method: 'administration', caller, id }),
    deleteAfterConfirmation: (by: Actor) => removeAccount({ method: 'confirmed', id: by.userId, by }),
    resetPassword,
    addWithoutPassword,
    assignClaimedRole,
    findByName,
    isOwner: (id: string) => store.find(id)?.isOwner ?? false,
    nameOf: (id: string) => store.find(id)?.username ?? '',
    hasPassword: (id: string) => isPasswordHash(store.passwordOfId(id)),
    owner: () => store.owner(),
    ...ownPassword({ db, store, clock, activity, remove: removeAccount }),
  }
}
