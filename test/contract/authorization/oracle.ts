import type { Permission } from '../../../src/access/permissions.ts'
import type { OperationId } from '../../../src/access/policy.ts'
import type { Scope } from '../../../src/access/scopes.ts'
import { type Condition, type Row, table } from './table.ts'

/** The rules of contract 1.4, 2 and 8 once more, written from the contract and using nothing of the program. */

export interface Party {
  isOwner: boolean
  permissions: readonly Permission[]
}

export type Target =
  | { kind: 'missing' }
  /** A flight with the caller among its passengers (alone or with others), or without (others' or guests only). */
  | { kind: 'flight'; aboard: boolean }
  | { kind: 'user'; self: boolean; user: Party }
  | { kind: 'role'; permissions: readonly Permission[]; conflict?: true }
  /** A shipped row cannot be changed, by nobody (4.9). */
  | { kind: 'record'; conflict?: true }

/** What the body asks for, as far as the rules of delegation look at it. */
interface Wish {
  /** Permissions in the body of a role, or of the role to be given. */
  permissions?: readonly Permission[]
  /** A member that nobody may change for themself or for the owner. */
  guarded?: true
}

export interface Situation {
  operation: OperationId
  /** Nothing presented, presented and refused, or the scopes of a good credential. */
  credential: 'none' | 'refused' | readonly Scope[]
  caller: Party
  target?: Target
  /** The conditions that the request itself fulfils, without those that follow from a flight. */
  conditions?: readonly Condition[]
  wish?: Wish
}

export interface Verdict {
  status: number
  code?: string
  /** `scope` and `error` of the challenge; absent where there is no WWW-Authenticate. */
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

/** 2.2, the scopes whose backing is not the permission of the same name. */
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

/** 2.4: the role's permissions and what they imply. */
const effective = ({ permissions }: Party): string[] => [
  ...new Set(permissions.flatMap((name) => [name, ...(name.endsWith('.any') ? [name.replace(/any$/, 'own')] : [])])),
]

/** 2.6, the last row: a strict superset of effective permissions. */
function exceeds(a: Party, b: Party): boolean {
  const [mine, theirs] = [effective(a), effective(b)]
  return theirs.every((name) => mine.includes(name)) && mine.length > theirs.length
}

/** 2.6: the rules of delegation that an operation has beyond its scopes. */
function delegated({ operation, caller, target, wish = {} }: Situation): boolean {
  const holdsWish = (wish.permissions ?? []).every((permission) => holds(caller, permission))
  if (target?.kind === 'role') {
    const holdsRole = target.permissions.every((permission) => holds(caller, permission))
    return operation === 'getRole' || (holdsRole && holdsWish)
  }
  if (target?.kind !== 'user' || operation === 'getUser') return holdsWish
  const { self, user } = target
  if (operation === 'deleteUser') {
    if (user.isOwner) return false
    return self || caller.isOwner || exceeds(caller, user)
  }
  if (wish.guarded && (self || user.isOwner)) return false
  if (user.isOwner) return self
  return holdsWish && (self || caller.isOwner || exceeds(caller, user))
}

/** 1.4: visible when the role permits the requested action on the flight, or permits reading it. */
function visible(row: Row, caller: Party, aboard: boolean): boolean {
  const reach = (action: string) => holds(caller, `${action}.${aboard ? 'own' : 'any'}` as Permission)
  const action = row.fixed.find((scope) => scope.startsWith('flight.'))!.replace(/\.own$/, '')
  return reach(action) || reach('flight.read')
}

/** The conditional scopes of this call, in the order of section 3. */
function conditionalScopes(row: Row, { target, conditions = [] }: Situation): Scope[] {
  const aboard = target?.kind === 'flight' && target.aboard
  const holding: Condition[] = [...conditions, ...(target?.kind === 'flight' && !aboard ? ['notAboard' as const] : [])]
  return (row.conditional ?? []).filter(([, condition]) => holding.includes(condition)).map(([scope]) => scope)
}

/** 1.4 and 8: operations whose query is looked at before the fixed scopes are judged, and before anybody is known. */
const LOOKED_AT_EARLY: readonly OperationId[] = [
  'listFlights',
  'listFlightChanges',
  'exportFlights',
  'importFlights',
  'getStats',
  'getStatsBreakdown',
  'getStatsRecords',
  'listCustomFields',
]

const refusal = (status: number, code: string): Verdict => ({ status, code })

const insufficient = (scopes: readonly Scope[]): Verdict => ({
  status: 403,
  code: 'insufficient_scope',
  challenge: { scopes: scopes.join(' '), error: 'insufficient_scope' },
})

/** The answer that the contract asks for, in the order of 1.4. */
export function expected(situation: Situation): Verdict {
  const { operation, credential, caller, target } = situation
  const row = table[operation]
  if (row.open) return { status: row.success }
  const conditional = conditionalScopes(row, situation)
  const early = LOOKED_AT_EARLY.includes(operation) ? [...row.fixed, ...conditional] : row.fixed
  // Step 2.
  if (credential === 'none' || credential === 'refused') {
    const error = credential === 'refused' ? { error: 'invalid_token' as const } : {}
    return { ...refusal(401, 'unauthorized'), challenge: { scopes: early.join(' '), ...error } }
  }
  const lacks = (scopes: readonly Scope[]) => scopes.some((scope) => !includes(credential, scope))
  // Step 3.
  if (lacks(row.fixed)) return insufficient(early)
  // Step 4.
  if (row.target !== 'flight' && !backs(caller, row.fixed)) return refusal(403, 'forbidden')
  // Step 6.
  if (target?.kind === 'missing') return refusal(404, 'not_found')
  if (target?.kind === 'flight' && !visible(row, caller, target.aboard)) return refusal(404, 'not_found')
  // Step 7.
  if (lacks(conditional)) return insufficient([...row.fixed, ...conditional])
  // Step 8.
  const judged = row.target === 'flight' ? [...row.fixed, ...conditional] : conditional
  if (!backs(caller, judged) || !delegated(situation)) return refusal(403, 'forbidden')
  // Step 9.
  if ((target?.kind === 'role' || target?.kind === 'record') && target.conflict) return refusal(409, 'conflict')
  return { status: row.success }
}
