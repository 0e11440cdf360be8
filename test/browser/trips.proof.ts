import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { places } from '../support/travel.ts'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

const TIMEOUT_MS = 180_000
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale: 'en-GB' }

/** Runs in the page: the width by which it is wider than the window. */
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth'

/** Runs in the page: the visible buttons of trips that are smaller than 44 pixels. */
const SMALL_BUTTONS = `[...document.querySelectorAll('main :is(button, .button, .trip-name a, .to-trip :is(select, input))')]
  .filter((each) => each.checkVisibility({ contentVisibilityAuto: true }) && each.getClientRects().length > 0)
  .filter((each) => each.getBoundingClientRect().height < 43.9)
  .map((each) => each.textContent.trim())`

describeInChromium('trips and deleted flights on a phone', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let reference: ReturnType<typeof places>

  beforeAll(async () => {
    site = await visited()
    reference = places(site.instance.db)
  })
  afterAll(() => site?.close())

  /** A page of a new user with a journey to New York, which is not a trip yet, and one more flight. */
  async function openLog(javaScriptEnabled: boolean) {
    const { base, browser, instance } = site
    const { ZRH, LIS, JFK, CPH, LHR } = reference.airports
    const user = instance.user()
    const api = instance.as(user)
    for (const body of [
      {
        date: '2025-03-01',
        fromId: ZRH,
        toId: LIS,
        departure: '2025-03-01T07:00:00Z',
        arrival: '2025-03-01T10:00:00Z',
      },
      {
        date: '2025-03-01',
        fromId: LIS,
        toId: JFK,
        departure: '2025-03-01T13:00:00Z',
        arrival: '2025-03-01T21:00:00Z',
      },
      { date: '2025-03-10', fromId: JFK, toId: ZRH },
      { date: '2025-03-12', fromId: CPH, toId: LHR },
    ])
      expect((await api.post('/flights', body)).status).toBe(201)
    const context = await browser.newContext({ ...PHONE, javaScriptEnabled })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const errors: string[] = []
    noteRefusals(page, errors)
    page.on('pageerror', (error) => errors.push(error.message))
    await context.addCookies([{ name: 'paxlog', value: await instance.services.sessions.start(user.id), url: base }])
    return { page, errors, close: () => context.close() }
  }

  const flightsOf = (page: Page) =>
    page
      .locator('.flights .route')
      .evaluateAll((links) => links.map((link) => link.textContent?.match(/[A-Z]{3}/g)?.join()))

  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('are created, shared, deleted and restored, %s', { timeout: TIMEOUT_MS }, async (_name, scripted) => {
    const { base, browser } = site
    const { page, errors, close } = await openLog(scripted)
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const unfold = (text: string) => page.locator('summary', { hasText: text }).first().click()
    const expectToFit = async (path: string) => {
      expect([path, await page.evaluate(OVERFLOW)]).toEqual([path, 0])
      expect([path, await page.evaluate(SMALL_BUTTONS)]).toEqual([path, []])
      if (scripted) await expectAccessible(page)
    }

    // A trip from a suggestion, with its layover.
    await page.goto(`${base}/trips`)
    await page.getByText('March 2025').first().waitFor()
    await expectToFit('suggestions')
    await page.getByRole('button', { name: /^Create trip / }).click()
    await page.getByText('The trip was created.').waitFor()
    const trip = page.url()
    const name = await page.getByRole('heading', { level: 1 }).innerText()
    expect(name).toContain('March 2025')
    expect(await flightsOf(page)).toEqual(['ZRH,LIS', 'LIS,JFK', 'JFK,ZRH'])
    const layovers = await page.locator('.layover').allInnerTexts()
    expect(layovers.map((text) => text.replaceAll(/\s/g, ' '))).toEqual(['3 h 00 min in Lisbon'])
    await expectToFit('trip')

    // One more flight from the log.
    await page.goto(`${base}/?text=`)
    await page.locator('.bulk > summary').click()
    await page.getByLabel('Select CPH to LHR, 12 Mar 2025').check()
    await unfold('Add to trip')
    await page.locator('#bulk-trip').selectOption({ label: name })
    expect(await page.getByLabel('Name of the new trip').isVisible()).toBe(false)
    await expectToFit('log')
    await click('Add')
    await page.getByText(`1 flight added to “${name}”.`).waitFor()
    await page.locator('.trip-name a', { hasText: name }).click()
    await page.getByRole('heading', { level: 2, name: '4 flights' }).waitFor()
    const all = ['ZRH,LIS', 'LIS,JFK', 'JFK,ZRH', 'CPH,LHR']
    expect(await flightsOf(page)).toEqual(all)

    // The share, signed out.
    await unfold('Share')
    await click('Create link')
    await page.getByText('The page of this trip is open at').waitFor()
    await unfold('Share')
    const address = await page.locator('a[href*="/share/"]').first().getAttribute('href')
    const visitor = await browser.newPage({ ...PHONE, javaScriptEnabled: scripted })
    await visitor.goto(new URL(address!, base).href)
    await visitor.getByRole('heading', { level: 1, name }).waitFor()
    expect(await visitor.locator('main').innerText()).toContain('1 Mar 2025')
    expect(await visitor.evaluate(OVERFLOW)).toBe(0)
    await visitor.close()

    const removeLast = async () => {
      await page.goto(trip)
      await page.locator('.flights .route').last().click()
      await unfold('Delete this flight')
      await click('Delete flight')
      await page.getByText('The flight was deleted.').waitFor()
      await page.goto(`${trip}?page=1`)
      expect(await flightsOf(page)).toEqual(all.slice(0, 3))
    }

    // Undo.
    await page.locator('.flights .route').last().click()
    await unfold('Delete this flight')
    await click('Delete flight')
    await page.getByText('The flight was deleted.').waitFor()
    await click('Undo')
    await page.getByText('The flight was restored.').waitFor()
    await page.goto(trip)
    expect(await flightsOf(page)).toEqual(all)

    // Restored from the settings, and then deleted permanently.
    await removeLast()
    await page.goto(`${base}/settings/deleted`)
    await expectToFit('recently deleted')
    await click('Restore')
    await page.getByText('The flight was restored.').waitFor()
    await page.goto(trip)
    expect(await flightsOf(page)).toEqual(all)
    await removeLast()
    await page.goto(`${base}/settings/deleted`)
    await unfold('Delete permanently')
    await click('Delete permanently')
    await page.getByText('The flight was deleted permanently.').waitFor()
    await page.getByText('No deleted flights.').waitFor()
    expect(errors).toEqual([])
    await close()
  })
})
