import type { Permission } from '../../../src/access/permissions.ts'
import type { OperationId } from '../../../src/access/policy.ts'
import type { Scope } from '../../../src/access/scopes.ts'
import { type Condition, type Row, table } from './table.ts'

/** A second implementation of contract 1.4, 2 and 8, which uses nothing of the program. */

export interface Party {
  isOwner: boolean
  permissions: readonly Permission[]
}

export type Target =
  | { kind: 'missing' }
  /** A flight with or without the caller among its passengers. */
  | { kind: 'flight'; isPassenger: boolean }
  | { kind: 'user'; self: boolean; user: Party }
  | { kind: 'role'; permissions: readonly Permission[]; conflict?: true }
  /** No user can change a bundled row (4.9). */
  | { kind: 'record'; conflict?: true }

/** The parts of the body that the delegation rules check. */
interface RequestedChange {
  /** The permissions of a new or changed role, or of the role to assign. */
  permissions?: readonly Permission[]
  /** Set for a member that users cannot change for themselves or for the owner. */
  guarded?: true
}

export interface Situation {
  operation: OperationId
  /** No credential, a rejected credential, or the scopes of a valid one. */
  credential: 'none' | 'refused' | readonly Scope[]
  caller: Party
  target?: Target
  /** The conditions of the request itself, without those that depend on the flight. */
  conditions?: readonly Condition[]
  requestedChange?: RequestedChange
}

export interface Outcome {
  status: number
  code?: string
  /** `scope` and `error` of the challenge. Absent without WWW-Authenticate. */
  challenge?: { scopes: string; error?: 'invalid_token' | 'insufficient_scope' }
}

const RANGED = [
  'flight.read',
  'flight.create',
  'flight.update',
  'flight.delete',
  'flight.import',
  'flight.export',
  'flight.passengers.manage',
]

/** 2.2: `X.any` satisfies `X.own`; nothing else implies anything. */
function includes(held: readonly string[], wanted: string): boolean {
  if (held.includes(wanted)) return true
  const action = wanted.replace(/\.own$/, '')
  return action !== wanted && RANGED.includes(action) && held.includes(`${action}.any`)
}

/** 2.2: scopes whose permission has another name. */
const BACKING: Partial<Record<Scope, Permission | null>> = {
  'profile.read': null,
  'preferences.write': null,
  'reference_data.read': null,
  'custom_fields.read': null,
  'stats.read': 'flight.read.own',
  'tracks.read': 'flight.read.own',
  'tracks.write': 'flight.update.own',
  'visited_countries.read': 'flight.read.own',
  'visited_countries.write': 'flight.read.own',
  'shares.read': 'flight.share.own',
  'shares.write': 'flight.share.own',
}

const holds = (party: Party, permission: Permission) => party.isOwner || includes(party.permissions, permission)

const backs = (party: Party, scopes: readonly Scope[]) =>
  scopes.every((scope) => {
    const backing = BACKING[scope]
    return backing === null || holds(party, backing ?? (scope as Permission))
  })

/** 2.4: the permissions of the role and those they imply. */
const effective = ({ permissions }: Party): string[] => [
  ...new Set(permissions.flatMap((name) => [name, ...(name.endsWith('.any') ? [name.replace(/any$/, 'own')] : [])])),
]

/** 2.6, last row: a strict superset of effective permissions. */
function isStrictSuperset(a: Party, b: Party): boolean {
  const [mine, theirs] = [effective(a), effective(b)]
  return theirs.every((name) => mine.includes(name)) && mine.length > theirs.length
}

