import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { settingsFor, startIdentityProvider } from '../support/identity-provider.ts'
import { pkce } from '../support/oauth-client.ts'
import { describeInChromium, visited } from '../support/visited.ts'

const PASSWORD = 'correct horse battery'

describeInChromium('sign-in with an identity provider in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let instance: typeof site.instance
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>
  let browser: Browser
  let page: Page
  let base: string

  beforeAll(async () => {
    const oidc = { signUp: true, scopes: 'openid profile groups', roleClaim: 'groups' }
    site = await visited({
      // The provider is on another site, so that the browser applies the rules for cross-site cookies.
      options: async (baseUrl) => {
        const ada = { name: 'Ada Lovelace', groups: ['pilots'] }
        provider = await startIdentityProvider(`${baseUrl}/login/oidc/callback`, { ada })
        return { oidc: settingsFor(provider.issuer, oidc) }
      },
    })
    ;({ instance, browser, base } = site)
    await instance.services.users.createOwner({ username: 'mira', displayName: 'Mira Holm', password: PASSWORD })
  })

  afterAll(async () => {
    await site?.close()
    await provider?.stop()
  })

  beforeEach(async () => {
    page = await (await browser.newContext()).newPage()
  })
  afterEach(() => page.context().close())

  /** Completes the login and, for a new user, the consent page of the provider. */
  async function signInAtProvider(login: string, isNew = true) {
    await page.waitForURL(`${provider.issuer}/interaction/**`)
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('anything')
    await page.locator('button[type=submit]').click()
    if (isNew) await page.locator('form input[name=prompt][value=consent]').waitFor({ state: 'attached' })
    if (isNew) await page.locator('button[type=submit]').click()
  }

  async function signInWithPassword() {
    await page.goto(`${base}/login`)
    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('details.account').waitFor()
  }

  test('creates an account with the role of the claim and returns to the requested page', async () => {
    const { services, role } = instance
    const id = role(['flight.read.own'], 'Pilots')
    await services.roles.update(operator, id, { ...services.roles.get(operator, id), oauthMappings: ['pilots'] })
    await page.goto(`${base}/settings/security`)
    await page.getByRole('link', { name: 'Sign in with Home' }).click()
    await signInAtProvider('ada')
    await page.waitForURL(`${base}/settings/security`)
    await page.getByText('This is your only way to sign in').waitFor()
    expect(services.users.findByName('ada')).toMatchObject({ displayName: 'Ada Lovelace', roleName: 'Pilots' })
  })

  test('an application gets consent after a sign-in at the provider', async () => {
    const listener = createServer((_request, response) => response.end('Thank you')).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const redirectUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`
    const registered = await fetch(`${base}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri], client_name: 'Trip board' }),
    })
    const { client_id } = (await registered.json()) as { client_id: string }
    const { verifier, challenge } = pkce()
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: `${base}/api/v1`,
      scope: 'profile.read',
      state: 'xyz',
    })
    await page.goto(`${base}/oauth/authorize?${query}`)
    await page.getByRole('link', { name: 'Sign in with Home' }).click()
    await signInAtProvider('bert')
    await page.getByRole('heading', { level: 1, name: 'Connect Trip board?' }).waitFor()
    const callback = once(listener, 'request') as Promise<[IncomingMessage]>
    await page.getByRole('button', { name: 'Approve' }).click()
    const [{ url }] = await callback
    await page.getByText('Thank you').waitFor()
    listener.close()
    const exchanged = await fetch(`${base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id,
        code: new URL(url!, redirectUri).searchParams.get('code')!,
        code_verifier: verifier,
        redirect_uri: redirectUri,
        resource: `${base}/api/v1`,
      }),
    })
    const { access_token } = (await exchanged.json()) as { access_token: string }
    const me = await fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${access_token}` } })
    expect(((await me.json()) as { data: { username: string } }).data.username).toBe('bert')
  })

  test('links and unlinks an account under Security, which the CSP allows', async () => {
    await signInWithPassword()
    await page.goto(`${base}/settings/security`)
    await page.getByRole('button', { name: 'Link to Home' }).click()
    await signInAtProvider('mira-at-home')
    await page.getByText('Your account is linked. You can sign in with Home now.').waitFor()
    await page.context().clearCookies()
    await page.goto(`${base}/login`)
    await page.getByRole('link', { name: 'Sign in with Home' }).click()
    await signInAtProvider('mira-at-home')
    await page.locator('details.account').waitFor()
    await page.goto(`${base}/settings/security`)
    await page.getByRole('button', { name: 'Unlink from Home' }).click()
    await page.getByText('Your account is no longer linked to Home.').waitFor()
  })

  test('deletes an account without a password after another sign-in at the provider', async () => {
    await page.goto(`${base}/login/oidc`)
    await signInAtProvider('carl')
    await page.goto(`${base}/settings/security`)
    await page.locator('summary', { hasText: 'Delete my account' }).click()
    await page.getByLabel('Type carl to confirm').fill('carl')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await signInAtProvider('carl', false)
    await page.getByRole('heading', { name: 'Your account was deleted' }).waitFor()
    expect(instance.services.users.findByName('carl')).toBeUndefined()
  })

  test('shows an error page with a link to the sign-in after a cancelled sign-in', async () => {
    await page.goto(`${base}/login?next=%2Fdocs`)
    await page.getByRole('link', { name: 'Sign in with Home' }).click()
    await page.getByRole('link', { name: /cancel/i }).click()
    await page.getByText('The sign-in with Home was denied or cancelled.').waitFor()
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    expect(page.url()).toBe(`${base}/login?next=%2Fdocs`)
  })
})
