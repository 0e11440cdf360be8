import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, violations } from '../support/accessibility.ts'
import { smallTargets } from '../support/touch-targets.ts'
import { flying, places } from '../support/travel.ts'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

const SLOW = { timeout: 600_000 }
const WIDER_THAN_PAGE = `[...document.querySelectorAll('main *')]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.localName + '.' + element.getAttribute('class') + ' ' + element.textContent.slice(0, 30))`
const phone = { width: 360, height: 740 }

describeInChromium('statistics and countries', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let session: string
  const refused: string[] = []

  beforeAll(async () => {
    site = await visited()
    const { instance } = site
    const owner = instance.user({ owner: true })
    session = await instance.services.sessions.start(owner.id)
    const records = places(instance.db)
    const fly = flying(instance, records)
    const seat = (kind: string) => ({ passengers: [{ userId: owner.id, seat: kind, seatClass: 'economy' }] })
    const times = {
      departureScheduled: '2024-03-01T08:00:00Z',
      departure: '2024-03-01T08:20:00Z',
      arrivalScheduled: '2024-03-01T11:00:00Z',
      arrival: '2024-03-01T10:55:00Z',
    }
    const { a220, dc3 } = records.aircraft
    await fly(owner, 'ZRH', 'LIS', { date: '2024-03-01', ...times, ...seat('window'), aircraftId: a220 })
    await fly(owner, 'LIS', 'LHR', { date: '2024-03-01', ...seat('window'), aircraftId: a220 })
    await fly(owner, 'LHR', 'JFK', { date: '2024-03-09', ...seat('aisle'), aircraftId: dc3 })
    await fly(owner, 'JFK', 'ZRH', { date: '2023-07-01', ...seat('window') })
  }, SLOW.timeout)

  afterAll(() => site?.close())

  async function openPage(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await site.browser.newContext({ locale: 'en-GB', ...options })
    await context.addCookies([{ name: 'paxlog', value: session, url: site.base }])
    const page = await context.newPage()
    noteRefusals(page, refused)
    await page.goto(site.base + path)
    return page
  }

  const openFolds = "for (const fold of document.querySelectorAll('main details')) fold.open = true"

  test.each([true, false])('a table leads from a day to its flights (scripts: %s)', SLOW, async (javaScriptEnabled) => {
    const page = await openPage('/statistics', { javaScriptEnabled })
    expect(await violations(page, { withoutScript: !javaScriptEnabled })).toEqual([])
    const section = page.getByRole('region', { name: 'Over time' })
    await section.getByText('Show as table').click()
    const days = section.getByRole('table', { name: 'Days flown' })
    await days.getByRole('link', { name: '1 Mar 2024' }).click()
    await page.waitForURL(/dateFrom=2024-03-01&dateTo=2024-03-01/)
    const text = await page.locator('main').innerText()
    expect(text).toContain('LIS')
    expect(text).not.toContain('JFK')
    await page.context().close()
  })

  test('a chart has a name and a description for screen readers', SLOW, async () => {
    const page = await openPage('/statistics')
    for (const name of ['By year', 'Seat', 'Class', 'Departures', 'Distance of a flight'])
      expect([
        name,
        await page.getByRole('img', { name, exact: true }).or(page.getByRole('group', { name })).count(),
      ]).toEqual([name, 1])
    expect(await page.getByRole('img', { name: '2024: 2 days' }).count()).toBe(1)
    await page.context().close()
  })

  test('pages with open tables pass axe-core, and fit on a phone with large text', SLOW, async () => {
    for (const path of ['/statistics', '/countries']) {
      const page = await openPage(path, { viewport: phone, hasTouch: true })
      await page.evaluate(openFolds)
      await expectAccessible(page)
      expect([path, await smallTargets(page)]).toEqual([path, []])
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      expect([path, await page.evaluate(WIDER_THAN_PAGE)]).toEqual([path, []])
      await page.context().close()
    }
  })

  test('taken and vacant seats differ in forced colours', SLOW, async () => {
    const page = await openPage('/statistics', { forcedColors: 'active' })
    const fills = await page.evaluate(
      "['.part', '.vacant'].map((part) => getComputedStyle(document.querySelector('.cabin ' + part)).fill)",
    )
    expect(new Set(fills as string[]).size).toBe(2)
    await page.context().close()
  })

  test.each([true, false])('a country gets a status in its row (scripts: %s)', SLOW, async (javaScriptEnabled) => {
    const page = await openPage('/countries', { javaScriptEnabled })
    const row = page.locator('#country-PT')
    expect(await row.locator('summary').innerText()).toContain('Visited')
    await row.locator('summary').focus()
    await page.keyboard.press('Enter')
    await row.getByLabel('Note').fill('A year')
    const button = row.getByRole('button', { name: 'Lived' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/#country-PT$/)
    await page.getByText('The status of Portugal was saved.').waitFor()
    expect(await row.locator('summary').innerText()).toContain('Lived')
    await row.locator('summary').click()
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    expect(await row.getByLabel('Note').inputValue()).toBe('A year')
    await row.getByRole('button', { name: 'Clear status' }).click()
    await page.getByText('The status of Portugal was cleared.').waitFor()
    expect(await row.locator('summary').innerText()).toContain('Visited')
    await page.context().close()
  })

  test('nothing violates the Content-Security-Policy', () => {
    expect(refused).toEqual([])
  })
})
