import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

const PASSWORD = 'correct horse battery'
const SLOW = { timeout: 600_000 }

describeInChromium('administration in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let instance: typeof site.instance
  let browser: Browser
  let page: Page
  let base: string
  const violations: string[] = []

  async function openSignedIn(username: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext(options)
    const tab = await context.newPage()
    noteRefusals(tab, violations)
    await tab.goto(`${base}/login`)
    await tab.getByLabel('Username').fill(username)
    await tab.getByLabel('Password').fill(PASSWORD)
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await tab.locator('details.account').waitFor()
    return tab
  }

  beforeAll(async () => {
    site = await visited()
    ;({ instance, browser, base } = site)
    await instance.services.users.createOwner({ username: 'mira', displayName: 'Mira', password: PASSWORD })
    page = await openSignedIn('mira')
  })

  afterAll(() => site?.close())

  const noticeText = () => page.locator('.notice[role=status]').innerText()

  test('creates and deletes a role and a user, who sees no administration', SLOW, async () => {
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('link', { name: 'Roles' }).click()
    await page.getByText('New role').click()
    await page.getByRole('button', { name: 'Create role' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('Name: Must have at least 1 character.')
    await page.getByLabel('Name', { exact: true }).fill('Guest')
    await page.getByLabel('Read flights they are on').check()
    await page.getByRole('button', { name: 'Create role' }).click()
    expect(await noticeText()).toBe('The role Guest was created.')

    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByText('New user').click()
    await page.getByLabel('Username').fill('noor')
    await page.getByLabel('Name', { exact: true }).fill('Noor')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Role').selectOption('Guest')
    await page.getByRole('button', { name: 'Create account' }).click()
    expect(await noticeText()).toContain('noor can sign in now.')

    const userPage = await openSignedIn('noor')
    expect(await userPage.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    expect((await userPage.goto(`${base}/admin/users`))?.status()).toBe(403)

    await page.getByRole('link', { name: 'Noor' }).click()
    await page.getByText('Delete Noor').click()
    await page.getByRole('button', { name: 'Delete this account' }).click()
    expect(await noticeText()).toContain('The account and its data were deleted')
    await userPage.goto(base)
    expect(userPage.url()).toBe(`${base}/login?next=%2F`)

    await page.getByRole('link', { name: 'Roles' }).click()
    await page.getByRole('link', { name: 'Guest' }).click()
    await page.getByText('Delete the role Guest').click()
    await page.getByRole('button', { name: 'Delete this role' }).click()
    expect(await noticeText()).toBe('The role Guest was deleted.')
    expect(instance.services.users.list(operator)).toHaveLength(1)
  })

  test('adds, changes and deletes a custom field', SLOW, async () => {
    await page.goto(`${base}/admin/custom-fields`)
    await page.getByText('New custom field').click()
    await page.getByLabel('Label').fill('Meal')
    await page.getByLabel('Key').fill('meal')
    await page.getByLabel('Type').selectOption('Single choice')
    await page.getByRole('button', { name: 'Add field' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('Options: A select field needs options.')
    await page.getByRole('textbox', { name: 'Options' }).fill('Soup\nBread')
    await page.getByLabel('Default').fill('Soup')
    await page.getByRole('button', { name: 'Add field' }).click()
    expect(await noticeText()).toBe('The field Meal was added.')
    expect(instance.services.customFields.list(operator, true)).toMatchObject([
      { options: ['Soup', 'Bread'], defaultValue: 'Soup' },
    ])

    await page.getByRole('link', { name: 'Meal' }).click()
    await page.getByLabel('Required').check()
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await noticeText()).toBe('The field Meal was changed.')
    await page.getByRole('link', { name: 'Meal' }).click()
    await page.getByText('Delete the field Meal').click()
    await page.getByRole('button', { name: 'Delete this field' }).click()
    expect(await page.getByText('No custom fields yet.').isVisible()).toBe(true)
  })

  test('fits on a phone and works without scripts, also with long names', SLOW, async () => {
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'
    instance.user({ username: 'abcdefghijklmnopqrst', displayName: long })
    const role = instance.role(['users.create'], 'Grundstücksverkehrsgenehmigungszuständigkeit')
    const phone = await openSignedIn('mira', { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    for (const path of ['/admin/users', '/admin/roles', `/admin/roles/${role}`, '/admin/custom-fields']) {
      await phone.goto(base + path)
      const summary = phone.locator('summary.button')
      if ((await summary.count()) > 0) await summary.click()
      expect([path, await phone.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([path, 390])
    }
    await phone.goto(`${base}/admin/users`)
    await phone.locator('summary.button').click()
    await phone.getByLabel('Username').fill('ada')
    await phone.getByLabel('Password').fill(PASSWORD)
    await phone.getByRole('button', { name: 'Create account' }).click()
    expect(await phone.locator('.notice[role=status]').innerText()).toContain('ada can sign in now.')
  })

  test('causes no CSP violations', () => {
    expect(violations).toEqual([])
  })
})
