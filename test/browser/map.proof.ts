import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { launchWithoutWebGl, launchWithWebGl } from '../support/chromium.ts'
import { ADDRESS_HEADER, startDemo } from '../support/gallery/instances.ts'
import { signIn } from '../support/gallery/tour.ts'
import { measured } from '../support/measured.ts'
import { describeInChromium } from '../support/visited.ts'

/** Software rendering is slow on a busy machine. */
const SLOW = { timeout: 300_000 }

const ASSETS = join(import.meta.dirname, '../../dist/assets')

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

  let visitors = 0

  /** A new visitor, who does not share the limit of sign-ins. */
  async function openTab(options: BrowserContextOptions = {}): Promise<Page> {
    const address = `10.0.0.${++visitors}`
    const viewport = { width: 700, height: 600 }
    const visitor = await browser.newContext({ viewport, extraHTTPHeaders: { [ADDRESS_HEADER]: address }, ...options })
    const tab = await visitor.newPage()
    tab.setDefaultTimeout(SLOW.timeout)
    await signIn(tab, demo.base, 'ines')
    return tab
  }

  test('replaces the static picture with an interactive map, on a globe and flat', SLOW, async () => {
    await page.goto(`${demo.base}/map`)
    expect(await page.locator('.atlas > svg.map').count()).toBe(1)
    await page.locator('.atlas.live').waitFor()
    const globe = page.getByRole('button', { name: 'Globe' })
    const isGlobe = await globe.getAttribute('aria-pressed')
    const other = isGlobe === 'true' ? 'false' : 'true'
    await globe.click(SLOW)
    expect(await globe.getAttribute('aria-pressed')).toBe(other)
    // The server draws the chosen projection from then on.
    await page.reload()
    await page.locator('.atlas.live').waitFor()
    expect(await globe.getAttribute('aria-pressed')).toBe(other)
    for (const name of ['Zoom in', 'Zoom out', 'Show all']) await page.getByRole('button', { name }).click(SLOW)
    await expectAccessible(page)
  })

  test.each(['globe', 'flat'])('shows airports where the picture shows them: %s', SLOW, async (projection) => {
    await context.addCookies([{ name: 'paxlog-map', value: projection, url: demo.base }])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${demo.base}/map`)
    const spots: [number, number][] = await page.locator('.map .airport').evaluateAll((elements) =>
      elements.map((element): [number, number] => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return [x + width / 2, y + height / 2]
      }),
    )
    expect(spots.length).toBeGreaterThan(10)
    await page.locator('.atlas.live').waitFor()
    await page.waitForTimeout(1000)
    const picture = `data:image/png;base64,${(await page.screenshot({ timeout: SLOW.timeout })).toString('base64')}`
    // A blank page has no policy that forbids reading the picture.
    const blank = await context.newPage()
    const isAirport: boolean[] = await blank.evaluate(`(async () => {
      const image = await createImageBitmap(await (await fetch(${JSON.stringify(picture)})).blob())
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
      context.drawImage(image, 0, 0)
      return ${JSON.stringify(spots)}.map(([x, y]) => {
        const { data } = context.getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3)
        return [0, 1, 2, 3, 4, 5, 6, 7, 8].some((at) => {
          const [red, green, blue] = data.slice(at * 4)
          return Math.abs(red - 0x13) + Math.abs(green - 0x4a) + Math.abs(blue - 0x83) < 60
        })
      })
    })()`)
    await blank.close()
    // Labels and routes cover some airports.
    expect(isAirport.filter(Boolean).length / spots.length).toBeGreaterThan(0.7)
  })

  test('replays the flights by keyboard and mouse', SLOW, async () => {
    await page.goto(`${demo.base}/map`)
    await page.locator('.atlas.live').waitFor()
    await page.locator('.stage canvas').focus()
    await page.keyboard.press('r')
    const replay = page.getByRole('group', { name: 'Replay' })
    const timeline = replay.getByRole('slider', { name: 'Timeline' })
    await replay.getByRole('button', { name: 'Pause' }).click()
    const position = Number(await timeline.inputValue())
    await page.waitForTimeout(1500)
    expect(Number(await timeline.inputValue())).toBe(position)
    await timeline.focus()
    await page.keyboard.press('End')
    expect(await timeline.inputValue()).toBe(await timeline.getAttribute('max'))
    expect(await timeline.getAttribute('aria-valuetext')).toMatch(/20\d\d, flights: \d+$/)
    expect(await page.locator('.atlas .year').innerText()).toMatch(/^20\d\d$/)
    await replay.getByRole('combobox', { name: 'Speed' }).selectOption('4')
    await timeline.focus()
    await page.keyboard.press('Home')
    await replay.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => timeline.inputValue().then(Number), SLOW).toBeGreaterThan(2)
    await replay.getByRole('button', { name: 'Pause' }).click()
    await expectAccessible(page)
    await replay.getByRole('button', { name: 'Close replay' }).click()
    expect(await replay.isVisible()).toBe(false)
  })

  test('lists its keys', SLOW, async () => {
    await page.locator('.stage canvas').focus()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog')
    expect(await dialog.innerText()).toContain('Globe or flat map')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(false)
  })

  test('names places in three languages, with the font of the labels', SLOW, async () => {
    const pictures = new Set<string>()
    for (const [locale, ocean] of [
      ['en-GB', 'Atlantic Ocean'],
      ['de-DE', 'Atlantischer Ozean'],
      ['fr-FR', 'Océan Atlantique'],
    ] as const) {
      const tab = await openTab({ locale })
      const labels = tab.waitForResponse(new RegExp(`/labels-${locale.slice(0, 2)}-`))
      await tab.goto(`${demo.base}/map`)
      expect(await tab.locator('.names').textContent()).toContain(ocean)
      expect(await (await labels).text()).toContain(ocean)
      await tab.locator('.atlas.live').waitFor()
      // The page has faces of the same font, which load when their characters occur.
      const statuses = `[...document.fonts].flatMap(({ family, status }) => /Medium|SemiBold|Italic/.test(family) ? status : [])`
      expect(await tab.evaluate(statuses)).toEqual(Array.from({ length: 6 }, () => 'loaded'))
      await tab.waitForTimeout(1000)
      pictures.add((await tab.locator('.stage').screenshot({ timeout: SLOW.timeout })).toString('base64'))
      await tab.context().close()
    }
    expect(pictures.size).toBe(3)
  })

  test('weighs at most 600 kB when it is open', SLOW, async () => {
    const tab = await openTab({ viewport: { width: 1200, height: 800 } })
    await tab.goto(`${demo.base}/map`)
    await tab.locator('.atlas.live').waitFor()
    const loaded: [string, number][] = await tab.evaluate(
      `['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
        .map(({ name, encodedBodySize }) => [name, encodedBodySize])`,
    )
    await tab.context().close()
    // Browsers accept Brotli over https only.
    const sizes = [...new Map(loaded)].map(([url, size]) => {
      const file = join(ASSETS, `${basename(new URL(url).pathname)}.br`)
      return existsSync(file) ? statSync(file).size : size
    })
    expect(sizes.length).toBeGreaterThan(8)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    measured(`${sizes.length} files, ${Math.round(bytes / 1000)} kB with Brotli`)
    expect(bytes).toBeLessThan(600_000)
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
    const link = card.getByRole('link', { name: 'Show flights' })
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
