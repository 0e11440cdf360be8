import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../src/lib/port.ts'
import { chromiumMissing, launchChromium } from '../support/chromium.ts'
import { sharedSignedIn } from '../support/pages.ts'
import { flying, places } from '../support/travel.ts'

const SLOW = { timeout: 600_000 }
const phone = { width: 360, height: 740 }

describe.skipIf(chromiumMissing)(
  `odd contents in odd browsers${chromiumMissing ? ` (${chromiumMissing})` : ''}`,
  () => {
    let instance: Awaited<ReturnType<typeof sharedSignedIn>>
    let browser: Browser
    let base: string

    async function opened(path: string, options: Parameters<Browser['newContext']>[0]): Promise<Page> {
      const context = await browser.newContext(options)
      const cookies = [...instance.browser.jar].map(([name, value]) => ({ name, value, url: base }))
      await context.addCookies(cookies)
      const page = await context.newPage()
      await page.goto(base + path)
      return page
    }

    beforeAll(async () => {
      const port = await freePort('127.0.0.1')
      base = `http://localhost:${port}`
      instance = await sharedSignedIn({ baseUrl: base })
      const { owner } = instance
      const key = instance.key(owner.id)
      const fly = flying(instance, places(instance.db))
      await fly({ id: owner.id, key } as Parameters<typeof fly>[0], 'ZRH', 'LIS', { date: '2024-03-01' })
      await instance.as(key).post('/custom-fields', {
        ...{ entityType: 'flight', key: 'extras', label: 'Extras', fieldType: 'multi-select' },
        options: ['one', 'W'.repeat(100)],
      })
      await instance.as(key).post('/shares', { slug: 'summer', expiresAt: '2099-12-17T23:00:00Z' })
      await instance.app.listen({ host: '127.0.0.1', port })
      browser = await launchChromium()
    }, SLOW.timeout)

    afterAll(async () => {
      await browser?.close()
      await instance?.close()
    })

    const scrolls = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')

    test('a distance of millions stays on one line, with its unit', SLOW, async () => {
      for (const viewport of [phone, { width: 1280, height: 900 }]) {
        const page = await opened('/', { viewport })
        const lines = await page.evaluate(`(() => {
        const figure = document.querySelectorAll('.figures dd')[1]
        figure.textContent = '26,179,698\\u00a0km'
        const range = document.createRange()
        range.selectNodeContents(figure)
        return [...range.getClientRects()].length + (figure.scrollWidth > figure.clientWidth ? ' and too wide' : '')
      })()`)
        expect([viewport.width, lines]).toEqual([viewport.width, '1'])
      }
    })

    test('a long option of a custom field, and the end of a share, fit a phone', SLOW, async () => {
      const form = await opened('/flights/new', { viewport: phone })
      await form.evaluate(`document.querySelectorAll('details').forEach((fold) => { fold.open = true })`)
      expect(await scrolls(form)).toBe(false)
      expect(await scrolls(await opened('/settings/shares', { viewport: phone }))).toBe(false)
    })

    test('a page that is enlarged four times is not covered by its own buttons', SLOW, async () => {
      const page = await opened('/flights/new', { viewport: { width: 320, height: 256 } })
      expect(await page.locator('.flight > .actions').evaluate((bar) => getComputedStyle(bar).position)).toBe('static')
    })

    test('legends and land keep their colours where the system forces its own', SLOW, async () => {
      const looks: unknown[] = []
      for (const forcedColors of ['none', 'active'] as const) {
        const page = await opened('/statistics', { viewport: phone, colorScheme: 'light', forcedColors })
        const legend = await page.evaluate(
          `getComputedStyle(document.querySelector('.key'), '::before').backgroundColor`,
        )
        await page.goto(`${base}/countries`)
        looks.push([legend, await page.evaluate(`getComputedStyle(document.querySelector('.land')).fill`)])
      }
      expect(looks[1]).toEqual(looks[0])
    })
  },
)
