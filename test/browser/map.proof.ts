import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { launchWithoutWebGl, launchWithWebGl } from '../support/chromium.ts'
import { startDemo } from '../support/gallery/instances.ts'
import { signIn } from '../support/gallery/tour.ts'
import { describeInChromium } from '../support/visited.ts'

const SLOW = 600_000
/** Software draws what a graphics card would: a busy machine takes long. */
const PATIENCE = { timeout: 600_000 }

describeInChromium('the map in a real browser', () => {
  let demo: Awaited<ReturnType<typeof startDemo>>
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const refused: string[] = []
  const hosts = new Set<string>()

  beforeAll(async () => {
    demo = await startDemo()
    browser = await launchWithWebGl()
    context = await browser.newContext({ viewport: { width: 700, height: 600 }, acceptDownloads: true })
    page = await context.newPage()
    page.setDefaultTimeout(PATIENCE.timeout)
    page.on('console', (message) => {
      if (/Content Security Policy|error/i.test(message.text())) refused.push(message.text())
    })
    page.on('pageerror', ({ message }) => refused.push(message))
    page.on('request', (request) => {
      if (!request.url().startsWith('blob:')) hosts.add(new URL(request.url()).origin)
    })
    await signIn(page, demo.base, 'ines')
  }, SLOW)

  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })

  test('is a picture at first, and then one that can be moved, on a globe and flat', { timeout: SLOW }, async () => {
    await page.goto(`${demo.base}/map`)
    expect(await page.locator('.atlas > svg.map').count()).toBe(1)
    await page.locator('.atlas.live').waitFor()
    const globe = page.getByRole('button', { name: 'Globe' })
    expect(await globe.getAttribute('aria-pressed')).toBe('true')
    await globe.click(PATIENCE)
    expect(await globe.getAttribute('aria-pressed')).toBe('false')
    // What was chosen is still chosen the next time.
    await page.reload()
    await page.locator('.atlas.live').waitFor()
    expect(await globe.getAttribute('aria-pressed')).toBe('false')
    for (const name of ['Zoom in', 'Zoom out', 'Show all']) await page.getByRole('button', { name }).click(PATIENCE)
    await expectAccessible(page)
  })

  test('names what is under the pointer, and leads to its flights', { timeout: SLOW }, async () => {
    const stage = (await page.locator('.stage').boundingBox())!
    const card = page.locator('.map-card')
    // The flights of the demo begin in Europe, around the middle of the map; somewhere here is one.
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

  test('becomes a picture to keep', { timeout: SLOW }, async () => {
    await page.goto(`${demo.base}/map?year=2025`)
    await page.locator('.atlas.live').waitFor()
    const [saved] = await Promise.all([
      page.waitForEvent('download', PATIENCE),
      page.getByRole('button', { name: 'Save as PNG' }).click(PATIENCE),
    ])
    expect(saved.suggestedFilename()).toBe('flights.png')
  })

  test('asked nobody else and broke no policy', () => {
    expect([...hosts]).toEqual([demo.base])
    expect(refused).toEqual([])
  })

  test('stays a picture without WebGL, and without a script', { timeout: SLOW }, async () => {
    const plain = await launchWithoutWebGl()
    try {
      for (const javaScriptEnabled of [true, false]) {
        const tab = await (await plain.newContext({ javaScriptEnabled })).newPage()
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
      await plain.close()
    }
  })
})
