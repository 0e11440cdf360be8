import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { browserSession } from '../support/browser-session.ts'
import { documentServer } from '../support/document-server.ts'
import { paxlog } from '../support/paxlog.ts'

const REDIRECT = 'https://board.example/cb'

/** An independent client library that rejects responses that violate the standards. */
describe('a standard OAuth client', () => {
  test.each([
    ['v1', 'registration'],
    ['mcp', 'registration'],
    ['v1', 'metadata URL'],
    ['mcp', 'metadata URL'],
  ] as const)(
    'discovers the resource %s, gets a token with a %s, calls the API, refreshes and revokes the token',
    async (name, identification) => {
      const app = await paxlog({ oauthClientMetadata: 'local' })
      app.user({ owner: true })
      const user = app.user()
      const options = {
        [oauth.allowInsecureRequests]: true,
        // Sends requests to the app without a socket.
        [oauth.customFetch]: async (
          url: string,
          { method, headers, body }: { method: string; headers: object; body?: unknown },
        ) => {
          const response = await app.app.inject({
            method: method as 'GET',
            url: url.replace('http://localhost:3000', ''),
            headers: headers as Record<string, string>,
            ...(body !== undefined && { payload: String(body) }),
          })
          return new Response(response.body || null, {
            status: response.statusCode,
            headers: Object.entries(response.headers).map(([key, value]) => [key, String(value)]) as [string, string][],
          })
        },
      }
      const resource = new URL(`http://localhost:3000/api/${name}`)
      const metadata = await oauth.processResourceDiscoveryResponse(
        resource,
        await oauth.resourceDiscoveryRequest(resource, options),
      )
      const issuer = new URL(metadata.authorization_servers![0]!)
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
      )
      expect(server.client_id_metadata_document_supported).toBe(true)
      const register = async () =>
        oauth.processDynamicClientRegistrationResponse(
          await oauth.dynamicClientRegistrationRequest(
            server,
            { redirect_uris: [REDIRECT], client_name: 'Walker' },
            options,
          ),
        )
      const publish = async () => ({ client_id: (await documentServer()).publish({ redirect_uris: [REDIRECT] }) })
      const client: oauth.Client = identification === 'registration' ? await register() : await publish()
      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: REDIRECT,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        scope: 'profile.read flight.read.own',
        resource: resource.href,
        state,
      })

      const browser = browserSession(app.app)
      browser.jar.set('paxlog', await app.services.sessions.start(user.id))
      const redirect = await browser.get(`/oauth/authorize?${query}`)
      const page = await browser.get(redirect.location!)
      const field = (field: string) =>
        new RegExp(`name="${field}" value="([^"]+)"`).exec(page.html.split('/oauth/consent')[1]!)![1]!
      const approved = await browser.post('/oauth/consent', {
        id: field('id'),
        csrf: field('csrf'),
        decision: 'approve',
        scope: ['profile.read', 'flight.read.own'],
      })

      const callbackParameters = oauth.validateAuthResponse(server, client, new URL(approved.location!), state)
      const tokenOptions = { ...options, additionalParameters: { resource: resource.href } }
      const tokens = await oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(
          server,
          client,
          oauth.None(),
          callbackParameters,
          REDIRECT,
          verifier,
          tokenOptions,
        ),
      )
      expect(tokens.scope).toBe('flight.read.own profile.read')
      if (name === 'v1') {
        const { status, body } = await app.as(tokens.access_token).get('/me')
        expect([status, body.data.username]).toEqual([200, user.username])
      }
      const renewed = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token!, tokenOptions),
      )
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, oauth.None(), renewed.refresh_token!, options),
      )
      expect((await app.as(renewed.access_token).get('/me')).status).toBe(401)
    },
  )
})
