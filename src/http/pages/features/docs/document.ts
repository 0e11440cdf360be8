import type { OpenAPIV3_1 } from 'openapi-types'

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description: string
  schema: Schema
}

export type DocumentedOperation = ReturnType<typeof operationOf>
export type Reference = ReturnType<typeof referenceOf>

const methods = ['get', 'post', 'put', 'delete'] as const
const lastPart = (reference: string) => reference.split('/').at(-1)!

function answerOf(status: string, found: OpenAPIV3_1.ResponseObject) {
  const contents = Object.entries(found.content ?? {}).map(([type, { schema }]) => ({ type, schema: schema as Schema }))
  const headers = Object.entries(found.headers ?? {}).map(([name, header]) => ({
    name,
    description: (header as OpenAPIV3_1.HeaderObject).description ?? '',
  }))
  const codes = Object.values(found.content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {}))
  return { status, description: found.description, headers, contents, codes }
}

function operationOf(
  document: OpenAPIV3_1.Document,
  path: string,
  method: string,
  operation: OpenAPIV3_1.OperationObject<{ 'x-conditional-scopes'?: string[] }>,
) {
  const [security] = operation.security ?? []
  const body = operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined
  const [content] = Object.entries(body?.content ?? {})
  const shared = document.components?.responses ?? {}
  return {
    id: operation.operationId!,
    method: method.toUpperCase(),
    path,
    tag: operation.tags![0]!,
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    /** Served without a credential. */
    open: security === undefined,
    scopes: security?.bearerAuth ?? [],
    /** Needed by some calls only. */
    conditionalScopes: operation['x-conditional-scopes'] ?? [],
    parameters: (operation.parameters ?? []).map(
      (parameter) => ({ required: false, description: '', ...parameter }) as Parameter,
    ),
    body: content && { type: content[0], schema: content[1].schema as Schema },
    answers: Object.entries(operation.responses ?? {}).map(([status, found]) =>
      answerOf(status, ('$ref' in found ? shared[lastPart(found.$ref)] : found) as OpenAPIV3_1.ResponseObject),
    ),
  }
}

export function referenceOf(document: OpenAPIV3_1.Document) {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item?.[method] as OpenAPIV3_1.OperationObject | undefined
      return operation ? [operationOf(document, path, method, operation)] : []
    }),
  )
  const groups = (document.tags ?? []).map(({ name, description = '' }) => ({
    name,
    description,
    operations: operations.filter(({ tag }) => tag === name),
  }))
  return {
    introduction: document.info.description ?? '',
    groups,
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    schemas: (document.components?.schemas ?? {}) as Record<string, Schema>,
  }
}

/** Follows a reference and separates null from the type. */
export function resolve(schema: Schema, schemas: Record<string, Schema>) {
  const choices = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null')
  const [first = {}] = choices
  const name = first.$ref === undefined ? undefined : lastPart(first.$ref)
  const own = name === undefined ? first : schemas[name]!
  const types = [own.type ?? []].flat().filter((type) => type !== 'null')
  const nullable =
    (schema.anyOf?.length ?? 0) > choices.length || (Array.isArray(own.type) && own.type.includes('null'))
  return { own, name, type: types[0], nullable, description: schema.description ?? own.description }
}
