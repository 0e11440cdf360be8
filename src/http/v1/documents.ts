import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { scopes } from '../../access/scopes.ts'
import { ErrorBody } from '../../contract/common.ts'
import { openApiDocument, routeDocument } from './openapi.ts'
import { type Declaration, statusesOf } from './responses.ts'

const discoveryOf = (basePath: string, version: string, scopes: { name: string; description: string }[]) => ({
  api: { version: 'v1', minimumSupportedVersion: 'v1', documentation: `${basePath}/api/v1/openapi.yaml` },
  instance: { name: 'Paxlog', version },
  authentication: {
    methods: ['api_key', 'oauth2_authorization_code_pkce'],
    bearerHeader: 'Authorization: Bearer <credential>',
  },
  mcp: { enabled: true, transport: 'streamable-http', endpoint: `${basePath}/api/mcp`, oauth: true },
  scopes,
})

const Discovery = z
  .object({
    api: z.object({ version: z.string(), minimumSupportedVersion: z.string(), documentation: z.string() }),
    instance: z.object({ name: z.string(), version: z.string() }),
    authentication: z.object({ methods: z.array(z.string()), bearerHeader: z.string() }),
    mcp: z.object({ enabled: z.boolean(), transport: z.string(), endpoint: z.string(), oauth: z.boolean() }),
    scopes: z.array(z.object({ name: z.string(), description: z.string() })),
  })
  .meta({
    id: 'Discovery',
    examples: [discoveryOf('', '1.0.0', [{ name: 'flight.read.own', description: 'Read flights you are on' }])],
  })

const OpenApiText = z.string().meta({ examples: ['openapi: 3.1.0\ninfo:\n  title: Paxlog API\n'] })

function schemaOf(document: Pick<Declaration, 'id' | 'route' | 'summary' | 'description'>, success: object) {
  const declared: Declaration = { ...document, tag: 'Discovery', input: {}, output: OpenApiText }
  const bodies = statusesOf(declared).map((status) => [status, status === 200 ? success : ErrorBody])
  return { response: Object.fromEntries(bodies), ...routeDocument(declared) }
}

export async function documents(app: FastifyInstance, { basePath, version }: { basePath: string; version: string }) {
  const discovery = discoveryOf(
    basePath,
    version,
    scopes.map(({ name, description }) => ({ name, description })),
  )
  let openApi: string | undefined

  const sendDiscovery = async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'public, max-age=60')
    return discovery
  }
  app.get('/', sendDiscovery)
  app.get(
    '/v1',
    {
      schema: schemaOf(
        {
          id: 'getDiscovery',
          route: 'GET /',
          summary: 'What this instance offers',
          description: 'Versions, authentication methods, the MCP endpoint and all scopes; also served at `/api`.',
        },
        Discovery,
      ),
    },
    sendDiscovery,
  )
  app.get(
    '/v1/openapi.yaml',
    {
      schema: schemaOf(
        {
          id: 'getOpenApi',
          route: 'GET /openapi.yaml',
          summary: 'The OpenAPI document',
          description: 'The API described in OpenAPI 3.1, as YAML.',
        },
        { description: 'This document.', content: { 'application/yaml': { schema: OpenApiText } } },
      ),
    },
    async (_request, reply) => {
      openApi ??= await openApiText(app)
      return reply
        .header('cache-control', 'public, max-age=300')
        .type('application/yaml; charset=utf-8')
        .serializer(String)
        .send(openApi)
    },
  )
}

export async function openApiText(app: FastifyInstance): Promise<string> {
  const { toYaml } = await import('./yaml.ts')
  return toYaml(openApiDocument(app))
}
