import { type Permission, permissions } from '../../../src/access/permissions.ts'
import type { Scope } from '../../../src/access/scopes.ts'
import type { Paxlog } from '../../support/paxlog.ts'
import { writeNow } from '../../support/write-now.ts'
import { data } from './data.ts'
import type { Party, Target } from './oracle.ts'

/** The roles of callers in the matrix. */
export interface RoleKind {
  name: string
  permissions: readonly Permission[] | 'owner'
}

const USER: readonly Permission[] = [
  'flight.read.own',
  'flight.create.own',
  'flight.update.own',
  'flight.delete.own',
  'flight.import.own',
  'flight.export.own',
  'flight.passengers.manage.own',
  'flight.share.own',
  'users.directory.read',
]

const ADMINISTRATOR: readonly Permission[] = permissions.filter(
  (name) => name !== 'roles.manage' && (!name.endsWith('.own') || name === 'flight.share.own'),
)

export const roleKinds: readonly RoleKind[] = [
  { name: 'owner', permissions: 'owner' },
  { name: 'administrator', permissions: ADMINISTRATOR },
  { name: 'user', permissions: USER },
  { name: 'without permissions', permissions: [] },
  { name: 'with all permissions', permissions },
  { name: 'user manager', permissions: [...USER, 'users.create', 'users.update', 'users.delete'] },
  { name: 'role manager', permissions: [...USER, 'roles.manage'] },
  { name: 'role manager who can assign roles', permissions: [...USER, 'roles.manage', 'users.roles.assign'] },
  {
    name: 'user manager who can assign roles',
    permissions: [...USER, 'users.create', 'users.update', 'users.roles.assign'],
  },
  ...permissions.map((permission) => ({ name: `with ${permission} alone`, permissions: [permission] })),
]

export interface Account extends Party {
  id: string
  roleId: string | null
  key: (scopes: readonly Scope[]) => string
}

export type World = ReturnType<typeof world>

/** Creates callers and targets directly in the database of one app. */
export function world({ db, user, role, key }: Paxlog) {
  const owner = user({ owner: true, username: 'theowner' })
  /** The passenger of flights without the caller. */
  const other = user({ username: 'theother' })
  let counter = 0

  function account(held: readonly Permission[] | 'owner'): Account {
    const keys = new Map<string, string>()
    const isOwner = held === 'owner'
    const roleId = isOwner ? null : role(held)
    const { id } = isOwner ? owner : user({ role: roleId!, username: `m${++counter}` })
    const keyFor = (scopes: readonly Scope[]) => {
      const known = keys.get(scopes.join()) ?? key(id, scopes)
      keys.set(scopes.join(), known)
      return known
    }
    return { id, roleId, isOwner, permissions: isOwner ? permissions : held, key: keyFor }
  }

  /** Makes role-user the default role again. */
  function restoreDefault(): void {
    writeNow(db, () => {
      db.$client.exec("update roles set is_default = 0 where is_default = 1 and id <> 'role-user'")
      db.$client.exec("update roles set is_default = 1 where id = 'role-user'")
    })
  }

  return {
    ...data(db),
    other,
    account,
    role,
    restoreDefault,
    owner: () => account('owner'),
    unique: (word: string) => `${word}${++counter}`,
  }
}

/** The permissions of an account, with own for each any. */
const effective = ({ permissions: held }: Party): Permission[] => [
  ...new Set(
    held.flatMap((name) => [name, ...(name.endsWith('.any') ? [name.replace(/any$/, 'own') as Permission] : [])]),
  ),
]

/** Permissions of users with fewer, equal, more and different permissions than the caller. Undefined if impossible. */
export function relations(caller: Party): Record<string, readonly Permission[] | undefined> {
  const held = effective(caller)
  const missing = permissions.filter((name) => !held.includes(name))
  const droppable = held.filter(
    (name) => !held.includes(name.replace(/own$/, 'any') as Permission) || !name.endsWith('own'),
  )
  const lesser = droppable.length > 0 ? held.filter((name) => name !== droppable.at(-1)) : undefined
  return {
    lesser,
    none: held.length > 0 ? [] : undefined,
    equal: held,
    greater: missing.length > 0 ? [...held, missing[0]!] : undefined,
    different: missing.length > 0 && lesser ? [...lesser, missing[0]!] : undefined,
  }
}

export const userTarget = (self: boolean, { isOwner, permissions: held }: Party): Target => ({
  kind: 'user',
  self,
  user: { isOwner, permissions: held },
})
