import { AppError } from '../lib/errors.ts'
import type { Caller } from './caller.ts'
import type { Permission } from './permissions.ts'
import { type Facts, type OperationId, ruleOf, type SomeFacts } from './policy.ts'
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

/** Fixed scopes first, then the conditional ones in the order of the row, each once. */
export function neededScopes(id: OperationId, facts: SomeFacts): readonly Scope[] {
  const { needs, conditions } = ruleOf(id)
  if (!conditions) return needs
  const holding = Object.keys(conditions).filter((fact) => facts[fact])
  // Most calls concern only what is the caller's own.
  if (holding.length === 0) return needs
  return [...new Set([...needs, ...holding.map((fact) => conditions[fact]!.needs)])]
}

const holdsAll = ({ credential: { usable } }: Caller, scopes: readonly Scope[]) =>
  scopes.every((scope) => usable.has(scope))

function missingScope({ credential: { usable } }: Caller, needed: readonly Scope[]): MissingScope {
  return new MissingScope(
    needed.filter((scope) => !usable.has(scope)),
    needed,
  )
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
export function requireFixedScopes(caller: Caller, id: OperationId, known?: () => SomeFacts): void {
  const { needs, roleWithTarget } = ruleOf(id)
  if (!holdsAll(caller, needs)) throw missingScope(caller, neededScopes(id, known?.() ?? {}))
  if (!roleWithTarget) requireBacking(caller, needs)
}

/** Decides an operation with all its conditions: scopes first, then the role. */
export function authorize<Id extends OperationId>(caller: Caller, id: Id, facts: Facts<NoInfer<Id>>): void {
  const needed = neededScopes(id, facts)
  if (!holdsAll(caller, needed)) throw missingScope(caller, needed)
  requireBacking(caller, needed)
}

/** Whether credential and role both allow what a scope is for, where an answer is smaller without it and not refused. */
export function holds(caller: Caller, scope: Scope): boolean {
  const permission = backingOf(scope)
  return caller.credential.usable.has(scope) && (!permission || caller.permissions.has(permission))
}
