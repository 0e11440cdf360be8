import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { scopeNames } from '../../access/scopes.ts'
import { authMethods, grantTypes } from '../../domain/oauth/contract.ts'
import type { ResourceName, ResourceTable } from '../../domain/oauth/parameters.ts'
import type { OAuthService } from '../../domain/oauth/service.ts'
import { allowAllOrigins, errorHeaders } from '../shared/cors.ts'
import { errorBody, plainErrorHandler } from '../shared/errors.ts'
import { plainPath } from '../shared/methods.ts'

interface Options {
  oauth: OAuthService
  baseUrl: string
  basePath: string
}

/** RFC 8414. */
function authorizationServer(baseUrl: string, { clientMetadata }: OAuthService) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    jwks_uri: `${baseUrl}/oauth/jwks`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    scopes_supported: scopeNames,
    authorization_response_iss_parameter_supported: true,
    ...(clientMetadata !== 'off' && { client_id_metadata_document_supported: true }),
    service_documentation: `${baseUrl}/docs`,
  }
}

const resourceNames: Record<ResourceName, string> = { v1: 'Paxlog API', mcp: 'Paxlog MCP' }

/** RFC 9728. */
function protectedResource(name: ResourceName, resources: ResourceTable, baseUrl: string) {
  return {
    resource: resources.urls[name],
    resource_name: resourceNames[name],
    authorization_servers: [baseUrl],
    bearer_methods_supported: ['header'],
    scopes_supported: scopeNames,
    resource_documentation: `${baseUrl}/docs`,
  }
}

/** The path of BASE_URL is both before and after /.well-known (RFC 8414 section 3.1, RFC 9728 section 3.1). */
export async function wellKnown(app: FastifyInstance, { oauth, baseUrl, basePath }: Options): Promise<void> {
  const server = () => authorizationServer(baseUrl, oauth)
  const resource = (name: ResourceName) => () => protectedResource(name, oauth.resources, baseUrl)
  const root = '/.well-known'
  const documents = new Map<string, () => unknown>([
    [`${basePath}/oauth/jwks`, oauth.jwks],
    [`${basePath}${root}/oauth-authorization-server`, server],
    [`${basePath}${root}/oauth-protected-resource/api/v1`, resource('v1')],
    [`${basePath}${root}/oauth-protected-resource/api/mcp`, resource('mcp')],
    [`${root}/oauth-authorization-server${basePath}`, server],
    [`${root}/oauth-protected-resource${basePath}/api/v1`, resource('v1')],
    [`${root}/oauth-protected-resource${basePath}/api/mcp`, resource('mcp')],
  ])

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const document = documents.get(plainPath(request.url))
    reply.header('cache-control', document ? 'public, max-age=300' : 'private, no-store')
    if (!document) return reply.code(404).send(errorBody('not_found', 'There is nothing at this path.'))
    if (request.method === 'GET' || request.method === 'HEAD') return reply.send(await document())
    reply.header('cache-control', 'private, no-store').header('allow', 'GET, HEAD, OPTIONS')
    return reply.code(405).send(errorBody('bad_request', `${request.method} is not supported here. Use GET.`))
  }

  // One plugin per root, because CORS applies to the whole plugin.
  const roots = new Set([root, `${basePath}${root}`, `${basePath}/oauth/jwks`])
  for (const prefix of roots) {
    await app.register(
      async (child) => {
        child.setErrorHandler(plainErrorHandler(errorHeaders))
        await allowAllOrigins(child)
        const method = child.supportedMethods.filter((each) => each !== 'OPTIONS')
        for (const url of ['', '/*']) {
          // Answered in the hook, so that no body is read.
          child.route({ method, url, exposeHeadRoute: false, onRequest: answer, handler: () => undefined })
        }
      },
      { prefix },
    )
  }
}
