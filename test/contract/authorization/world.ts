import { type Permission, permissions } from '../../../src/access/permissions.ts'
import type { Scope } from '../../../src/access/scopes.ts'
import type { Paxlog } from '../../support/paxlog.ts'
import { writeNow } from '../../support/write-now.ts'
import { data } from './data.ts'
import type { Party, Target } from './oracle.ts'

/** The roles that callers of the matrix have. */
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
  { name: 'manager of users', permissions: [...USER, 'users.create', 'users.update', 'users.delete'] },
  { name: 'manager of roles', permissions: [...USER, 'roles.manage'] },
  { name: 'manager of roles who assigns', permissions: [...USER, 'roles.manage', 'users.roles.assign'] },
  {
    name: 'manager of users who assigns',
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

/** Makes callers and targets straight in the database of one app. */
export function world({ db, user, role, key }: Paxlog) {
  const owner = user({ owner: true, username: 'theowner' })
  /** Who is on flights that the caller is not on. */
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

  /** Removes a role from being the default and gives that back to the one of the installation. */
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

/** What the role of an account really holds, own rights of any rights included. */
const effective = ({ permissions: held }: Party): Permission[] => [
  ...new Set(
    held.flatMap((name) => [name, ...(name.endsWith('.any') ? [name.replace(/any$/, 'own') as Permission] : [])]),
  ),
]

/** Permissions of users that stand below, beside, above and across the caller; undefined where there is no such user. */
export function relations(caller: Party): Record<string, readonly Permission[] | undefined> {
  const held = effective(caller)
  const lacked = permissions.filter((name) => !held.includes(name))
  const droppable = held.filter(
    (name) => !held.includes(name.replace(/own$/, 'any') as Permission) || !name.endsWith('own'),
  )
  const lesser = droppable.length > 0 ? held.filter((name) => name !== droppable.at(-1)) : undefined
  return {
    lesser,
    nobody: held.length > 0 ? [] : undefined,
    equal: held,
    greater: lacked.length > 0 ? [...held, lacked[0]!] : undefined,
    across: lacked.length > 0 && lesser ? [...lesser, lacked[0]!] : undefined,
  }
}

export const userTarget = (self: boolean, { isOwner, permissions: held }: Party): Target => ({
  kind: 'user',
  self,
  user: { isOwner, permissions: held },
})
