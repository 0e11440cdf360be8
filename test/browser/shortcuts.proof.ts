import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { referenceRows } from '../support/factory.ts'
import { describeInChromium, visited } from '../support/visited.ts'

describeInChromium('keyboard shortcuts', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let browser: Browser
  let context: BrowserContext
  let tab: Page
  let base: string

  beforeAll(async () => {
    site = await visited()
    ;({ browser, base } = site)
    const { services, db, as, key } = site.instance
    const { id } = await services.users.createOwner({ username: 'mira', password: 'correct horse battery' })
    const { airports } = referenceRows(db)
    await as(key(id)).post('/flights', { date: '2024-05-03', fromId: airports.ZRH, toId: airports.LIS })
    context = await browser.newContext()
    await context.addCookies([{ name: 'paxlog', value: await services.sessions.start(id), url: base }])
    tab = await context.newPage()
  })

  afterAll(() => site?.close())

  const press = async (...keys: string[]) => {
    for (const key of keys) await tab.keyboard.press(key)
  }
  const isAt = (path: string) => tab.waitForURL(base + path)

  test('open pages, the form of a flight and the search', async () => {
    await tab.goto(`${base}/settings/preferences`)
    await press('g', 's')
    await isAt('/statistics')
    await press('g', 't')
    await isAt('/trips')
    await press('g', 'm')
    await isAt('/map')
    await press('g', 'h')
    await isAt('/')
    await press('/')
    expect(await tab.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')
    await tab.goto(`${base}/countries`)
    await press('n')
    await isAt('/flights/new')
  })

  test('do nothing while typing and with modifiers', async () => {
    await tab.goto(base)
    await tab.locator('main input[type="search"]').fill('')
    await tab.keyboard.type('ngs/?')
    expect(await tab.locator('main input[type="search"]').inputValue()).toBe('ngs/?')
    await tab.locator('main').focus()
    await press('Control+n', 'Alt+n', 'x', 'h')
    await isAt('/')
    expect(await tab.locator('dialog[open]').count()).toBe(0)
  })

  test('are listed, and can be turned off and on again', async () => {
    await tab.goto(`${base}/settings/preferences`)
    await press('?')
    const list = tab.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.waitFor()
    expect(await list.locator('dt').allInnerTexts()).toEqual(['n', 'g h', 'g m', 'g s', 'g t', '?'])
    await press('n')
    await isAt('/settings/preferences')
    await list.getByLabel('Use keyboard shortcuts').uncheck()
    await press('Escape')
    await expect.poll(() => list.count()).toBe(0)
    await press('n', '?')
    await isAt('/settings/preferences')
    expect(await list.count()).toBe(0)
    await tab.goto(`${base}/countries`)
    await press('n', '?')
    await isAt('/countries')
    await tab.locator('.account > summary').click()
    await tab.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await list.getByLabel('Use keyboard shortcuts').check()
    await list.getByRole('button', { name: 'Close' }).click()
    await tab.locator('main').focus()
    await press('n')
    await isAt('/flights/new')
  })
})
