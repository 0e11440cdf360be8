import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { launchWithoutWebGl, launchWithWebGl } from '../support/chromium.ts'
import { startDemo } from '../support/gallery/instances.ts'
import { signIn } from '../support/gallery/tour.ts'
import { describeInChromium } from '../support/visited.ts'

/** Software rendering is slow on a busy machine. */
const SLOW = { timeout: 600_000 }

describeInChromium('map in a browser', () => {
  let demo: Awaited<ReturnType<typeof startDemo>>
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const errors: string[] = []
  const hosts = new Set<string>()

  beforeAll(async () => {
    demo = await startDemo()
    browser = await launchWithWebGl()
    context = await browser.newContext({ viewport: { width: 700, height: 600 }, acceptDownloads: true })
    page = await context.newPage()
    page.setDefaultTimeout(SLOW.timeout)
    page.on('console', (message) => {
      if (/Content Security Policy|error/i.test(message.text())) errors.push(message.text())
    })
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('request', (request) => {
      if (!request.url().startsWith('blob:')) hosts.add(new URL(request.url()).origin)
    })
    await signIn(page, demo.base, 'ines')
  }, SLOW.timeout)

  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })

  test('replaces the static picture with an interactive map, on a globe and flat', SLOW, async () => {
    await page.goto(`${demo.base}/map`)
    expect(await page.locator('.atlas > svg.map').count()).toBe(1)
    await page.locator('.atlas.live').waitFor()
    const globe = page.getByRole('button', { name: 'Globe' })
    expect(await globe.getAttribute('aria-pressed')).toBe('true')
    await globe.click(SLOW)
    expect(await globe.getAttribute('aria-pressed')).toBe('false')
    // The choice is kept after a reload.
    await page.reload()
    await page.locator('.atlas.live').waitFor()
    expect(await globe.getAttribute('aria-pressed')).toBe('false')
    for (const name of ['Zoom in', 'Zoom out', 'Show all']) await page.getByRole('button', { name }).click(SLOW)
    await expectAccessible(page)
  })

  test('shows the airport or route under the pointer, with a link to its flights', SLOW, async () => {
    const stage = (await page.locator('.stage').boundingBox())!
    const card = page.locator('.map-card')
    // The flights of the demo are in Europe, near the middle of the map.
    search: for (let down = 0.3; down < 0.8; down += 0.04) {
      for (let across = 0.2; across < 0.8; across += 0.02) {
        await page.mouse.move(stage.x + stage.width * across, stage.y + stage.height * down)
        if (await card.isVisible()) break search
      }
    }
    expect(await card.innerText()).toMatch(/[A-Z]{3}.*\d+ (flights?|visits?)/s)
    await page.mouse.down()
    await page.mouse.up()
    const link = card.getByRole('link', { name: 'See them' })
    expect(await link.getAttribute('href')).toMatch(/^\/\?(fromId=\d+,\d+&toId=\d+,\d+|airportId=\d+)$/)
    await link.click()
    await page.getByRole('list', { name: 'Active filters' }).waitFor()
  })

  test('can be saved as a picture', SLOW, async () => {
    await page.goto(`${demo.base}/map?year=2025`)
    await page.locator('.atlas.live').waitFor()
    const [saved] = await Promise.all([
      page.waitForEvent('download', SLOW),
      page.getByRole('button', { name: 'Save as PNG' }).click(SLOW),
    ])
    expect(saved.suggestedFilename()).toBe('flights.png')
  })

  test('sends no requests to other hosts and causes no CSP violations', () => {
    expect([...hosts]).toEqual([demo.base])
    expect(errors).toEqual([])
  })

  test('remains a static picture without WebGL and without scripts', SLOW, async () => {
    const browserWithoutWebGl = await launchWithoutWebGl()
    try {
      for (const javaScriptEnabled of [true, false]) {
        const tab = await (await browserWithoutWebGl.newContext({ javaScriptEnabled })).newPage()
        const loaded: string[] = []
        tab.on('request', (request) => loaded.push(request.url()))
        await signIn(tab, demo.base, 'ines')
        await tab.goto(`${demo.base}/map`)
        await tab.waitForTimeout(3000)
        expect(await tab.locator('.atlas > svg.map').isVisible()).toBe(true)
        expect(await tab.locator('.stage').count()).toBe(0)
        expect(loaded.filter((url) => /\/map-(?!loader)[^/]*\.js$/.test(url))).toEqual([])
      }
    } finally {
      await browserWithoutWebGl.close()
    }
  })
})
