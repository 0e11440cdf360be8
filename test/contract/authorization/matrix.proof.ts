import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../../src/access/policy.ts'
import { type Scope, scopeNames } from '../../../src/access/scopes.ts'
import { allOperations } from '../../../src/app/operations.ts'
import { write } from '../../../src/db/write.ts'
import { newApiKey } from '../../../src/lib/secret.ts'
import { measured } from '../../support/measured.ts'
import { type Answer, type Paxlog, sharedPaxlog } from '../../support/paxlog.ts'
import { writeNow } from '../../support/write-now.ts'
import { expected, type Outcome } from './oracle.ts'
import { type Case, requests } from './requests.ts'
import { table } from './table.ts'
import { type Account, roleKinds, type World, world } from './world.ts'

const METADATA = 'http://localhost:3000/.well-known/oauth-protected-resource/api/v1'
const CHALLENGE =
  /^Bearer resource_metadata="([^"\\]*)"(?:, scope="([^"\\]+)")?(?:, error="([^"\\]*)", error_description="([^"\\]*)")?$/

let app: Paxlog
let testWorld: World
let total = 0

beforeAll(async () => {
  app = await sharedPaxlog()
  testWorld = world(app)
})
afterAll(() => app.close())
// Otherwise exports and lists of all records grow with every operation.
afterEach(() => {
  const work = 'delete from flights; delete from deleted_flights; delete from shares; delete from custom_fields'
  return write(app.db, 'accounts', () => void app.db.$client.exec(work))
})

/** The response in the terms of the oracle. A challenge in another format than contract 8 is an error. */
function outcomeOf({ status, headers, body }: Answer): Outcome {
  const outcome: Outcome = { status, ...(body?.error && { code: body.error.code }) }
  const header = headers['www-authenticate']
  if (header === undefined) return outcome
  const [, metadata, scopes = '', error, description] = CHALLENGE.exec(String(header)) ?? []
  if (metadata !== METADATA || (error && description !== body.error.message.replaceAll('"', "'"))) {
    return { ...outcome, challenge: { scopes: `malformed: ${header}` } }
  }
  return { ...outcome, challenge: { scopes, ...(error && { error: error as 'invalid_token' }) } }
}

type Call = { id?: string; query?: string; body?: unknown }

async function send(operation: OperationId, { id = '', query = '', body }: Call, headers: Record<string, string>) {
  const [method, path] = table[operation].route.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const url = `/api/v1${path.replace(/\{\w+\}/, id)}${query}`
  return app.request({ method, url, headers, ...(body !== undefined && { payload: body as object }) })
}

/** Runs one case and returns the difference to the contract, if any. */
async function difference(operation: OperationId, defaultCaller: Account, scopes: readonly Scope[], { prepare }: Case) {
  const { id, query, body, caller = defaultCaller, after, ...facts } = prepare()
  const call = { ...(id !== undefined && { id }), ...(query !== undefined && { query }), body }
  const expectedOutcome = expected({ operation, credential: scopes, caller, ...facts })
  const answer = await send(operation, call, { authorization: `Bearer ${caller.key(scopes)}` })
  after?.()
  total++
  const found = outcomeOf(answer)
  const missing =
    expectedOutcome.code === 'insufficient_scope' ? missingOf(expectedOutcome.challenge!.scopes, scopes) : []
  const unnamed = missing.filter((scope) => !answer.body.error.message.includes(scope))
  if (JSON.stringify(found) === JSON.stringify(expectedOutcome) && unnamed.length === 0) return undefined
  return { expectedOutcome, found, unnamed }
}

/** The scopes of the challenge that the credential lacks. The message must name them. */
const missingOf = (challenge: string, scopes: readonly string[]) =>
  challenge.split(' ').filter((scope) => !scopes.includes(scope) && !scopes.includes(scope.replace(/\.own$/, '.any')))

/** No scopes, the required ones, all, and all without each required one. */
function scopeSets(operation: OperationId): (readonly Scope[])[] {
  const { fixed, conditional = [] } = table[operation]
  const needed = [...fixed, ...conditional.map(([scope]) => scope)]
  const without = needed.map((left) =>
    scopeNames.filter((scope) => scope !== left && scope !== left.replace(/\.own$/, '.any')),
  )
  return [[], fixed, needed, scopeNames, ...without]
}

const allRoles = roleKinds.map(({ name }) => name)
const fewRoles = ['owner', 'without permissions', 'with all permissions']

async function differences(operation: OperationId, roles: readonly string[], sets: (readonly Scope[])[]) {
  const found: unknown[] = []
  for (const kind of roleKinds.filter(({ name }) => roles.includes(name))) {
    const caller = testWorld.account(kind.permissions)
    for (const each of requests[operation](testWorld, caller)) {
      for (const scopes of sets) {
        const differs = await difference(operation, caller, scopes, each)
        if (differs) found.push({ role: kind.name, case: each.name, scopes: scopes.join(' '), ...differs })
      }
    }
  }
  return found
}

const ids = Object.keys(requests) as OperationId[]
const protectedIds = ids.filter((id) => !table[id].open)

describe('the matrix', () => {
  test('has requests for every operation', () => {
    const served = ['getDiscovery', 'getOpenApi', ...allOperations(app.services).map(({ id }) => id)]
    expect([...ids].sort()).toEqual(served.sort())
  })

  test.each(protectedIds)(
    'B3 B4 B5 B9 %s: matches the contract for every role and target, with and without its scopes',
    async (id) => {
      expect(await differences(id, allRoles, scopeSets(id))).toEqual([])
    },
  )

  test.each(protectedIds)('B3 %s: matches the contract for every single scope', async (id) => {
    const singles = scopeNames.map((scope) => [scope])
    expect(await differences(id, fewRoles, singles)).toEqual([])
  })

  test('has thousands of cases', () => {
    measured(`${total} cases`)
    expect(total).toBeGreaterThan(5000)
  })
})

/** Contract 1.5 and row B8: missing headers or other schemes, and rejected bearer credentials. */
const validKey = () => testWorld.account(['flight.read.own']).key(scopeNames)
const credentials: [name: string, kind: 'none' | 'refused', header: () => string | undefined][] = [
  ['no header', 'none', () => undefined],
  ['an empty header', 'none', () => ''],
  ['another scheme', 'none', () => `Basic ${btoa('user:password')}`],
  ['a scheme that only starts with Bearer', 'none', () => `Bearerx ${validKey()}`],
  ['the credential without a scheme', 'none', () => validKey()],
  ['the scheme alone', 'refused', () => 'Bearer'],
  ['the scheme and a space', 'refused', () => 'Bearer '],
  ['two credentials', 'refused', () => `Bearer ${validKey()} ${validKey()}`],
  ['a credential and more', 'refused', () => `Bearer ${validKey()},`],
  ['a quoted credential', 'refused', () => `Bearer "${validKey()}"`],
  ['a credential of 10 kB', 'refused', () => `Bearer ${'a'.repeat(10_000)}`],
  ['a key and more than 4096 characters', 'refused', () => `Bearer ${validKey()}${'a'.repeat(4096)}`],
  ['a credential that is not ASCII', 'refused', () => 'Bearer pxl_\u00e9\u00e9'],
  ['a key in capitals', 'refused', () => `Bearer ${validKey().toUpperCase()}`],
  ['a key with a wrong checksum', 'refused', () => `Bearer ${validKey().slice(0, -1)}!`],
  ['a key cut short', 'refused', () => `Bearer ${validKey().slice(0, -1)}`],
  ['a key without a user', 'refused', () => `Bearer ${newApiKey()}`],
  ['something like an access token', 'refused', () => 'Bearer eyJhbGciOiJFUzI1NiJ9.e30.AAAA'],
  [
    'a deleted key',
    'refused',
    () => {
      const key = validKey()
      const remove = app.db.$client.prepare('delete from api_keys where id = (select max(id) from api_keys)')
      writeNow(app.db, () => remove.run())
      return `Bearer ${key}`
    },
  ],
]

describe('without a valid credential', () => {
  test.each(credentials)(
    'B1 B2 B8 %s returns 401 with the fixed scopes on every operation',
    async (_name, kind, header) => {
      for (const operation of protectedIds) {
        const authorization = header()
        const expectedOutcome = expected({ operation, credential: kind, caller: { isOwner: false, permissions: [] } })
        const answer = await send(operation, { id: 'nosuchid' }, authorization === undefined ? {} : { authorization })
        expect({ operation, ...outcomeOf(answer) }).toEqual({ operation, ...expectedOutcome })
      }
    },
  )

  test('B7: does not read a credential from the query, the body or a cookie', async () => {
    const key = validKey()
    const body = { access_token: key }
    const answers = [
      await app.request({ url: `/api/v1/me?access_token=${key}` }),
      await app.request({ url: '/api/v1/me', headers: { cookie: `session=${key}; access_token=${key}` } }),
      await app.request({ method: 'PUT', url: '/api/v1/preferences', payload: body }),
      await app.request({
        method: 'PUT',
        url: '/api/v1/preferences',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `access_token=${key}`,
      }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).not.toContain('error=')
    }
  })

  test('B8: ignores the case of the scheme and accepts several spaces and tabs after it', async () => {
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'bEaReR   ', 'Bearer\t', 'Bearer \t ']) {
      expect((await app.request({ url: '/api/v1/me', headers: { authorization: scheme + validKey() } })).status).toBe(
        200,
      )
    }
  })

  test('returns the two public documents with any credential or none', async () => {
    for (const operation of ['getDiscovery', 'getOpenApi'] as const) {
      for (const header of [undefined, 'Bearer nonsense', `Bearer ${validKey()}`]) {
        const headers: Record<string, string> = header === undefined ? {} : { authorization: header }
        expect((await send(operation, {}, headers)).status).toBe(200)
      }
    }
  })
})
