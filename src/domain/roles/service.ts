import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import { builtInRoles, effectivePermissions, type Permission, permissions } from '../../access/permissions.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { AppError, conflict, forbidden, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/secret.ts'
import { foldCase } from '../../lib/text.ts'
import { english } from '../../messages/english.ts'
import type { ActivityService } from '../activity/service.ts'
import type { Role, RoleReplace, RoleWithMappings, RoleWrite } from './contract.ts'
import { roleStore } from './store.ts'

type StoredRole = NonNullable<ReturnType<ReturnType<typeof roleStore>['find']>>

/** A separate class, so that a form can show it beside the field. */
export class ClaimValueTaken extends AppError {
  constructor({ value, name }: { value: string; name: string }) {
    super('conflict', english.roles.claimTaken({ value, role: name }))
  }
}

const missingPermissions = (caller: Caller, wanted: Iterable<Permission>) =>
  effectivePermissions(wanted).filter((permission) => !caller.permissions.has(permission))

export const holdsAll = (caller: Caller, wanted: Iterable<Permission>): boolean =>
  missingPermissions(caller, wanted).length === 0

/** Contract 2.6. */
export function requireHeld(caller: Caller, wanted: Iterable<Permission>): void {
  const missing = missingPermissions(caller, wanted)
  if (missing.length > 0) {
    throw forbidden(english.roles.missingPermissions({ permissions: missing.join(', ') }))
  }
}

/** True only if the caller's permissions are a strict superset. */
export function canActOn(caller: Caller, account: Pick<Caller, 'isOwner' | 'permissions'> & { id: string }): boolean {
  if (account.isOwner) return false
  if (caller.isOwner) return true
  if (account.id === caller.userId) return false
  const { permissions } = account
  return caller.permissions.size > permissions.size && permissions.isSubsetOf(caller.permissions)
}

export type RoleService = ReturnType<typeof roleService>

const sortPermissions = (keys: readonly string[]): Permission[] =>
  permissions.filter((permission) => keys.includes(permission))

const toRole = ({ mappingCount, ...row }: StoredRole): Role => ({
  ...row,
  createdAt: isoInstant(row.createdAt),
  updatedAt: isoInstant(row.updatedAt),
  permissions: sortPermissions(row.permissions),
  oauthMappingCount: mappingCount,
})

const columnsOf = ({ name, description, permissions }: RoleWrite) => ({
  name,
  nameKey: foldCase(name),
  description,
  permissions: sortPermissions(permissions),
})

interface Dependencies {
  db: Db
  clock: Clock
  activity: ActivityService
  currentCaller: CurrentCaller
}

export function roleService({ db, clock, activity, currentCaller }: Dependencies) {
  const store = roleStore(db)

  function requireRole(id: string): StoredRole {
    const row = store.find(id)
    if (!row) throw notFound('role')
    return row
  }

  function requireFreeName(name: string, id?: string): void {
    const taken = store.findByName(foldCase(name))
    if (taken && taken.id !== id) throw conflict(english.roles.nameTaken({ name }))
  }

  function list(caller: Caller): Role[] {
    authorize(caller, 'listRoles', {})
    return store.all().map(toRole)
  }

  const withMappings = (id: string): RoleWithMappings => ({
    ...toRole(requireRole(id)),
    oauthMappings: store.mappings(id),
  })

  function get(caller: Caller, id: string): RoleWithMappings {
    authorize(caller, 'getRole', {})
    return withMappings(id)
  }

  function newMappings(id: string, wanted: readonly string[] | undefined): string[] | undefined {
    if (!wanted) return undefined
    const [values, stored] = [new Set(wanted), new Set(store.mappings(id))]
    return values.symmetricDifference(stored).size === 0 ? undefined : [...values]
  }

  function requireFreeMappings(id: string, values: readonly string[]): void {
    const taken = store.mappedTo([...values]).find((mapping) => mapping.id !== id)
    if (taken) throw new ClaimValueTaken(taken)
  }

  function create(caller: Caller, body: RoleWrite): Promise<RoleWithMappings> {
    return write(db, 'accounts', () => {
      const actor = currentCaller(caller)
      authorize(actor, 'createRole', {})
      requireHeld(actor, body.permissions)
      requireFreeName(body.name)
      const id = newId()
      const now = clock()
      store.insert({ ...columnsOf(body), id, createdAt: now, updatedAt: now })
      activity.record(caller, { kind: 'role.created', subject: id, name: body.name })
      return withMappings(id)
    })
  }

  function update(caller: Caller, id: string, body: RoleReplace): Promise<RoleWithMappings> {
    return write(db, 'accounts', () => {
      const actor = currentCaller(caller)
      const role = requireRole(id)
      const makesDefault = body.isDefault === true && !role.isDefault
      const mappings = newMappings(id, body.oauthMappings)
      authorize(actor, 'updateRole', { makesDefault, changesMappings: mappings !== undefined })
      requireHeld(actor, sortPermissions(role.permissions))
      requireHeld(actor, body.permissions)
      requireFreeName(body.name, id)
      if (mappings) requireFreeMappings(id, mappings)
      store.update(id, { ...columnsOf(body), updatedAt: clock() })
      if (mappings) store.setMappings(id, mappings)
      if (makesDefault) store.makeDefault(id)
      activity.record(caller, { kind: 'role.changed', subject: id, name: body.name })
      return withMappings(id)
    })
  }

  function remove(caller: Caller, id: string): Promise<void> {
    return write(db, 'accounts', () => {
      const actor = currentCaller(caller)
      const role = requireRole(id)
      authorize(actor, 'deleteRole', {})
      requireHeld(actor, sortPermissions(role.permissions))
      if (role.isDefault) throw conflict(english.roles.isDefault)
      if (role.userCount > 0) {
        throw conflict(english.roles.isUsed({ users: role.userCount }))
      }
      store.delete(id)
      activity.record(caller, { kind: 'role.deleted', subject: id, name: role.name })
    })
  }

  /** The default role comes first and is always available for new accounts. */
  function assignable(caller: Caller, to: 'new' | 'existing'): { id: string; name: string }[] {
    const mayAssign = caller.permissions.has('users.roles.assign')
    const isAssignable = ({ isDefault, permissions }: StoredRole) =>
      (isDefault && to === 'new') || (mayAssign && holdsAll(caller, sortPermissions(permissions)))
    return store
      .all()
      .filter(isAssignable)
      .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
      .map(({ id, name }) => ({ id, name }))
  }

  async function installBuiltIn(): Promise<void> {
    if (store.default()) return
    await write(db, 'accounts', () => {
      const now = clock()
      for (const { name, ...role } of store.default() ? [] : builtInRoles) {
        store.insert({ ...role, name, nameKey: foldCase(name), createdAt: now, updatedAt: now })
      }
    })
  }

  return {
    list,
    get,
    create,
    update,
    remove,
    assignable,
    installBuiltIn,
    find: (id: string) => store.find(id),
    findByIdOrName: (text: string) => store.find(text) ?? store.findByName(foldCase(text)),
    default: () => store.default()!,
    findByClaim: (values: string[]): string | undefined => store.mappedTo(values)[0]?.id,
  }
}
