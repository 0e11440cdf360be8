import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/lib/port.ts'
import { browserSession } from '../support/browser-session.ts'
import { selfSignedCertificate } from '../support/certificate.ts'
import { documentServer } from '../support/document-server.ts'
import { openAgain } from '../support/paxlog.ts'
import { loadedFolder, serve } from '../support/process.ts'

const REDIRECT = 'http://127.0.0.1/callback'

/** Sends the requests of a browser session to a running server. */
function overHttp(origin: string): FastifyInstance {
  async function inject({ method = 'GET', url, headers, payload }: InjectOptions) {
    const body = payload === undefined ? {} : { body: String(payload) }
    const sent = headers as Record<string, string>
    const response = await fetch(`${origin}${url}`, { method, headers: sent, redirect: 'manual', ...body })
    const location = response.headers.get('location') ?? undefined
    const received = { 'set-cookie': response.headers.getSetCookie(), location }
    return { statusCode: response.status, headers: received, body: await response.text() }
  }
  return { inject } as unknown as FastifyInstance
}

/** What an MCP client stores. */
function memoryProvider(clientMetadataUrl: string, redirectUrl: string) {
  const stored: {
    client?: { client_id: string }
    tokens?: { access_token: string; token_type: string; refresh_token?: string }
    discovery?: OAuthDiscoveryState
    verifier?: string
    authorizationUrl?: URL
  } = {}
  const provider: OAuthClientProvider = {
    clientMetadataUrl,
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Walker', scope: 'profile.read' },
    clientInformation: () => stored.client,
    saveClientInformation: (client) => void Object.assign(stored, { client }),
    tokens: () => stored.tokens,
    saveTokens: (tokens) => void Object.assign(stored, { tokens }),
    redirectToAuthorization: (authorizationUrl) => void Object.assign(stored, { authorizationUrl }),
    saveCodeVerifier: (verifier) => void Object.assign(stored, { verifier }),
    codeVerifier: () => stored.verifier!,
    saveDiscoveryState: (discovery) => void Object.assign(stored, { discovery }),
    discoveryState: () => stored.discovery,
  }
  return { stored, provider }
}

test('an MCP client with the URL of its metadata connects, and refreshes its token after a restart without the document', async () => {
  const dataDir = loadedFolder()
  const { services, db } = await openAgain(dataDir)
  const owner = await services.users.createOwner({ username: 'mira', displayName: 'Mira', password: 'correct horse' })
  const { cert, key } = selfSignedCertificate('localhost')
  const certificateFile = join(dataDir, 'certificate.pem')
  writeFileSync(certificateFile, cert)
  const documents = await documentServer({ tls: { cert, key }, name: 'localhost' })
  const clientId = documents.publish({ client_name: 'Walker', redirect_uris: [REDIRECT] })
  const port = await freePort('127.0.0.1')
  const base = `http://localhost:${port}`
  const start = () =>
    serve({
      dataDir,
      env: {
        PORT: String(port),
        BASE_URL: base,
        OAUTH_CLIENT_METADATA: 'local',
        NODE_EXTRA_CA_CERTS: certificateFile,
      },
    })
  const server = await start()

  const { provider, stored } = memoryProvider(clientId, 'http://127.0.0.1:50123/callback')
  const transport = () => new StreamableHTTPClientTransport(new URL(`${base}/api/mcp`), { authProvider: provider })
  const client = new Client({ name: 'walk', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  onTestFinished(() => client.close())
  const first = transport()
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError)

  const browser = browserSession(overHttp(base))
  browser.jar.set('paxlog', await services.sessions.start(owner.id))
  const consentUrl = (await browser.get(stored.authorizationUrl!.href.slice(base.length))).location!
  const { html } = await browser.get(consentUrl)
  expect(html).toContain(`<strong>${new URL(clientId).host}</strong>`)
  const form = html.split('action="/oauth/consent"')[1]!
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form)![1]!
  const fields = { id: field('id'), csrf: field('csrf'), decision: 'approve', scope: 'profile.read' }
  const { location } = await browser.post('/oauth/consent', fields)
  expect(location).toMatch(/^http:\/\/127\.0\.0\.1:50123\/callback\?code=/)
  await first.finishAuth(new URL(location!).searchParams)

  const getMe = async () => {
    const { structuredContent } = await client.callTool({ name: 'get_me', arguments: {} })
    return (structuredContent as { data: { username: string; credential: object } }).data
  }
  await client.connect(transport())
  const credential = { kind: 'oauth', scopes: ['profile.read'] }
  expect(await getMe()).toMatchObject({ username: 'mira', credential })
  expect(stored.client).toMatchObject({ client_id: clientId })
  expect(db.$client.prepare('select id from oauth_clients').pluck().all()).toEqual([clientId])

  documents.serve((response) => response.writeHead(404).end(), new URL(clientId).pathname)
  server.child.kill('SIGTERM')
  await server.exited
  await start()
  const before = stored.tokens!.refresh_token
  stored.tokens!.access_token = 'expired'
  expect(await getMe()).toMatchObject({ username: 'mira', credential })
  expect(stored.tokens!.refresh_token).not.toBe(before)
  expect(documents.requests).toHaveLength(1)
})
