import { AppError, forbidden } from '../lib/errors.ts'
import { english } from '../messages/english.ts'
import type { Caller } from './caller.ts'
import { type Facts, type OperationId, ruleOf, type SomeFacts } from './policy.ts'
import { permissionFor, type Scope } from './scopes.ts'

/** Lists every scope that the call needs, including those held, so that one step-up is enough (contract 8). */
export class MissingScope extends AppError {
  readonly needed: readonly Scope[]

  constructor(missing: readonly Scope[], needed: readonly Scope[]) {
    const { lacksScope, lacksScopes } = english.access
    const message =
      missing.length === 1 ? lacksScope({ scope: missing[0]! }) : lacksScopes({ scopes: missing.join(', ') })
    super('insufficient_scope', message)
    this.needed = needed
  }
}

export function requiredScopes(id: OperationId, facts: SomeFacts): readonly Scope[] {
  const { needs, conditions } = ruleOf(id)
  if (!conditions) return needs
  const matching = Object.keys(conditions).filter((fact) => facts[fact])
  if (matching.length === 0) return needs
  return [...new Set([...needs, ...matching.map((fact) => conditions[fact]!.needs)])]
}

const missingScopes = ({ credential: { usable } }: Caller, needed: readonly Scope[]) =>
  needed.filter((scope) => !usable.has(scope))

function requirePermissions({ permissions }: Caller, scopes: readonly Scope[]): void {
  const missing = scopes.map(permissionFor).find((permission) => permission && !permissions.has(permission))
  if (missing) throw forbidden(english.access.lacksPermission({ permission: missing }))
}

/** Checked before the body is read. Known facts complete the challenge but do not decide. */
export function requireFixedScopes(caller: Caller, id: OperationId, known?: () => SomeFacts): void {
  const { needs, roleWithTarget } = ruleOf(id)
  if (missingScopes(caller, needs).length > 0) {
    const needed = requiredScopes(id, known?.() ?? {})
    throw new MissingScope(missingScopes(caller, needed), needed)
  }
  if (!roleWithTarget) requirePermissions(caller, needs)
}

export function authorize<Id extends OperationId>(caller: Caller, id: Id, facts: Facts<NoInfer<Id>>): void {
  const needed = requiredScopes(id, facts)
  const missing = missingScopes(caller, needed)
  if (missing.length > 0) throw new MissingScope(missing, needed)
  requirePermissions(caller, needed)
}

/** For answers that contain less without the scope instead of failing. */
export function canUseScope(caller: Caller, scope: Scope): boolean {
  const permission = permissionFor(scope)
  return caller.credential.usable.has(scope) && (!permission || caller.permissions.has(permission))
}

export const canUseAll = (caller: Caller, scopes: readonly Scope[]): boolean =>
  scopes.every((scope) => canUseScope(caller, scope))
