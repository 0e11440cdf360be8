import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flying, places } from '../support/travel.ts'
import { describeInChromium, visited } from '../support/visited.ts'

const SLOW = { timeout: 600_000 }
const phone = { width: 360, height: 740 }

describeInChromium('layout edge cases', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let session: string

  async function openPage(path: string, options: Parameters<Browser['newContext']>[0]): Promise<Page> {
    const context = await site.browser.newContext(options)
    await context.addCookies([{ name: 'paxlog', value: session, url: site.base }])
    const page = await context.newPage()
    await page.goto(site.base + path)
    return page
  }

  beforeAll(async () => {
    site = await visited()
    const { instance } = site
    const owner = instance.user({ owner: true })
    session = await instance.services.sessions.start(owner.id)
    await flying(instance, places(instance.db))(owner, 'ZRH', 'LIS', { date: '2024-03-01' })
    await instance.as(owner).post('/custom-fields', {
      ...{ entityType: 'flight', key: 'extras', label: 'Extras', fieldType: 'multi-select' },
      options: ['one', 'W'.repeat(100)],
    })
    await instance.as(owner).post('/shares', { slug: 'summer', expiresAt: '2099-12-17T23:00:00Z' })
  }, SLOW.timeout)

  afterAll(() => site?.close())

  const scrollsHorizontally = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')

  test('a distance of millions stays on one line with its unit', SLOW, async () => {
    for (const viewport of [phone, { width: 1280, height: 900 }]) {
      const page = await openPage('/', { viewport })
      const lines = await page.evaluate(`(() => {
      const figure = document.querySelectorAll('.headline dd')[1]
      figure.textContent = '26,179,698\\u00a0km'
      const range = document.createRange()
      range.selectNodeContents(figure)
      return [...range.getClientRects()].length + (figure.scrollWidth > figure.clientWidth ? ' and too wide' : '')
    })()`)
      expect([viewport.width, lines]).toEqual([viewport.width, '1'])
    }
  })

  test('a long option of a custom field and the expiry of a share fit on a phone', SLOW, async () => {
    const form = await openPage('/flights/new', { viewport: phone })
    await form.evaluate(`document.querySelectorAll('details').forEach((fold) => { fold.open = true })`)
    expect(await scrollsHorizontally(form)).toBe(false)
    expect(await scrollsHorizontally(await openPage('/settings/shares', { viewport: phone }))).toBe(false)
  })

  test('the buttons of a form do not cover it at 400% zoom', SLOW, async () => {
    const page = await openPage('/flights/new', { viewport: { width: 320, height: 256 } })
    expect(await page.locator('.flight > .actions').evaluate((bar) => getComputedStyle(bar).position)).toBe('static')
  })

  test('legends and land keep their colours in forced-colors mode', SLOW, async () => {
    const colours: unknown[] = []
    for (const forcedColors of ['none', 'active'] as const) {
      const page = await openPage('/statistics', { viewport: phone, colorScheme: 'light', forcedColors })
      const legend = await page.evaluate(`getComputedStyle(document.querySelector('.key'), '::before').backgroundColor`)
      await page.goto(`${site.base}/countries`)
      colours.push([legend, await page.evaluate(`getComputedStyle(document.querySelector('.land')).fill`)])
    }
    expect(colours[1]).toEqual(colours[0])
  })
})
