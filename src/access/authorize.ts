import { AppError } from '../lib/errors.ts'
import type { Caller } from './caller.ts'
import type { Permission } from './permissions.ts'
import { type Facts, type OperationId, ruleOf } from './policy.ts'
import { backingOf, type Scope } from './scopes.ts'

/** Carries every scope the call needs, held or not, so that one step-up is enough (contract 8). */
export class MissingScope extends AppError {
  readonly needed: readonly Scope[]

  constructor(missing: readonly Scope[], needed: readonly Scope[]) {
    const list = missing.length === 1 ? `the scope ${missing[0]}` : `the scopes ${missing.join(', ')}`
    super('insufficient_scope', `This call also needs ${list}.`)
    this.needed = needed
  }
}

function neededScopes(id: OperationId, facts: Readonly<Record<string, boolean>>): Scope[] {
  const { needs, conditions = {} } = ruleOf(id)
  const conditional = Object.entries(conditions)
    .filter(([fact]) => facts[fact])
    .map(([, condition]) => condition.needs)
  return [...needs, ...conditional]
}

function requireScopes(caller: Caller, scopes: readonly Scope[], needed: readonly Scope[]): void {
  const { usable } = caller.credential
  for (const scope of scopes) {
    if (usable.has(scope)) continue
    throw new MissingScope(
      needed.filter((each) => !usable.has(each)),
      needed,
    )
  }
}

/** Refuses when the role does not hold the permission. */
function requirePermission(caller: Caller, permission: Permission): void {
  if (caller.permissions.has(permission)) return
  throw new AppError('forbidden', `Your role does not permit this: it lacks ${permission}.`)
}

function requireBacking(caller: Caller, scopes: readonly Scope[]): void {
  for (const scope of scopes) {
    const permission = backingOf(scope)
    if (permission) requirePermission(caller, permission)
  }
}

/**
 * What every call of the operation needs, checked before the body is read.
 * Facts that the query already tells make the challenge complete, but do not decide here.
 */
export function requireStanding<Id extends OperationId>(
  caller: Caller,
  id: Id,
  known: Partial<Facts<NoInfer<Id>>> = {},
): void {
  const { needs, roleWithTarget } = ruleOf(id)
  requireScopes(caller, needs, neededScopes(id, known as Record<string, boolean>))
  if (!roleWithTarget) requireBacking(caller, needs)
}

/** Decides an operation with all its conditions: scopes first, then the role. */
export function authorize<Id extends OperationId>(caller: Caller, id: Id, facts: Facts<NoInfer<Id>>): void {
  const needed = neededScopes(id, facts)
  requireScopes(caller, needed, needed)
  requireBacking(caller, needed)
}
