import type { Server } from 'node:http'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import { ruleOf } from '../../access/policy.ts'
import { tidy } from '../../contract/json-schema.ts'
import { type Operation, tags } from '../../contract/operation.ts'
import { useComponents } from './components.ts'
import { statusesOf } from './route.ts'

const zodToJsonConfig = { override: tidy, unrepresentable: 'any' } as const

const meanings: Record<number, string> = {
  200: 'Success.',
  201: 'Created; `Location` names the new resource.',
  204: 'Done; there is nothing to return.',
  400: 'A path id, a query parameter or the JSON itself cannot be read.',
  401: 'The bearer credential is missing, malformed, unknown, expired or revoked.',
  403: 'The credential lacks a scope, or the role does not permit the action.',
  404: 'The resource does not exist or is not visible to the caller.',
  409: 'The request collides with stored data.',
  413: 'The body is too large.',
  422: 'The body was read but breaks a rule; `details` says which.',
  500: 'An unexpected failure; the log of the server has its cause.',
  503: 'Too many passwords are waiting for their hash; `Retry-After` says when to try again.',
}

const headersOf: Record<number, Record<string, { description: string; schema: { type: 'string' } }>> = {
  201: { Location: { description: 'Path of the new resource.', schema: { type: 'string' } } },
  401: { 'WWW-Authenticate': { description: 'Scopes and metadata address.', schema: { type: 'string' } } },
}

/** The part of a route's schema that only the document reads. */
export function routeDocument({ id, tag, summary, description }: Operation) {
  const { needs, conditions = {}, open } = ruleOf(id)
  const conditional = Object.values(conditions)
  const sentences = conditional.map(({ needs: scope, when }) => `- \`${scope}\`: needed when ${when}.`)
  const text = [description, sentences.length > 0 && `Conditional scopes:\n\n${sentences.join('\n')}`]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: text.filter(Boolean).join('\n\n') || summary,
    security: open ? [] : [{ bearerAuth: [...needs] }],
    'x-conditional-scopes': [...new Set(conditional.map((condition) => condition.needs))],
  }
}

/** Every status with its meaning, also those without a body, which the plugin leaves out. */
function completeResponses(paths: OpenAPIV3_1.PathsObject, operations: readonly Operation[]): void {
  const statuses = new Map<string, number[]>(operations.map((op) => [op.id, statusesOf(op)]))
  for (const path of Object.values(paths)) {
    for (const method of Object.values(path ?? {}) as OpenAPIV3_1.OperationObject[]) {
      const old = method.responses ?? {}
      const wanted = statuses.get(method.operationId ?? '') ?? Object.keys(old).map(Number)
      method.responses = Object.fromEntries(
        wanted.map((status) => {
          const { content } = (old[status] ?? {}) as OpenAPIV3_1.ResponseObject
          const headers = headersOf[status]
          return [status, { description: meanings[status]!, ...(headers && { headers }), ...(content && { content }) }]
        }),
      )
    }
  }
}

interface Options {
  operations: readonly Operation[]
  baseUrl: string
  basePath: string
  version: string
}

/** By server: the plugin that knows the routes lies deeper than whoever asks for the document. */
const documents = new WeakMap<Server, () => OpenAPIV3_1.Document>()

/** The document of a built app that is ready. */
export const openApiDocument = ({ server }: FastifyInstance): OpenAPIV3_1.Document => documents.get(server)!()

/** Collects the routes of this plugin and its children into one OpenAPI 3.1 document. */
export async function describeApi(app: FastifyInstance, { operations, baseUrl, basePath, version }: Options) {
  const transform = createJsonSchemaTransform({ zodToJsonConfig })
  const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Paxlog API',
        version,
        summary: 'A self-hosted flight log',
        description:
          'Every request is checked twice: the credential must carry the scope, and the current role of its user must permit the action. `security` lists the scopes that every call needs, `x-conditional-scopes` those needed only for some targets or bodies.',
        license: { name: 'MIT', identifier: 'MIT' },
      } as OpenAPIV3_1.InfoObject,
      servers: [{ url: baseUrl }],
      tags: tags.map((name) => ({ name })),
      components: {
        securitySchemes: {
          bearerAuth: { type: 'http', scheme: 'bearer', description: 'A personal API key or an OAuth access token.' },
        },
      },
    },
    transform: (route) => {
      const { schema, url } = transform(route as Parameters<typeof transform>[0])
      return { schema, url: url.slice(basePath.length) }
    },
    transformObject: (found) => {
      const document = transformObject(found as Parameters<typeof transformObject>[0]) as OpenAPIV3_1.Document
      completeResponses(document.paths ?? {}, operations)
      return useComponents(document) as ReturnType<typeof transformObject>
    },
  })
  documents.set(app.server, () => app.swagger() as OpenAPIV3_1.Document)
}
