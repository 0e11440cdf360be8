import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, violations } from '../support/accessibility.ts'
import { flying, places } from '../support/travel.ts'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

const SLOW = { timeout: 300_000 }
const PASSWORD = 'correct horse battery'

describeInChromium('the year in review, entities and their pictures in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let base: string
  let airports: ReturnType<typeof places>['airports']
  const refused: string[] = []

  beforeAll(async () => {
    site = await visited()
    ;({ browser, base } = site)
    const { instance } = site
    const owner = await instance.services.users.createOwner({
      username: 'mira',
      displayName: 'Mira Holm',
      password: PASSWORD,
    })
    const records = places(instance.db)
    ;({ airports } = records)
    const fly = flying(instance, records)
    const user = { id: owner.id, key: instance.key(owner.id) } as Parameters<typeof fly>[0]
    const { swiss } = records.airlines
    const guest = { passengers: [{ userId: owner.id }, { guestName: 'Bartholomew Featherstonehaugh-Cholmondeley' }] }
    const times = {
      departure: '2024-03-01T10:00:00Z',
      arrivalScheduled: '2024-03-01T12:00:00Z',
      arrival: '2024-03-01T12:30:00Z',
    }
    await fly(user, 'ZRH', 'LIS', { date: '2024-03-01', airlineId: swiss, ...times, ...guest })
    await fly(user, 'LIS', 'JFK', { date: '2024-03-08', airlineId: swiss, duration: 30_000, ...guest })
    await fly(user, 'JFK', 'ZRH', { date: '2024-11-20', airlineId: swiss })
    context = await browser.newContext()
    page = await context.newPage()
    noteRefusals(page, refused)
    await page.goto(base)
    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('img', { name: /^Map of \d+ routes$/ }).waitFor()
  }, SLOW.timeout)
  afterAll(() => site?.close())

  const isWiderThanWindow = (tab: Page) =>
    tab.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')

  /** The widths of the panels that are not as wide as the window. */
  const narrowPanels = (tab: Page) =>
    tab.evaluate<number[]>(
      `[...document.querySelectorAll('.panel')].map((each) => each.getBoundingClientRect().width)
        .filter((width) => width !== document.documentElement.clientWidth)`,
    )

  const panels = ['Distance', 'New places', 'Longest flight', 'Busiest month', 'Companions', 'Punctuality', 'Pictures']

  test.each([360, 1200])('has panels as wide as the window, at %i px', SLOW, async (width) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${base}/statistics/2024`)
    expect(await page.locator('.panel h2').allInnerTexts()).toEqual(panels)
    expect(await narrowPanels(page)).toEqual([])
    expect(await isWiderThanWindow(page)).toBe(false)
    await expectAccessible(page)
    if (width === 360) return
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect([await narrowPanels(page), await isWiderThanWindow(page)]).toEqual([[], false])
  })

  test.each(['Story', 'Square', 'Card'])('downloads the picture %s in its size', SLOW, async (name) => {
    await page.goto(`${base}/statistics/2024`)
    const link = page.getByRole('link', { name: new RegExp(`^${name} \\d+ × \\d+$`) })
    const [, width, height] = /(\d+) × (\d+)/.exec(await link.innerText())!
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toBe(`flights-2024-${name.toLowerCase()}.png`)
    const size = await page.evaluate<number[]>(
      `new Promise((done, failed) => {
        const image = Object.assign(new Image(), { src: ${JSON.stringify(download.url())}, onerror: failed })
        image.onload = () => done([image.naturalWidth, image.naturalHeight])
      })`,
    )
    expect(size).toEqual([Number(width), Number(height)])
  })

  test('leads from an airport to its route, and works without scripts on a phone', SLOW, async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    await plain.addCookies(await context.cookies())
    const tab = await plain.newPage()
    const [flag] = await Promise.all([
      tab.waitForResponse(/\/assets\/flag-pt-/),
      tab.goto(`${base}/airports/${airports.LIS}`),
    ])
    expect(flag.status()).toBe(200)
    expect(await tab.getByRole('heading', { level: 1 }).innerText()).toMatch(/^LIS\s+Lisbon Airport$/)
    expect(await isWiderThanWindow(tab)).toBe(false)
    await tab.getByRole('link', { name: 'ZRH to LIS', exact: true }).click()
    await tab.waitForURL(`${base}/routes/${airports.ZRH}-${airports.LIS}`)
    expect(await isWiderThanWindow(tab)).toBe(false)
    expect(await violations(tab, { withoutScript: true })).toEqual([])
    await tab.goto(`${base}/statistics/2024`)
    expect(await tab.locator('.panel h2').allInnerTexts()).toEqual(panels)
    expect([await narrowPanels(tab), await isWiderThanWindow(tab)]).toEqual([[], false])
    expect(refused).toEqual([])
  })
})
