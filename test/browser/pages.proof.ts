import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

const PASSWORD = 'correct horse battery'
const NEW_PASSWORD = 'a quite different one'

describeInChromium('pages in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let base: string
  const violations: string[] = []

  beforeAll(async () => {
    site = await visited()
    ;({ browser, base } = site)
    context = await browser.newContext()
    page = await context.newPage()
    noteRefusals(page, violations)
  })

  afterAll(() => site?.close())

  const me = (key: string) => fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })

  test('allow setup, creating and deleting a key, a password change, and signing out and in', async () => {
    await page.goto(base)
    expect(await page.title()).toBe('Welcome – Paxlog')
    await page.getByLabel('Username').fill('x')
    await page.getByRole('button', { name: 'Create account' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('Password: Must have at least 8 characters.')

    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Your name').fill('Mira Holm')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Flights' }).waitFor()

    await page.locator('.account > summary').click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Preferences' }).waitFor()
    await page.getByLabel('Distances').selectOption('Miles')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await page.locator('.notice[role=status]').innerText()).toBe('Your preferences were saved.')
    expect(await page.getByLabel('Distances').inputValue()).toBe('mi')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Security' }).click()
    await page.getByText('New API key').click()
    await page.getByLabel('Name', { exact: true }).fill('Trip board')
    expect(await page.getByLabel('Give roles to users').isVisible()).toBe(false)
    await page.getByLabel('Choose permissions').check()
    expect(await page.getByLabel('Give roles to users').isVisible()).toBe(true)
    await page.getByLabel('Read my data').check()
    expect(await page.getByLabel('Give roles to users').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await page.locator('#key').innerText()
    expect((await me(key)).status).toBe(200)
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText(/^(Copied|Selected)/).waitFor()

    await page.getByRole('link', { name: 'I have copied it' }).click()
    expect(await page.getByText(key).count()).toBe(0)
    await page.getByText('9 permissions').click()
    await page.locator('summary', { hasText: 'Delete the key Trip board' }).click()
    await page.getByRole('button', { name: 'Delete this key' }).click()
    expect(await page.locator('.notice[role=status]').innerText()).toContain('The API key was deleted')
    expect((await me(key)).status).toBe(401)

    await page.getByLabel('Current password').fill('not this one')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('This is not your current password.')
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password was changed.').waitFor()

    await page.locator('.account > summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in', exact: true }).waitFor()
    await page.goBack()
    expect(page.url()).toContain('/login?next=')
    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    expect(await page.getByRole('alert').innerText()).toContain('Wrong username or password.')
    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
    expect(violations).toEqual([])
  })

  test('allow signing in, creating and deleting a key, and signing out using only the keyboard', async () => {
    await context.clearCookies()
    await page.goto(`${base}/settings/security`)
    /** Waits until the page is loaded, because loading can move the focus. */
    const waitForPage = async (heading: { level: number; name: string }) => {
      await page.getByRole('heading', heading).waitFor()
      await page.waitForLoadState('load')
    }
    const tabTo = async (name: RegExp) => {
      for (let step = 0; step < 80; step++) {
        await page.keyboard.press('Tab')
        const text = await page.evaluate<string>(
          "[document.activeElement.textContent, ...(document.activeElement.labels ?? [])].map((part) => part.textContent ?? part).join(' ')",
        )
        if (name.test(text)) return
      }
      throw new Error(`Tab does not reach an element named ${name}.`)
    }
    // The username has autofocus.
    await page.waitForFunction("document.activeElement?.name === 'username'")
    await page.keyboard.type('mira')
    await page.keyboard.press('Tab')
    await page.keyboard.type(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await waitForPage({ level: 1, name: 'Security' })

    await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await tabTo(/^New API key/)
    await page.keyboard.press('Enter')
    await tabTo(/^ Name$/)
    await page.keyboard.type('By keyboard')
    await tabTo(/Read my data/)
    // The last choice, before the first one.
    await page.keyboard.press('ArrowUp')
    await tabTo(/Read statistics/)
    await page.keyboard.press('Space')
    expect(await page.getByLabel('Read statistics').isChecked()).toBe(false)
    await page.keyboard.press('Enter')
    await waitForPage({ level: 1, name: 'Your new API key' })
    await tabTo(/I have copied it/)
    await page.keyboard.press('Enter')
    await waitForPage({ level: 3, name: 'By keyboard' })
    await tabTo(/^Delete the key/)
    await page.keyboard.press('Enter')
    await tabTo(/^Delete this key/)
    await page.keyboard.press('Enter')
    await page.getByText('The API key was deleted').waitFor()
    await page.waitForLoadState('load')
    await tabTo(/^Account of Mira/)
    await page.keyboard.press('Enter')
    await tabTo(/^Sign out/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Sign in', exact: true }).waitFor()
  })

  test('work without scripts and fit on a phone', async () => {
    const contextWithoutScripts = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    })
    const tab = await contextWithoutScripts.newPage()
    await tab.goto(`${base}/login`)
    await tab.getByLabel('Username').fill('mira')
    await tab.getByLabel('Password').fill(NEW_PASSWORD)
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await tab.getByRole('heading', { level: 1, name: 'Flights' }).waitFor()
    await tab.goto(`${base}/settings/security`)
    await tab.getByText('New API key').click()
    await tab.getByLabel('Choose permissions').check()
    await tab.getByLabel('Give roles to users').check()
    await tab.getByLabel('Name', { exact: true }).fill('Without script')
    await tab.getByRole('button', { name: 'Create key' }).click()
    expect(await tab.locator('#key').innerText()).toMatch(/^pxl_/)
    expect(await tab.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    const { width } = (await tab.locator('html').boundingBox())!
    expect(width).toBe(390)
    await contextWithoutScripts.close()
  })

  test('C1: stay blank in a frame of another site', async () => {
    const otherSite = await context.newPage()
    await otherSite.setContent(`<iframe src="${base}/login"></iframe>`)
    await otherSite.waitForTimeout(500)
    expect(otherSite.frames().map((frame) => frame.url())).not.toContain(`${base}/login`)
    await otherSite.close()
  })

  test('C4: reject a sign-in form of another site', async () => {
    await context.clearCookies()
    const form = `<form method="post" action="${base}/login"><input name="username" value="mira"><input name="password" value="${NEW_PASSWORD}"><button>Go</button></form>`
    const other = await context.newPage()
    await other.setContent(form)
    await other.getByRole('button').click()
    await other.getByRole('heading', { level: 1, name: 'The form was not accepted' }).waitFor()
    expect((await context.cookies(base)).map(({ name }) => name)).not.toContain('paxlog')
    await other.close()
  })
})
