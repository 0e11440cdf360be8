import { type Permission, permissions } from '../../../src/access/permissions.ts'
import type { OperationId } from '../../../src/access/policy.ts'
import { dataRequests } from './data-requests.ts'
import { flightRequests } from './flight-requests.ts'
import type { Situation, Target } from './oracle.ts'
import { type Account, relations, userTarget, type World } from './world.ts'

/** One request of an operation, with what the oracle must know about it. */
export interface Prepared extends Pick<Situation, 'target' | 'conditions' | 'wish'> {
  /** Replaces the id in the path. */
  id?: string
  /** With its question mark. */
  query?: string
  body?: unknown
  /** Who calls, when it must be another account than the usual one. */
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

/** Self, the owner, and users below, beside, above and across the caller. */
function userTargets(world: World, caller: Account): Case[] {
  const others = Object.entries(relations(caller)).flatMap(([name, held]) =>
    held === undefined
      ? []
      : [
          {
            name,
            prepare: () => {
              const { id, isOwner, permissions: has } = world.account(held)
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
const lackedBy = (caller: Account): Permission[] => {
  const held = new Set<string>(effective(caller).flatMap((name) => [name, name.replace(/any$/, 'own')]))
  return permissions.filter((name) => !held.has(name))
}

/** Roles within and beyond what the caller holds, in use, and the default one. */
function roleTargets(world: World, caller: Account, deletes: boolean): Case[] {
  const role = (name: string, held: readonly Permission[], more: { conflict?: true; used?: true } = {}): Case => ({
    name,
    prepare: () => {
      const { used, ...conflict } = more
      const id = used ? world.account(held).roleId! : world.role(held)
      return { id, target: { kind: 'role', permissions: held, ...(deletes && conflict) } }
    },
  })
  const [beyond] = lackedBy(caller)
  return [
    role('an empty role', []),
    role('a role within reach', effective(caller)),
    role('a role in use', effective(caller), { conflict: true, used: true }),
    ...(beyond ? [role('a role beyond reach', [...effective(caller), beyond])] : []),
    missing,
  ]
}

const newRoles = (world: World, caller: Account): Case[] => {
  const body = (held: readonly Permission[]) => ({
    wish: { permissions: held },
    body: { name: world.unique('Role M'), permissions: held },
  })
  const [beyond] = lackedBy(caller)
  return [
    { name: 'within', prepare: () => body(effective(caller)) },
    { name: 'empty', prepare: () => body([]) },
    ...(beyond ? [{ name: 'beyond', prepare: () => body([beyond]) }] : []),
  ]
}

/** Bodies that give a role: one within reach and one beyond it. */
const given = (world: World, caller: Account, condition: 'otherRole' | 'roleChange', body: () => object) => {
  const give = (held: readonly Permission[]) => () => ({
    conditions: [condition] as const,
    wish: { permissions: held, ...(condition === 'roleChange' && { guarded: true as const }) },
    body: { ...body(), roleId: world.role(held) },
  })
  const [beyond] = lackedBy(caller)
  return [
    { name: 'a role within reach', more: give([]) },
    ...(beyond ? [{ name: 'a role beyond reach', more: give([beyond]) }] : []),
  ]
}

/** How each operation is called: an operation that is added gets its entry here. */
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
      ...given(world, caller, 'otherRole', body).map(({ name, more }) => ({ name, prepare: more })),
    ]
  },
  updateUser: (world, caller) =>
    combined(userTargets(world, caller), [
      { name: 'a name', more: () => ({ body: { displayName: 'Another name' } }) },
      { name: 'a password', more: () => ({ body: { password: 'long enough' }, wish: { guarded: true } }) },
      ...given(world, caller, 'roleChange', () => ({})),
    ]),
  deleteUser: userTargets,
  listRoles: plain,
  getRole: (world, caller) => roleTargets(world, caller, false),
  createRole: newRoles,
  updateRole: (world, caller) => {
    const bodies = newRoles(world, caller).map(({ name, prepare }) => ({ name, more: prepare }))
    const makesDefault = {
      name: 'made the default',
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
