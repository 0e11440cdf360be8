import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { PASSWORD } from '../support/pages.ts'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

const TIMEOUT_MS = 180_000
const PHONE = { width: 360, height: 780 }

const csvFile = (...lines: string[]) => ({
  name: 'flights.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
})

describeInChromium('the import of any CSV file in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let browser: Browser
  let base: string

  beforeAll(async () => {
    site = await visited()
    ;({ browser, base } = site)
    await site.instance.services.reference.loadShipped()
    await site.instance.services.users.createOwner({ username: 'mira', displayName: 'Mira', password: PASSWORD })
  })

  afterAll(() => site?.close())

  async function openContext(options: Parameters<Browser['newContext']>[0] = {}) {
    const context: BrowserContext = await browser.newContext(options)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    noteRefusals(page, errors)
    await page.goto(`${base}/login`)
    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/')
    return { page, errors, close: () => context.close() }
  }

  const fits = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')

  async function chooseFile(page: Page, file: ReturnType<typeof csvFile>): Promise<void> {
    await page.goto(`${base}/import`)
    await page.getByLabel('File', { exact: true }).setInputFiles(file)
    await page.getByRole('button', { name: 'Preview import' }).press('Enter')
  }

  test.each([true, false])(
    'columns are chosen, a row is corrected and the file imported (scripts: %s)',
    async (javaScriptEnabled) => {
      const { page, errors, close } = await openContext({ javaScriptEnabled, viewport: PHONE })
      // Another year, so that the flights of the first run are no duplicates.
      const year = javaScriptEnabled ? 2021 : 2022
      await chooseFile(
        page,
        csvFile('Tag;Start;Ende;Um', `03.05.${year};Zürich;LIS;8:05`, `04.05.${year};LIS;Nirgendwo;late`),
      )
      await page.getByRole('heading', { name: 'Choose columns' }).waitFor()
      if (javaScriptEnabled) await expectAccessible(page)
      expect(await fits(page)).toBe(true)
      await page.getByLabel('From (required)').selectOption({ label: 'Start (Zürich)' })
      await page.getByLabel('To (required)').selectOption({ label: 'Ende (LIS)' })
      await page.getByLabel('Departure time').selectOption({ label: 'Um (8:05)' })
      await page.getByRole('button', { name: 'Preview import' }).press('Enter')
      await page.getByRole('alert').waitFor()
      // The error leads to its field.
      await page.getByRole('link', { name: /^Date: Choose a column/ }).press('Enter')
      expect(await page.evaluate('location.hash')).toBe('#column-date')
      await page.getByLabel('Date (required)').selectOption({ label: `Tag (03.05.${year})` })
      await page.getByRole('button', { name: 'Preview import' }).press('Enter')
      await page.getByRole('link', { name: /^Date format: Choose a format/ }).waitFor()
      await page.getByLabel('Date format').selectOption('dmy')
      await page.getByRole('button', { name: 'Preview import' }).press('Enter')
      await page.getByRole('heading', { name: 'Import preview' }).waitFor()
      const line = page.getByRole('group', { name: 'Line 3' })
      expect(await line.getByRole('listitem').allTextContents()).toEqual([
        'The time late is not of the form HH:MM.',
        'Airport Nirgendwo is not known. Use an IATA or ICAO code.',
      ])
      if (javaScriptEnabled) await expectAccessible(page)
      expect(await fits(page)).toBe(true)
      await line.getByLabel('Ende').fill('ZRH')
      await line.getByLabel('Um').fill('21:30')
      await line.getByLabel('Um').press('Enter')
      await page.getByText('Corrected 1 row.').waitFor()
      expect(await page.getByRole('heading', { name: 'Rejected rows' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Import 2 flights' }).press('Enter')
      await page.getByRole('heading', { name: '2 flights imported' }).waitFor()
      expect(errors).toEqual([])
      await close()
    },
    TIMEOUT_MS,
  )

  test(
    'the progress of a long file is shown while the browser waits',
    async () => {
      const { page, errors, close } = await openContext()
      const rows = Array.from({ length: 40_000 }, (_, row) => `2019-05-03,ZRH,LIS,LX${row}`)
      await page.goto(`${base}/import`)
      await page.getByLabel('File', { exact: true }).setInputFiles(csvFile('date,from,to,flight no', ...rows))
      expect(await page.getByRole('progressbar').count()).toBe(0)
      const shown: { label: string; value: number; max: number; isShown: boolean }[] = []
      await page.exposeFunction('recordProgress', (step: (typeof shown)[number]) => shown.push(step))
      await page.evaluate(`
        const bar = document.querySelector('.progress progress')
        const label = document.querySelector('.progress [role=status]')
        const record = () => recordProgress({ label: label.textContent, value: bar.value, max: bar.max, isShown: bar.checkVisibility() })
        new MutationObserver(record).observe(bar.parentElement, { subtree: true, childList: true, attributes: true })
      `)
      await page.getByRole('button', { name: 'Preview import' }).click()
      await page.getByRole('heading', { name: 'Import preview' }).waitFor()
      expect(shown[0]?.label).toBe('Reading the file.')
      const steps = shown.filter(({ max }) => max === 40_000)
      expect(steps.length).toBeGreaterThan(0)
      expect(steps.every(({ isShown }) => isShown)).toBe(true)
      expect(steps.some(({ value }) => value > 0 && value < 40_000)).toBe(true)
      expect(
        steps.every(
          ({ label }) => label === 'Checking the rows.' || label === 'Finishing.' || label === 'Reading the file.',
        ),
      ).toBe(true)
      expect(errors).toEqual([])
      await close()
    },
    TIMEOUT_MS,
  )
})
