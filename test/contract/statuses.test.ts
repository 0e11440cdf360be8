import type { OpenAPIV3_1 } from 'openapi-types'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/http/v1/openapi.ts'
import { paxlog } from '../support/paxlog.ts'
import { wire } from '../support/socket.ts'

type Document = OpenAPIV3_1.Document
type Schemas = Record<string, { examples?: unknown[] }>

/** Statuses that need stored data, a precondition or a server error. The tests of each resource cover them. */
const SKIPPED_STATUSES = ['304', '409', '412', '500', '503']

const BODY_LIMIT = 10_000

const operationsOf = (document: Document) =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({
      line: `${method.toUpperCase()} ${path}`,
      operation: operation as OpenAPIV3_1.OperationObject,
    })),
  )

function exampleBody(document: Document, operation: OpenAPIV3_1.OperationObject): string | undefined {
  const content = (operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content
  if (!content) return undefined
  const { $ref = '' } = (content['application/json']?.schema ?? {}) as { $ref?: string }
  const schema = (document.components!.schemas as Schemas)[$ref.split('/').at(-1)!]
  return schema ? JSON.stringify(schema.examples![0]) : 'a file in no known format'
}

test('the document declares no status ranges', async () => {
  const { app } = await paxlog()
  const keys = operationsOf(openApiDocument(app)).flatMap(({ operation }) => Object.keys(operation.responses ?? {}))
  expect(keys.filter((key) => !/^\d{3}$/.test(key))).toEqual([])
})

test('each operation declares exactly the errors that it returns', async () => {
  const server = await paxlog({ bodyLimit: BODY_LIMIT })
  const document = openApiDocument(server.app)
  const { send, request } = await wire(server.app)
  const owner = `Authorization: Bearer ${server.user({ owner: true }).key}`
  const withoutScopes = `Authorization: Bearer ${server.user({ scopes: [] }).key}`

  const found: Record<string, [declared: string, observed: string]> = {}
  for (const { line, operation } of operationsOf(document)) {
    const target = line.replace(/\{\w+\}/g, '987654321')
    const body = exampleBody(document, operation)
    const length = (text: string) => `Content-Length: ${Buffer.byteLength(text)}`
    const answers = [
      await send(`${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`),
      await request(target),
      await request(target, [withoutScopes]),
      await request(target, [owner, ...(body === undefined ? [] : [length(body)])], body),
      ...(body === undefined ? [] : [await request(target, [owner, 'Content-Length: 2'], '[]')]),
      await request(target, [owner, `Content-Length: ${BODY_LIMIT + 1}`]),
    ]
    const observed = new Set(answers.map(({ status }) => String(status)).filter((status) => status >= '400'))
    const declared = Object.keys(operation.responses!).filter((status) => status >= '400')
    const checked = declared.filter((status) => !SKIPPED_STATUSES.includes(status))
    found[operation.operationId!] = [checked.join(' '), [...observed].sort().join(' ')]
  }
  const differing = Object.entries(found).filter(([, [declared, observed]]) => declared !== observed)
  expect(differing).toEqual([])
})
