/** The part of oidc-provider that is used; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Account {
    accountId: string
    claims: () => Record<string, unknown>
  }
  interface Configuration {
    clients: { client_id: string; client_secret: string; redirect_uris: string[] }[]
    claims: Record<string, string[]>
    scopes: string[]
    pkce: { required: () => boolean }
    cookies: { keys: string[] }
    findAccount: (context: unknown, id: string) => Account
  }
  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
  }
}
