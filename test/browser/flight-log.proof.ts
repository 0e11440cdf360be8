import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { PASSWORD } from '../support/pages.ts'
import { places } from '../support/travel.ts'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

const TIMEOUT_MS = 180_000

/** Runs in the page: the width by which it is wider than the window. */
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth'

describeInChromium('the log in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let base: string

  beforeAll(async () => {
    site = await visited()
    base = site.base
    const { instance } = site
    await instance.services.users.createOwner({ username: 'mira', displayName: 'Mira Holm', password: PASSWORD })
    const { airports, airlines } = places(instance.db)
    const owner = instance.services.users.owner()!
    const api = instance.as(instance.key(owner.id))
    const add = async (date: string, from: keyof typeof airports, to: keyof typeof airports, more: object = {}) => {
      const { status } = await api.post('/flights', { date, fromId: airports[from], toId: airports[to], ...more })
      expect(status).toBe(201)
    }
    await add('2024-03-01', 'ZRH', 'LIS', { airlineId: airlines.swiss, flightNumber: 'LX2084' })
    await add('2024-03-08', 'LIS', 'ZRH', { airlineId: airlines.swiss, flightNumber: 'LX2085' })
    await add('2025-05-01', 'ZRH', 'JFK', { airlineId: airlines.swiss, flightNumber: 'LX14', aircraftReg: 'HB-JNA' })
    await add('2025-06-01', 'CPH', 'LHR', { airlineId: airlines.sas, flightNumber: 'SK501' })
  })

  afterAll(() => site?.close())

  async function openContext(options: Parameters<Browser['newContext']>[0] = {}) {
    const { instance, browser } = site
    const context = await browser.newContext({ locale: 'en-GB', ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const errors: string[] = []
    noteRefusals(page, errors)
    page.on('pageerror', (error) => errors.push(error.message))
    const { id } = instance.services.users.owner()!
    await context.addCookies([{ name: 'paxlog', value: await instance.services.sessions.start(id), url: base }])
    return { page, errors, close: () => context.close() }
  }

  const numbers = (page: Page) =>
    page.locator('.carrier').evaluateAll((cells) => cells.map((cell) => cell.querySelector('.fact')?.textContent))
  const select = (page: Page) => page.locator('.bulk > summary')
  const status = (page: Page) => page.locator('main > [role=status], .undoable [role=status]').innerText()
  const openLog = (page: Page) => page.goto(`${base}/?text=`)

  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('changes and deletes selected flights and undoes it, %s', { timeout: TIMEOUT_MS }, async (_name, scripted) => {
    const { page, errors, close } = await openContext({ javaScriptEnabled: scripted })
    await openLog(page)
    expect(await page.locator('input[name=flight]:visible').count()).toBe(0)
    await select(page).focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('input[name=flight]:visible').count()).toBe(4)
    const selectAll = page.getByRole('button', { name: 'Select all' })
    expect(await selectAll.isVisible()).toBe(scripted)
    if (scripted) {
      await selectAll.click()
      expect(await page.locator('.bulk [role=status]').innerText()).toBe('Selected: 4')
      await page.getByRole('button', { name: 'Select none' }).click()
      await expectAccessible(page)
    }
    await page.getByLabel('Select ZRH to JFK, 1 May 2025').check()
    await page.getByLabel('Select CPH to LHR, 1 Jun 2025').check()
    await page.getByLabel('Your class').selectOption('Business')
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('2 flights changed.').waitFor()
    expect(await page.getByTitle('Class: Business').count()).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 flights changed back.').waitFor()
    expect(await status(page)).toBe('2 flights changed back.')
    expect(await page.getByTitle('Class: Business').count()).toBe(0)
    await select(page).click()
    await page.getByLabel('Select LIS to ZRH, 8 Mar 2024').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('1 flight deleted.').waitFor()
    expect(await numbers(page)).toEqual(['SK501', 'LX14', 'LX2084'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 flight restored.').waitFor()
    expect(await numbers(page)).toEqual(['SK501', 'LX14', 'LX2085', 'LX2084'])
    expect(errors).toEqual([])
    await close()
  })

  test('sorts by its columns with the keyboard, also without scripts', { timeout: TIMEOUT_MS }, async () => {
    const { page, close } = await openContext({ javaScriptEnabled: false })
    await openLog(page)
    expect(await numbers(page)).toEqual(['SK501', 'LX14', 'LX2085', 'LX2084'])
    await page.getByRole('link', { name: 'Distance' }).press('Enter')
    await page.locator('th[aria-sort=descending]', { hasText: 'Distance' }).waitFor()
    expect((await numbers(page))[0]).toBe('LX14')
    await page.getByRole('link', { name: 'Distance' }).press('Enter')
    await page.locator('th[aria-sort=ascending]', { hasText: 'Distance' }).waitFor()
    expect((await numbers(page)).at(-1)).toBe('LX14')
    await page.getByRole('link', { name: 'Airline' }).click()
    expect(await numbers(page)).toEqual(['SK501', 'LX14', 'LX2085', 'LX2084'])
    await close()
  })

  test('is a table on wide and a list of cards on narrow screens', { timeout: TIMEOUT_MS }, async () => {
    const { page, close } = await openContext()
    for (const width of [1200, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await openLog(page)
      await select(page).click()
      expect([width, await page.evaluate(OVERFLOW)]).toEqual([width, 0])
      const [first, second] = await page
        .locator('tbody tr:not(.group)')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
      expect([width, first! > 90, second! > 90]).toEqual([width, width < 1200, width < 1200])
      if (width < 1200) {
        const targets = page.locator('.picker, .flights thead a, .bulk summary, .bulk button:visible, .bulk select')
        const heights = await targets.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
        expect([width, heights.filter((height) => height < 43.9)]).toEqual([width, []])
      }
      await expectAccessible(page)
    }
    // Text of twice the size on a wide screen.
    await page.setViewportSize({ width: 1200, height: 800 })
    await openLog(page)
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(await page.evaluate(OVERFLOW)).toBe(0)
    await close()
  })

  test('filters with a panel and clears each filter with its chip', { timeout: TIMEOUT_MS }, async () => {
    const { page, errors, close } = await openContext()
    await openLog(page)
    await page.getByText('More filters').click()
    await page.getByText('Fewer filters').waitFor()
    await page.getByLabel('From', { exact: true }).selectOption({ label: 'ZRH Zurich' })
    await page.getByLabel('Airport, airline, number or note').fill('lx')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('link', { name: 'Remove filter: From ZRH Zurich' }).waitFor()
    expect(await numbers(page)).toEqual(['LX14', 'LX2084'])
    await page.getByRole('link', { name: 'Remove filter: “lx”' }).click()
    await page.getByLabel('Airport, airline, number or note').fill('nowhere')
    await page.keyboard.press('Enter')
    await page.getByText('No flights match.').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Clear “nowhere”' }).click()
    expect(await numbers(page)).toEqual(['LX14', 'LX2084'])
    expect(errors).toEqual([])
    await close()
  })
})
