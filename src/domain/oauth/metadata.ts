import { scopeNames } from '../../access/scopes.ts'
import { authMethods, grantTypes } from './contract.ts'
import type { ResourceName, ResourceTable } from './resource.ts'

/** RFC 8414; computed, so that it never says what the server does not do. */
export function authorizationServer(baseUrl: string) {
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
    service_documentation: `${baseUrl}/docs`,
  }
}

const names: Record<ResourceName, string> = { v1: 'Paxlog API', mcp: 'Paxlog MCP' }

/** RFC 9728. */
export function protectedResource(name: ResourceName, resources: ResourceTable, baseUrl: string) {
  return {
    resource: resources.urls[name],
    resource_name: names[name],
    authorization_servers: [baseUrl],
    bearer_methods_supported: ['header'],
    scopes_supported: scopeNames,
    resource_documentation: `${baseUrl}/docs`,
  }
}
