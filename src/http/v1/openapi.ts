import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import { ruleOf } from '../../access/policy.ts'
import { scopes } from '../../access/scopes.ts'
import { cleanJsonSchema, expandNullTypes } from '../../contract/json-schema.ts'
import { tags } from '../../contract/operation.ts'
import { type Declaration, describeResponses } from './responses.ts'

type Document = OpenAPIV3_1.Document

const zodToJsonConfig = { override: cleanJsonSchema, unrepresentable: 'any' } as const

const INTRODUCTION = `Every request needs both: the credential must have the scope, and the current role of its user must have the permission. \`security\` lists the scopes that every call needs, \`x-conditional-scopes\` those needed only for some targets or bodies, as the description explains. A scope that ends in \`.any\` includes the one that ends in \`.own\`.

A single resource is returned as \`{"data": …}\`, a list as \`{"data": […], "page": {"nextCursor": …}}\`, an error as \`{"error": {"code", "message", "details"}}\`. Objects may get new members at any time: ignore unknown ones. Request bodies are parsed as JSON regardless of the content type; unknown members are ignored. Times in answers are UTC with milliseconds.`

const sections: Record<(typeof tags)[number], string> = {
  Discovery: 'Public information about the instance.',
  Flights: 'Flights, their tracks, import, export and statistics.',
  'Reference data': 'Airports, airlines, aircraft types and custom fields.',
  'Personal data': 'Data of the user behind the credential.',
  Administration: 'Accounts and roles.',
}

const securitySchemes = (baseUrl: string): Record<string, OpenAPIV3_1.SecuritySchemeObject> => ({
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal API key (`pxl_…`, created in the security settings) or an OAuth access token for this API.',
  },
  oauth2: {
    type: 'oauth2',
    description: 'Authorization code with PKCE (S256).',
    flows: {
      authorizationCode: {
        authorizationUrl: `${baseUrl}/oauth/authorize`,
        tokenUrl: `${baseUrl}/oauth/token`,
        refreshUrl: `${baseUrl}/oauth/token`,
        scopes: Object.fromEntries(scopes.map(({ name, description }) => [name, description])),
      },
    },
  },
})

export function routeDocument({ id, tag, summary, description, conditional: isConditional, idempotent }: Declaration) {
  const { needs, conditions = {}, open } = ruleOf(id)
  const conditional = Object.values(conditions)
  const sentences = conditional.map(({ needs: scope, when }) => `- \`${scope}\`: needed when ${when}.`)
  const security: Record<string, readonly string[]>[] = open ? [] : [{ bearerAuth: needs }, { oauth2: needs }]
  const text = [description, sentences.length > 0 && `Conditional scopes:\n\n${sentences.join('\n')}`]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: text.filter(Boolean).join('\n\n'),
    security,
    'x-conditional-scopes': [...new Set(conditional.map((condition) => condition.needs))],
    // Removed by describeResponses.
    ...(isConditional && { 'x-tagged': true }),
    ...(idempotent && { 'x-idempotent': true }),
  }
}

const SCHEMAS = '#/components/schemas/'

function addReferenced(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref === 'string' && $ref.startsWith(SCHEMAS)) found.add($ref.slice(SCHEMAS.length))
  for (const child of Object.values(value)) addReferenced(child, found)
}

/** The type provider adds every schema twice, for input and output. */
function keepReferencedSchemas({ paths, components = {} }: Document): void {
  const { schemas = {}, responses } = components
  const used = new Set<string>()
  addReferenced([paths, responses], used)
  // The set grows during the iteration, so that nested references are visited too.
  for (const name of used) addReferenced(schemas[name], used)
  components.schemas = Object.fromEntries([...used].sort().map((name) => [name, schemas[name]!]))
}

export const openApiDocument = (app: FastifyInstance): Document => app.swagger() as Document

export async function describeApi(app: FastifyInstance, { baseUrl, version }: { baseUrl: string; version: string }) {
  const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig })
  await app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Paxlog API',
        version,
        summary: 'A self-hosted flight log',
        description: INTRODUCTION,
        contact: { name: 'The operator of this instance', url: baseUrl },
        license: { name: 'MIT', identifier: 'MIT' },
      } as OpenAPIV3_1.InfoObject,
      servers: [{ url: baseUrl }],
      tags: tags.map((name) => ({ name, description: sections[name] })),
      components: { securitySchemes: securitySchemes(baseUrl) },
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: (found) => {
      const document = transformObject(found)
      describeResponses(document as Document)
      keepReferencedSchemas(document as Document)
      expandNullTypes(document)
      return document
    },
  })
}