/** 2.6: the delegation rules of an operation in addition to its scopes. */
function isDelegationAllowed({ operation, caller, target, requestedChange = {} }: Situation): boolean {
  const holdsRequested = (requestedChange.permissions ?? []).every((permission) => holds(caller, permission))
  if (target?.kind === 'role') {
    const holdsRole = target.permissions.every((permission) => holds(caller, permission))
    return operation === 'getRole' || (holdsRole && holdsRequested)
  }
  if (target?.kind !== 'user' || operation === 'getUser') return holdsRequested
  const { self, user } = target
  if (operation === 'deleteUser') {
    if (user.isOwner) return false
    return self || caller.isOwner || isStrictSuperset(caller, user)
  }
  if (requestedChange.guarded && (self || user.isOwner)) return false
  if (user.isOwner) return self
  return holdsRequested && (self || caller.isOwner || isStrictSuperset(caller, user))
}

/** 1.4: visible if the role permits the requested action on the flight, or permits reading it. */
function isVisible(row: Row, caller: Party, isPassenger: boolean): boolean {
  const canDo = (action: string) => holds(caller, `${action}.${isPassenger ? 'own' : 'any'}` as Permission)
  const action = row.fixed.find((scope) => scope.startsWith('flight.'))!.replace(/\.own$/, '')
  return canDo(action) || canDo('flight.read')
}

/** The conditional scopes of this call, in the order of section 3. */
function conditionalScopes(row: Row, { target, conditions = [] }: Situation): Scope[] {
  const isPassenger = target?.kind === 'flight' && target.isPassenger
  const activeConditions: Condition[] = [
    ...conditions,
    ...(target?.kind === 'flight' && !isPassenger ? ['notPassenger' as const] : []),
  ]
  return (row.conditional ?? []).filter(([, condition]) => activeConditions.includes(condition)).map(([scope]) => scope)
}

/** 1.4 and 8: operations whose query is read before the fixed scopes are checked and before authentication. */
const QUERY_READ_FIRST: readonly OperationId[] = [
  'listFlights',
  'listDeletedFlights',
  'listFlightChanges',
  'exportFlights',
  'importFlights',
  'getStats',
  'getStatsBreakdown',
  'getStatsRecords',
  'getStatsPunctuality',
  'listCustomFields',
]

const errorOutcome = (status: number, code: string): Outcome => ({ status, code })

const insufficient = (scopes: readonly Scope[]): Outcome => ({
  status: 403,
  code: 'insufficient_scope',
  challenge: { scopes: scopes.join(' '), error: 'insufficient_scope' },
})

/** The response required by the contract, in the order of 1.4. */
export function expected(situation: Situation): Outcome {
  const { operation, credential, caller, target } = situation
  const row = table[operation]
  if (row.open) return { status: row.success }
  const conditional = conditionalScopes(row, situation)
  const challengedScopes = QUERY_READ_FIRST.includes(operation) ? [...row.fixed, ...conditional] : row.fixed
  // Step 2.
  if (credential === 'none' || credential === 'refused') {
    const error = credential === 'refused' ? { error: 'invalid_token' as const } : {}
    return { ...errorOutcome(401, 'unauthorized'), challenge: { scopes: challengedScopes.join(' '), ...error } }
  }
  const lacks = (scopes: readonly Scope[]) => scopes.some((scope) => !includes(credential, scope))
  // Step 3.
  if (lacks(row.fixed)) return insufficient(challengedScopes)
  // Step 4.
  if (row.target !== 'flight' && !backs(caller, row.fixed)) return errorOutcome(403, 'forbidden')
  // Step 6.
  if (target?.kind === 'missing') return errorOutcome(404, 'not_found')
  if (target?.kind === 'flight' && !isVisible(row, caller, target.isPassenger)) return errorOutcome(404, 'not_found')
  // Step 7.
  if (lacks(conditional)) return insufficient([...row.fixed, ...conditional])
  // Step 8.
  const checkedScopes = row.target === 'flight' ? [...row.fixed, ...conditional] : conditional
  if (!backs(caller, checkedScopes) || !isDelegationAllowed(situation)) return errorOutcome(403, 'forbidden')
  // Step 9.
  if ((target?.kind === 'role' || target?.kind === 'record') && target.conflict) return errorOutcome(409, 'conflict')
  return { status: row.success }
}
