import { type Permission, permissions } from '../../../src/access/permissions.ts'
import type { OperationId } from '../../../src/access/policy.ts'
import { dataRequests } from './data-requests.ts'
import { flightRequests } from './flight-requests.ts'
import type { Situation, Target } from './oracle.ts'
import { type Account, relations, userTarget, type World } from './world.ts'

/** One request of an operation, with the facts that the oracle needs. */
export interface Prepared extends Pick<Situation, 'target' | 'conditions' | 'requestedChange'> {
  /** Replaces the id in the path. */
  id?: string
  /** With its question mark. */
  query?: string
  body?: unknown
  /** A caller other than the default one. */
  caller?: Account
  after?: () => void
}

export interface Case {
  name: string
  prepare: () => Prepared
}

export type Requests = (world: World, caller: Account) => Case[]

const plain: Requests = () => [{ name: 'plain', prepare: () => ({}) }]
const withBody =
  (body: unknown): Requests =>
  () => [{ name: 'plain', prepare: () => ({ body }) }]

const missing = { name: 'missing', prepare: () => ({ id: 'nosuchid', target: { kind: 'missing' } as Target }) }

/** The caller, the owner, and users with fewer, equal, more and different permissions. */
function userTargets(world: World, caller: Account): Case[] {
  const others = Object.entries(relations(caller)).flatMap(([name, granted]) =>
    granted === undefined
      ? []
      : [
          {
            name,
            prepare: () => {
              const { id, isOwner, permissions: has } = world.account(granted)
              return { id, target: userTarget(false, { isOwner, permissions: has }) }
            },
          },
        ],
  )
  const self = {
    name: 'self',
    prepare: () => {
      const fresh = world.account(caller.isOwner ? 'owner' : caller.permissions)
      return { id: fresh.id, caller: fresh, target: userTarget(true, fresh) }
    },
  }
  const owner = {
    name: 'owner',
    prepare: () => ({ id: world.owner().id, target: userTarget(caller.isOwner, world.owner()) }),
  }
  return [...others, self, owner, missing]
}

/** Every target with every body. */
const combined = (targets: Case[], bodies: { name: string; more: () => Omit<Prepared, 'id' | 'target'> }[]): Case[] =>
  targets.flatMap((target) =>
    bodies.map((body) => ({
      name: `${target.name}, ${body.name}`,
      prepare: () => ({ ...target.prepare(), ...body.more() }),
    })),
  )

const effective = (caller: Account): Permission[] => (caller.isOwner ? [...permissions] : [...caller.permissions])
const missingPermissions = (caller: Account): Permission[] => {
  const granted = new Set<string>(effective(caller).flatMap((name) => [name, name.replace(/any$/, 'own')]))
  return permissions.filter((name) => !granted.has(name))
}

/** Roles with and without permissions that the caller lacks, a role in use, and a missing one. */
function roleTargets(world: World, caller: Account, deletes: boolean): Case[] {
  const role = (name: string, granted: readonly Permission[], more: { conflict?: true; used?: true } = {}): Case => ({
    name,
    prepare: () => {
      const { used, ...conflict } = more
      const id = used ? world.account(granted).roleId! : world.role(granted)
      return { id, target: { kind: 'role', permissions: granted, ...(deletes && conflict) } }
    },
  })
  const [missingPermission] = missingPermissions(caller)
  return [
    role('an empty role', []),
    role("a role with the caller's permissions", effective(caller)),
    role('a role in use', effective(caller), { conflict: true, used: true }),
    ...(missingPermission
      ? [role('a role with a permission the caller lacks', [...effective(caller), missingPermission])]
      : []),
    missing,
  ]
}

const newRoles = (world: World, caller: Account): Case[] => {
  const body = (granted: readonly Permission[]) => ({
    requestedChange: { permissions: granted },
    body: { name: world.unique('Role M'), permissions: granted },
  })
  const [missingPermission] = missingPermissions(caller)
  return [
    { name: 'with permissions of the caller', prepare: () => body(effective(caller)) },
    { name: 'empty', prepare: () => body([]) },
    ...(missingPermission
      ? [{ name: 'with a permission the caller lacks', prepare: () => body([missingPermission]) }]
      : []),
  ]
}

/** Bodies that assign a role, with and without a permission that the caller lacks. */
const assignments = (world: World, caller: Account, condition: 'otherRole' | 'roleChange', body: () => object) => {
  const assign = (granted: readonly Permission[]) => () => ({
    conditions: [condition] as const,
    requestedChange: { permissions: granted, ...(condition === 'roleChange' && { guarded: true as const }) },
    body: { ...body(), roleId: world.role(granted) },
  })
  const [missingPermission] = missingPermissions(caller)
  return [
    { name: 'an empty role', more: assign([]) },
    ...(missingPermission
      ? [{ name: 'a role with a permission the caller lacks', more: assign([missingPermission]) }]
      : []),
  ]
}

/** How each operation is called. A new operation needs an entry. */
export const requests: Record<OperationId, Requests> = {
  getDiscovery: plain,
  getOpenApi: plain,
  ...flightRequests,
  ...dataRequests,
  getMe: plain,
  getPreferences: plain,
  updatePreferences: withBody({ distanceUnit: 'mi' }),
  listUsers: plain,
  getUser: userTargets,
  createUser: (world, caller) => {
    const body = () => ({ username: world.unique('new'), password: 'long enough' })
    return [
      { name: 'the default role', prepare: () => ({ body: body() }) },
      ...assignments(world, caller, 'otherRole', body).map(({ name, more }) => ({ name, prepare: more })),
    ]
  },
  updateUser: (world, caller) =>
    combined(userTargets(world, caller), [
      { name: 'a name', more: () => ({ body: { displayName: 'Another name' } }) },
      { name: 'a password', more: () => ({ body: { password: 'long enough' }, requestedChange: { guarded: true } }) },
      ...assignments(world, caller, 'roleChange', () => ({})),
    ]),
  deleteUser: userTargets,
  listRoles: plain,
  getRole: (world, caller) => roleTargets(world, caller, false),
  createRole: newRoles,
  updateRole: (world, caller) => {
    const bodies = newRoles(world, caller).map(({ name, prepare }) => ({ name, more: prepare }))
    const makesDefault = {
      name: 'as the default',
      more: (): Omit<Prepared, 'id' | 'target'> => ({
        conditions: ['makesDefault'],
        body: { name: world.unique('Role M'), permissions: [], isDefault: true },
        after: world.restoreDefault,
      }),
    }
    const changesMappings = {
      name: 'with claim values',
      more: (): Omit<Prepared, 'id' | 'target'> => ({
        conditions: ['changesMappings'],
        body: { name: world.unique('Role M'), permissions: [], oauthMappings: [world.unique('group')] },
      }),
    }
    return combined(roleTargets(world, caller, false), [...bodies, makesDefault, changesMappings])
  },
  deleteRole: (world, caller) => roleTargets(world, caller, true),
}
