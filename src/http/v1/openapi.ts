import type { Server } from 'node:http'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import { ruleOf } from '../../access/policy.ts'
import { tidy } from '../../contract/json-schema.ts'
import { type Operation, tags } from '../../contract/operation.ts'
import { useComponents } from './components.ts'
import { completeResponses } from './responses.ts'

const zodToJsonConfig = { override: tidy, unrepresentable: 'any' } as const

const INTRODUCTION = `Every request is checked twice: the credential must carry the scope, and the current role of its user must permit the action. \`security\` lists the scopes that every call needs, \`x-conditional-scopes\` those needed only for some targets or bodies; the description says when. A scope that ends in \`.any\` includes the one that ends in \`.own\`.

One resource comes as \`{"data": …}\`, a list as \`{"data": […], "page": {"nextCursor": …}}\`, a failure as \`{"error": {"code", "message", "details"}}\`. Members may be added to objects at any time: ignore those you do not know. Bodies are JSON whatever the content type says, and their unknown members are ignored. Times in answers are UTC with milliseconds.`

const sections: Record<(typeof tags)[number], string> = {
  Discovery: 'What the instance offers, without a credential.',
  Flights: 'Flights, their tracks, import, export and statistics.',
  'Reference data': 'Airports, airlines, aircraft types and custom fields.',
  'Personal data': 'What belongs to the user behind the credential.',
  Administration: 'Accounts and roles.',
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
    description: text.filter(Boolean).join('\n\n'),
    security: open ? [] : [{ bearerAuth: [...needs] }],
    'x-conditional-scopes': [...new Set(conditional.map((condition) => condition.needs))],
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
        description: INTRODUCTION,
        license: { name: 'MIT', identifier: 'MIT' },
      } as OpenAPIV3_1.InfoObject,
      servers: [{ url: baseUrl }],
      tags: tags.map((name) => ({ name, description: sections[name] })),
      components: {
        securitySchemes: {
          bearerAuth: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A personal API key (`pxl_…`, made in the security settings) or an OAuth access token for this API; both work the same.',
          },
        },
      },
    },
    transform: (route) => {
      const { schema, url } = transform(route as Parameters<typeof transform>[0])
      return { schema, url: url.slice(basePath.length) }
    },
    transformObject: (found) => {
      const document = transformObject(found as Parameters<typeof transformObject>[0]) as OpenAPIV3_1.Document
      completeResponses(document, operations)
      return useComponents(document) as ReturnType<typeof transformObject>
    },
  })
  documents.set(app.server, () => app.swagger() as OpenAPIV3_1.Document)
}
