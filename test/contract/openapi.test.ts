import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type OperationId, ruleOf } from '../../src/access/policy.ts'
import { scopes } from '../../src/access/scopes.ts'
import { version } from '../../src/app/version.ts'
import { openApiText } from '../../src/http/v1/documents.ts'
import { openApiDocument } from '../../src/http/v1/openapi.ts'
import { paxlog } from '../support/paxlog.ts'
import { table } from './authorization/table.ts'

type Document = OpenAPIV3_1.Document
type Documented = OpenAPIV3_1.OperationObject & { 'x-conditional-scopes': string[] }
type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

async function buildDocument(baseUrl = 'http://localhost:3000'): Promise<Document> {
  const { app } = await paxlog({ baseUrl })
  return openApiDocument(app)
}

const operationsOf = (document: Document) =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({ method, path, operation: operation as Documented })),
  )

/** All values of a document with their paths. */
function* walk(value: unknown, path: string[] = []): Generator<{ path: string[]; value: Json }> {
  yield { path, value: value as Json }
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) yield* walk(child, [...path, key])
}

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

describe('openapi/openapi.yaml', () => {
  test('matches the document that the server builds (run npm run openapi to update it)', async () => {
    const { app } = await paxlog()
    const stored = readFileSync(join(import.meta.dirname, '../../openapi/openapi.yaml'), 'utf8')
    expect(stored).toBe((await openApiText(app)).replace('version: 0.0.0-test', `version: ${version}`))
  })

  test('reads the same in YAML 1.1, which interprets bare dates and yes differently', async () => {
    const { app } = await paxlog()
    expect(parse(await openApiText(app), { version: '1.1' })).toEqual(openApiDocument(app))
    expect(parse(await openApiText(app))).toEqual(openApiDocument(app))
  })
})

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1.0', async () => {
    const document = await buildDocument()
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(document.openapi).toBe('3.1.0')
  })

  test('names server, contact, both security schemes and the five tags of the contract', async () => {
    const document = await buildDocument('https://fly.example/log')
    expect(document.servers).toEqual([{ url: 'https://fly.example/log' }])
    expect(document.info.contact).toEqual({ name: 'The operator of this instance', url: 'https://fly.example/log' })
    expect(Object.keys(document.paths ?? {})).toContain('/api/v1/me')
    expect(document.components?.securitySchemes).toMatchObject({
      bearerAuth: { type: 'http', scheme: 'bearer' },
      oauth2: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://fly.example/log/oauth/authorize',
            tokenUrl: 'https://fly.example/log/oauth/token',
            scopes: Object.fromEntries(scopes.map(({ name, description }) => [name, description])),
          },
        },
      },
    })
    expect(document.tags?.map(({ name }) => name)).toEqual([
      'Discovery',
      'Flights',
      'Reference data',
      'Personal data',
      'Administration',
    ])
  })

  test('describes id, path, scopes and conditions of each operation as in contract section 3', async () => {
    for (const { method, path, operation } of operationsOf(await buildDocument())) {
      const id = operation.operationId as OperationId
      const { route, fixed, conditional = [], open } = table[id]
      expect(`${method.toUpperCase()} ${path}`).toBe(route.replace(' ', ' /api/v1'))
      expect(operation.security).toEqual(open ? [] : [{ bearerAuth: fixed }, { oauth2: fixed }])
      expect(operation['x-conditional-scopes']).toEqual([...new Set(conditional.map(([scope]) => scope))])
      for (const { needs, when } of Object.values(ruleOf(id).conditions ?? {})) {
        expect(operation.description).toContain(`\`${needs}\`: needed when ${when}.`)
      }
    }
  })

  test('lists every status that each operation can return', async () => {
    const statuses = Object.fromEntries(
      operationsOf(await buildDocument()).map(({ operation }) => [
        operation.operationId,
        Object.keys(operation.responses ?? {}).join(' '),
      ]),
    )
    expect(statuses).toMatchObject({
      getDiscovery: '200 400 500',
      getOpenApi: '200 400 500',
      getMe: '200 400 401 500 503',
      getPreferences: '200 400 401 403 500 503',
      updatePreferences: '200 400 401 403 413 422 500 503',
      listUsers: '200 400 401 403 500 503',
      getUser: '200 400 401 403 404 500 503',
      createUser: '201 400 401 403 409 413 422 500 503',
      updateUser: '200 400 401 403 404 409 413 422 500 503',
      deleteUser: '204 400 401 403 404 500 503',
      listRoles: '200 400 401 403 500 503',
      getRole: '200 400 401 403 404 500 503',
      createRole: '201 400 401 403 409 413 422 500 503',
      updateRole: '200 400 401 403 404 409 413 422 500 503',
      deleteRole: '204 400 401 403 404 409 500 503',
    })
  })

  test('documents conditional reads and writes exactly for the operations of contract 16.4', async () => {
    const found: Record<string, string[]> = { 304: [], 412: [], 'If-None-Match': [], 'If-Match': [] }
    for (const { operation } of operationsOf(await buildDocument())) {
      const sent = ((operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]).filter(
        (each) => each.in === 'header',
      )
      for (const name of [...Object.keys(operation.responses ?? {}), ...sent.map(({ name }) => name)]) {
        found[name]?.push(operation.operationId!)
      }
      const notModified = operation.responses?.[304] as OpenAPIV3_1.ResponseObject | undefined
      if (notModified)
        expect([Object.keys(notModified.headers ?? {}), notModified.content]).toEqual([['ETag'], undefined])
    }
    const named = 'listFlights getFlight getFlightTrack getStats getAirport getAirline getAircraft listTrips getTrip'
    expect(found[304]).toEqual(expect.arrayContaining(named.split(' ')))
    expect(found['If-None-Match']).toEqual(found[304])
    const written = 'updateFlight deleteFlight putFlightTrack deleteFlightTrack updateTrip deleteTrip'
    expect(found[412]).toEqual(written.split(' '))
    expect(found['If-Match']).toEqual(found[412])
  })

  test('documents the headers that clients must read', async () => {
    const document = await buildDocument()
    const headers = (response: unknown) => Object.keys((response as OpenAPIV3_1.ResponseObject).headers ?? {})
    const { responses = {} } = document.components ?? {}
    expect(headers(responses.Unauthorized)).toEqual(['WWW-Authenticate'])
    expect(headers(responses.Forbidden)).toEqual(['WWW-Authenticate'])
    expect(headers(responses.Busy)).toEqual(['Retry-After'])
    for (const { operation } of operationsOf(document)) {
      const created = operation.responses?.[201]
      if (created) expect(headers(created)).toContain('Location')
      const takesKey = (operation.parameters as OpenAPIV3_1.ParameterObject[] | undefined)?.some(
        ({ name }) => name === 'Idempotency-Key',
      )
      expect(takesKey ?? false).toBe(['createFlight', 'createTrip', 'importFlights'].includes(operation.operationId!))
      const [success] = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))!
      expect(headers(operation.responses![success]!).includes('Idempotency-Replayed')).toBe(takesKey ?? false)
    }
  })
})

