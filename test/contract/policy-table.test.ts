import { describe, expect, test } from 'vitest'
import { type OperationId, policy, ruleOf } from '../../src/access/policy.ts'
import { table } from './authorization/table.ts'

const ids = Object.keys(table) as OperationId[]

describe('the policy table', () => {
  test('has a row for exactly the operations of the contract', () => {
    expect(Object.keys(policy).sort()).toEqual([...ids].sort())
    expect(ids).toHaveLength(69)
  })

  test.each(ids)('%s requires the fixed and conditional scopes of contract section 3, in order', (id) => {
    const { needs, conditions = {} } = ruleOf(id)
    expect(needs).toEqual(table[id].fixed)
    expect(Object.values(conditions).map((condition) => condition.needs)).toEqual(
      (table[id].conditional ?? []).map(([scope]) => scope),
    )
  })

  test('describes when each conditional scope is required', () => {
    for (const id of ids) {
      for (const { when } of Object.values(ruleOf(id).conditions ?? {})) expect(when).toMatch(/^[a-z].*[^.]$/i)
    }
  })

  test('checks the role with the target only on the two flight paths', () => {
    expect(ids.filter((id) => ruleOf(id).roleWithTarget)).toEqual([
      'getFlight',
      'updateFlight',
      'deleteFlight',
      'getFlightTrack',
      'putFlightTrack',
      'deleteFlightTrack',
    ])
  })

  test('leaves only discovery and the OpenAPI document open', () => {
    expect(ids.filter((id) => ruleOf(id).open)).toEqual(['getDiscovery', 'getOpenApi'])
  })
})
