import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { manyFlights, places } from '../support/travel.ts'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

const PASSWORD = 'correct horse battery'

describeInChromium('shares in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let instance: typeof site.instance
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let base: string
  const requestedUrls: string[] = []
  const violations: string[] = []

  beforeAll(async () => {
    site = await visited()
    ;({ instance, browser, base } = site)
    const { id } = await instance.services.users.createOwner({
      username: 'mira',
      displayName: 'Mira Holm',
      password: PASSWORD,
    })
    manyFlights(instance.db, places(instance.db), id, 250)
    context = await browser.newContext({ viewport: { width: 1100, height: 900 } })
    context.on('request', (request) => requestedUrls.push(request.url()))
    page = await context.newPage()
    noteRefusals(page, violations)
  })

  afterAll(() => site?.close())

  /** Fails if the page scrolls horizontally. */
  const expectToFit = async (tab: Page) =>
    expect(await tab.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)

  test('are created, viewed, changed and deleted, and report a taken address', {
    timeout: 600_000,
  }, async () => {
    await page.goto(base)
    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('img', { name: /^Map of \d+ routes$/ }).waitFor()

    await page.locator('.account > summary').click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Shares' }).click()
    await page.getByRole('heading', { level: 1, name: 'Shares' }).waitFor()
    await page.getByText('New share').click()
    await page.getByLabel('Address').fill('two words')
    await page.getByLabel('List of flights').check()
    await page.getByLabel(/^Statistics/).check()
    await page.getByRole('button', { name: 'Create share' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('Address: Must be letters')
    expect(await page.getByLabel('List of flights').isChecked()).toBe(true)
    await page.getByLabel('Address').fill('my-flights')
    await page.getByRole('button', { name: 'Create share' }).click()
    expect(await page.getByRole('status').first().innerText()).toBe(`Your page is open at ${base}/share/my-flights`)
    await page.getByRole('button', { name: 'Copy the address of my-flights' }).click()
    await page.getByText(/^(Copied|Selected)/).waitFor()

    await page.getByRole('link', { name: 'View page my-flights' }).click()
    await page.getByRole('heading', { level: 1, name: '250 flights' }).waitFor()
    await page.getByText('List routes').click()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('Page 2 of 5').waitFor()
    await expectAccessible(page)
    const picture = `${base}/share/my-flights/map.png`
    const size = await page.evaluate<number[]>(
      `new Promise((done, failed) => {
        const image = Object.assign(new Image(), { src: '${picture}', onerror: failed })
        image.onload = () => done([image.naturalWidth, image.naturalHeight])
      })`,
    )
    expect(size).toEqual([1200, 630])

    await page.goto(`${base}/settings/shares`)
    await page.getByRole('link', { name: 'Edit my-flights' }).click()
    await page.getByRole('heading', { level: 1, name: 'Share my-flights' }).waitFor()
    await page.getByLabel('Map of routes').uncheck()
    await page.getByLabel('Last day').fill('1999-01-01')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The share was changed.').waitFor()
    await page.goto(`${base}/share/my-flights`)
    await page.getByText('This share has no flights at the moment.').waitFor()

    await page.goto(`${base}/settings/shares`)
    await page.getByText('New share').click()
    await page.getByLabel('Address').fill('MY-FLIGHTS')
    await page.getByRole('button', { name: 'Create share' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('This address is taken.')
    await page.locator('summary', { hasText: 'Delete the share my-flights' }).click()
    await page.getByRole('button', { name: 'Delete this share' }).click()
    await page.getByText('The share was deleted.').waitFor()
    expect((await page.goto(`${base}/share/my-flights`))?.status()).toBe(404)
    expect(requestedUrls.filter((url) => !url.startsWith(`${base}/`) && !url.startsWith('data:'))).toEqual([])
    expect(violations).toEqual([])
  })

  test('fit on a phone and work without scripts', { timeout: 600_000 }, async () => {
    const contextWithoutScripts = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    })
    await contextWithoutScripts.addCookies(await context.cookies())
    const tab = await contextWithoutScripts.newPage()
    await tab.goto(`${base}/settings/shares`)
    await tab.getByText('New share').click()
    await tab.getByLabel('List of flights').check()
    await tab.getByRole('button', { name: 'Create share' }).click()
    const address = await tab.locator('code[id^="address-"]').innerText()
    expect(address).toMatch(/\/share\/[a-z0-9]{12}$/)
    expect(await tab.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    const phone = await context.newPage()
    await phone.setViewportSize({ width: 390, height: 800 })
    for (const url of [base, `${base}/settings/shares`, `${base}/settings/shares/2`, address]) {
      await phone.goto(url)
      await expectToFit(phone)
    }
    await phone.close()
    await contextWithoutScripts.close()
  })

  test('have map labels that do not overlap in the browser', async () => {
    const slug = 'names'
    const { id } = instance.services.users.owner()!
    await instance.as(instance.key(id)).post('/shares', { slug })
    for (const [width, variant] of [
      [1100, 'wide'],
      [390, 'narrow'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${base}/share/${slug}`)
      const boxes = await page.evaluate<{ x: number; y: number; width: number; height: number; text: string }[]>(
        `[...document.querySelectorAll('.labels.${variant} text')].map((text) => {
          const { x, y, width, height } = text.getBBox()
          // Capital letters fill the middle half of the line height.
          return { x, y: y + height * 0.25, width, height: height * 0.5, text: text.textContent }
        })`,
      )
      expect(boxes.length).toBeGreaterThan(4)
      const overlapping = boxes.flatMap((a, index) =>
        boxes
          .slice(index + 1)
          .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
          .map((b) => `${a.text} ${b.text}`),
      )
      expect([variant, overlapping]).toEqual([variant, []])
    }
  })
})