describe('the OpenAPI document for integrators', () => {
  test('has a unique summary and a longer description for every operation', async () => {
    const summaries = new Set<string>()
    for (const { operation } of operationsOf(await buildDocument())) {
      const { operationId, summary = '', description = '', tags } = operation
      expect(summary, operationId).toMatch(/^[A-Z].*[^.]$/)
      expect(description.length, operationId).toBeGreaterThan(20)
      expect(description, operationId).not.toBe(summary)
      expect(tags, operationId).toHaveLength(1)
      summaries.add(summary)
    }
    expect(summaries.size).toBe(operationsOf(await buildDocument()).length)
  })

  test('describes every parameter and requires path parameters', async () => {
    for (const { path, operation } of operationsOf(await buildDocument())) {
      const parameters = (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(inPath.map(({ name }) => name))
      for (const { name, required, description } of parameters) {
        expect(description, `${operation.operationId} ${name}`).toMatch(/\w/)
        if (path.includes(`{${name}}`)) expect(required).toBe(true)
      }
    }
  })

  test('has no unused components or broken references', async () => {
    const document = await buildDocument()
    const references = [...walk(document)]
      .filter(({ path }) => path.at(-1) === '$ref')
      .map(({ value }) => value as string)
    const names = (['schemas', 'responses'] as const).flatMap((kind) =>
      Object.keys(document.components?.[kind] ?? {}).map((name) => `#/components/${kind}/${name}`),
    )
    expect([...new Set(references)].sort()).toEqual(names.sort())
  })

  test('has open objects, because v1 may add members', async () => {
    const closed = [...walk(await buildDocument())].filter(
      ({ path, value }) => path.at(-1) === 'additionalProperties' && value === false,
    )
    expect(closed).toEqual([])
  })

  test('expresses null only as an alternative, never as nullable or in a list of types', async () => {
    const document = await buildDocument()
    const others = [...walk(document)].filter(
      ({ path, value }) => path.at(-1) === 'nullable' || (path.at(-1) === 'type' && Array.isArray(value)),
    )
    expect(others).toEqual([])
    const { Me, User, Flight } = document.components!.schemas as Record<string, { properties: Record<string, object> }>
    expect(User!.properties.roleId).toEqual({ anyOf: [{ type: 'string' }, { type: 'null' }] })
    expect(Flight!.properties.airline).toEqual({ anyOf: [{ $ref: '#/components/schemas/Airline' }, { type: 'null' }] })
    expect(Me!.properties.role).toMatchObject({
      anyOf: [{ type: 'object' }, { type: 'null' }],
      description: 'Null for the owner, who has no role and every permission.',
    })
  })

  test('lists the required members of every response object', async () => {
    for (const { path, value } of walk(await buildDocument())) {
      if (!isObject(value) || value.type !== 'object' || path.includes('requestBody')) continue
      const [, kind, name = ''] = path
      const isInput = kind === 'schemas' && name.endsWith('Input')
      // Every part of a validation is optional, and of a flight any part may be unknown.
      const isOptional = ['CustomFieldValidation', 'FlightDraft'].includes(name)
      if (!isInput && !isOptional && value.properties) expect(value.required, path.join('/')).toBeInstanceOf(Array)
    }
  })

  test('states defaults once with the keyword, not in words', async () => {
    const document = await buildDocument()
    const words = [...walk(document)].filter(
      ({ path, value }) => path.at(-1) === 'description' && /\bdefault: /i.test(String(value)),
    )
    expect(words).toEqual([])
    const { RoleWriteInput, FlightWriteInput, ShareWriteInput, CustomFieldWriteInput } = document.components!
      .schemas as Record<string, { properties: Record<string, object> }>
    expect(RoleWriteInput!.properties.description).toMatchObject({ default: null })
    expect(FlightWriteInput!.properties).toMatchObject({
      datePrecision: { default: 'day' },
      departure: { default: null },
      customFields: { default: {} },
    })
    expect(ShareWriteInput!.properties).toMatchObject({ expiresAt: { default: null }, showMap: { default: true } })
    expect(CustomFieldWriteInput!.properties).toMatchObject({ options: { default: null }, active: { default: true } })
    const parameters = operationsOf(document).flatMap(({ operation }) =>
      ((operation.parameters as OpenAPIV3_1.ParameterObject[] | undefined) ?? []).map(
        ({ name, schema }) => [`${operation.operationId} ${name}`, (schema as { default?: unknown }).default] as const,
      ),
    )
    expect(Object.fromEntries(parameters)).toMatchObject({
      'listFlights scope': 'mine',
      'listFlights limit': 50,
      'listFlightChanges limit': 100,
      'exportFlights format': 'json',
      'listCustomFields includeInactive': false,
      'importFlights dryRun': false,
      'importFlights format': 'auto',
    })
  })

  test('names every JSON response schema, and no name is a JavaScript global', async () => {
    const document = await buildDocument()
    for (const { operation } of operationsOf(document)) {
      for (const [status, answer] of Object.entries(operation.responses ?? {})) {
        const schema = (answer as OpenAPIV3_1.ResponseObject).content?.['application/json']?.schema
        if (schema)
          expect([operation.operationId, status, Object.keys(schema)]).toEqual([
            operation.operationId,
            status,
            ['$ref'],
          ])
      }
    }
    const globals = Object.keys(document.components?.schemas ?? {}).filter((name) => name in globalThis)
    expect(globals).toEqual([])
  })

  test('declares the import file as binary', async () => {
    const { paths } = await buildDocument()
    const { content } = paths!['/api/v1/flights/import']!.post!.requestBody as OpenAPIV3_1.RequestBodyObject
    expect(content['application/octet-stream']!.schema).toMatchObject({ type: 'string', format: 'binary' })
  })

  test('mentions municipality only in the airport search', async () => {
    const { paths } = await buildDocument()
    const mentions = ['airports', 'airlines', 'aircraft'].map((kind) => {
      const [query] = paths![`/api/v1/${kind}`]!.get!.parameters as OpenAPIV3_1.ParameterObject[]
      return query!.description!.includes('municipality')
    })
    expect(mentions).toEqual([true, false, false])
  })

  test('repeats no default and mentions only what applies to the operation', async () => {
    const document = await buildDocument()
    for (const { path, value } of walk(document)) {
      const defaults = path.at(-1) === 'description' && typeof value === 'string' ? value.match(/Default:/g) : null
      expect(defaults?.length ?? 0, path.join('/')).toBeLessThan(2)
    }
    const query = Object.fromEntries(
      operationsOf(document).map(({ operation }) => [
        operation.operationId!,
        JSON.stringify(operation.parameters ?? []),
      ]),
    )
    expect(query.searchAirports).toContain('municipality')
    expect(query.searchAirlines).not.toContain('municipality')
    expect(query.searchAircraft).not.toContain('municipality')
    const { Me } = document.components!.schemas as Record<string, { properties: Record<string, object> }>
    expect(JSON.stringify(Me!.properties.role)).toContain('Null for the owner')
  })

  test('declares the items of every array', async () => {
    for (const { path, value } of walk(await buildDocument())) {
      if (isObject(value) && value.type === 'array') expect(value.items, path.join('/')).toBeDefined()
    }
  })

  test('has valid examples for every request body and success response', async () => {
    const document = await buildDocument()
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(document, 'document')
    const schemas = document.components!.schemas as Record<string, { examples?: unknown[] }>
    const without = Object.keys(schemas).filter(
      (name) =>
        /(Write|Change|Replace)Input$|Response$/.test(name) && name !== 'ErrorResponse' && !schemas[name]!.examples,
    )
    expect(without).toEqual([])
    const bare = operationsOf(document).flatMap(({ operation }) =>
      [operation.requestBody, operation.responses?.[200], operation.responses?.[201]].flatMap((each) =>
        Object.entries((each as OpenAPIV3_1.ResponseObject | undefined)?.content ?? {})
          .filter(([, { schema }]) => {
            const { $ref = '', examples, format } = schema as { $ref?: string; examples?: unknown[]; format?: string }
            return format !== 'binary' && !examples && !schemas[$ref.split('/').at(-1)!]?.examples
          })
          .map(([type]) => `${operation.operationId} ${type}`),
      ),
    )
    expect(bare).toEqual([])
    for (const [name, { examples = [] }] of Object.entries(schemas)) {
      const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` })
      for (const example of examples) {
        expect(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true)
      }
    }
    const isError = ajv.compile({ $ref: 'document#/components/schemas/ErrorResponse' })
    for (const [name, response] of Object.entries(document.components?.responses ?? {})) {
      const { content } = response as OpenAPIV3_1.ResponseObject
      for (const { value } of Object.values(content!['application/json']!.examples!) as { value: unknown }[]) {
        expect(isError(value), name).toBe(true)
      }
    }
  })

  test('contains the limits of the contract', async () => {
    const { components } = await buildDocument()
    const { UserWriteInput: UserWrite, RoleWriteInput: RoleWrite } = components!.schemas as Record<
      string,
      { properties: Record<string, object>; required: string[] }
    >
    expect(UserWrite!.properties).toMatchObject({
      username: { type: 'string', minLength: 3, maxLength: 20, pattern: '^[A-Za-z0-9._-]*$' },
      password: { type: 'string', minLength: 8, maxLength: 1024 },
      displayName: { minLength: 3, maxLength: 100 },
      roleId: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    })
    expect(UserWrite!.required).toEqual(['username', 'password'])
    expect(RoleWrite!.properties).toMatchObject({ name: { minLength: 1, maxLength: 50 } })
    expect(RoleWrite!.required).toEqual(['name', 'permissions'])
  })
})
