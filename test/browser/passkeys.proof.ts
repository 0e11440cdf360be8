import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

const PASSWORD = 'correct horse battery'

describeInChromium('passkeys in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let browser: Browser
  let page: Page
  let base: string
  let devtools: CDPSession
  let authenticatorId: string
  const refused: string[] = []

  beforeAll(async () => {
    site = await visited()
    ;({ browser, base } = site)
    await site.instance.services.users.createOwner({ username: 'mira', displayName: 'Mira Holm', password: PASSWORD })
  })
  afterAll(() => site?.close())

  beforeEach(async () => {
    page = await (await browser.newContext()).newPage()
    noteRefusals(page, refused)
    devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable', { enableUI: false })
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const
    ;({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options }))
  })
  afterEach(async () => {
    await page.context().close()
    expect(refused).toEqual([])
  })

  async function signInWithPassword() {
    await page.goto(`${base}/login`)
    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('details.account').waitFor()
  }

  async function addPasskey(name: string) {
    await page.goto(`${base}/settings/security`)
    await page.locator('summary', { hasText: 'New passkey' }).click()
    await page.getByLabel('Name of the passkey').fill(name)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('The passkey was added. You can sign in with it now.').waitFor()
    await page.getByRole('heading', { name }).waitFor()
  }

  /** Without it the virtual authenticator would select a passkey before the button is used. */
  async function switchOffAutofill() {
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  }

  test('are added, sign in with the button and in the username field, and are removed', async () => {
    await signInWithPassword()
    await addPasskey('Laptop')
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])

    await page.locator('summary', { hasText: 'New passkey' }).click()
    await page.getByLabel('Name of the passkey').fill('Again')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('This device already has a passkey for your account.').waitFor()

    await page.context().clearCookies()
    // The virtual authenticator selects the passkey that the field offers.
    await page.goto(`${base}/login?next=%2Fsettings%2Fsecurity`)
    await page.waitForURL(`${base}/settings/security`)

    await page.context().clearCookies()
    await switchOffAutofill()
    await page.goto(`${base}/login?next=%2Fsettings%2Fpreferences`)
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.click()
    await page.waitForURL(`${base}/settings/preferences`)

    await page.goto(`${base}/settings/security`)
    await page.locator('summary', { hasText: 'Remove the passkey Laptop' }).click()
    await page.getByRole('button', { name: 'Remove this passkey' }).click()
    await page.getByText('The passkey was removed.').waitFor()
    await page.context().clearCookies()
    await page.goto(`${base}/login`)
    await button.click()
    await page.getByText('This passkey was not accepted.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
  })

  test('confirm the deletion of an account', async () => {
    const { services } = site.instance
    const noor = site.instance.user({ username: 'noor' })
    const session = await services.sessions.start(noor.id)
    await page.context().addCookies([{ name: 'paxlog', value: session, url: base }])
    await addPasskey('Phone')
    await page.getByText('This is your only way to sign in, so it cannot be removed.').waitFor()
    await page.locator('summary', { hasText: 'Delete my account' }).click()
    await page.getByLabel('Type noor to confirm').fill('noor')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('heading', { name: 'Your account was deleted' }).waitFor()
    expect(services.users.findByName('noor')).toBeUndefined()
  })

  test('are not shown without scripts', async () => {
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await plain.goto(`${base}/login`)
    expect(await plain.getByText('passkey').isVisible()).toBe(false)
    await plain.context().close()
  })
})
