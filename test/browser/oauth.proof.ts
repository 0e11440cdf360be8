import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pkce } from '../support/oauth-client.ts'
import { describeInChromium, visited } from '../support/visited.ts'

const PASSWORD = 'correct horse battery'

describeInChromium('connecting an application in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let instance: typeof site.instance
  let browser: Browser
  let page: Page
  let base: string

  beforeAll(async () => {
    site = await visited()
    ;({ instance, browser, base } = site)
    await instance.services.users.createOwner({ username: 'mira', displayName: 'Mira Holm', password: PASSWORD })
    page = await (await browser.newContext()).newPage()
  })

  afterAll(() => site?.close())

  async function register(redirectUri: string): Promise<string> {
    const response = await fetch(`${base}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri], client_name: 'Trip board' }),
    })
    return ((await response.json()) as { client_id: string }).client_id
  }

  function authorizeUrl(clientId: string, redirectUri: string, challenge: string): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: `${base}/api/v1`,
      scope: 'profile.read flight.read.own',
      state: 'xyz',
    })
    return `${base}/oauth/authorize?${query}`
  }

  test('C9 X7: redirects to a loopback port after sign-in and consent, and the token works until the user disconnects', async () => {
    const listener = createServer((_request, response) => response.end('Thank you')).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const redirectUri = `http://127.0.0.1:${port}/callback`
    const clientId = await register('http://127.0.0.1/callback')
    const { verifier, challenge } = pkce()

    await page.goto(authorizeUrl(clientId, redirectUri, challenge))
    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Connect Trip board?' }).waitFor()
    expect(await page.getByLabel('Read your profile and preferences').isChecked()).toBe(true)
    await page.getByText('Grant more than it asked for').click()
    expect(await page.getByLabel('Read statistics').isChecked()).toBe(false)
    await page.getByLabel('Read statistics').check()

    const callback = once(listener, 'request') as Promise<[IncomingMessage]>
    await page.getByRole('button', { name: 'Approve' }).click()
    const [{ url }] = await callback
    await page.getByText('Thank you').waitFor()
    listener.close()
    const answer = new URL(url!, redirectUri).searchParams
    expect([answer.get('state'), answer.get('iss')]).toEqual(['xyz', base])

    const exchanged = await fetch(`${base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code: answer.get('code')!,
        code_verifier: verifier,
        redirect_uri: redirectUri,
        resource: `${base}/api/v1`,
      }),
    })
    const tokens = (await exchanged.json()) as { access_token: string; scope: string }
    expect(tokens.scope).toBe('flight.read.own profile.read stats.read')
    const me = () => fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    expect((await me()).status).toBe(200)

    await page.goto(`${base}/settings/security`)
    await page.getByText('Disconnect').first().click()
    await page.getByRole('button', { name: 'Disconnect this application' }).click()
    await page.getByText('No applications are connected').waitFor()
    expect((await me()).status).toBe(401)
  })

  test('C9: redirects to an https address, which the CSP allows', async () => {
    const redirectUri = 'https://board.example/cb'
    const { challenge } = pkce()
    await page.route('https://board.example/**', (route) => route.fulfill({ body: 'Arrived' }))
    await page.goto(authorizeUrl(await register(redirectUri), redirectUri, challenge))
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Arrived').waitFor()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  test('C1 S4: shows no form in a frame of another site', async () => {
    await page.route('https://evil.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${base}/login"></iframe>` }),
    )
    await page.goto('https://evil.example/')
    const [, frame] = page.frames()
    expect(await frame!.locator('form').count()).toBe(0)
  })

  test('A22: shows an error page for an invalid request and does not redirect', async () => {
    const redirectUri = 'https://board.example/cb'
    const clientId = await register(redirectUri)
    await page.goto(authorizeUrl(clientId, redirectUri, 'short'))
    expect(page.url()).toContain('/oauth/authorize')
    await page.getByRole('link', { name: 'Return to board.example' }).waitFor()
  })
})
