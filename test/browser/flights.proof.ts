import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { PASSWORD } from '../support/pages.ts'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

/** Accessibility checks run in two themes. */
const TIMEOUT_MS = 180_000

/**
 * Runs in the page and returns the time and date inputs that are too narrow. The browser does not report clipping, so the
 * needed width is estimated: 140 pixels for a date, and for a time its text, padding and icon.
 */
const CLIPPED_INPUTS = `(() => {
  const canvas = document.createElement('canvas').getContext('2d')
  const neededWidth = (input) => {
    if (input.type === 'date') return 140
    const { font, paddingLeft, paddingRight } = getComputedStyle(input)
    const icon = getComputedStyle(input, '::-webkit-calendar-picker-indicator').display === 'none' ? 0 : 24
    canvas.font = font
    return canvas.measureText('07:35 PM').width + 6 + parseFloat(paddingLeft) + parseFloat(paddingRight) + icon
  }
  return [...document.querySelectorAll('input[type=time], input[type=date]')]
    .filter((input) => input.scrollWidth > input.clientWidth || input.offsetWidth < neededWidth(input))
    .map(({ id }) => id)
})()`

/** Runs in the page and checks that all labels of the navigation bar have the same height, so none wraps. */
const IS_BAR_ON_ONE_LINE = `new Set([...document.querySelectorAll('.bar li:not(.add) a')].map(({ offsetHeight }) => offsetHeight).filter(Boolean)).size === 1`

/** Returns an OpenFlights file with one flight per day and one invalid row. */
const logFile = (count: number) => {
  const rows = Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10)
    return `${day},ZRH,LIS,LX${index + 1},,1`
  })
  const text = ['date,from,to,flight_number,plane,from_oid', ...rows, '2020-01-01,QQQ,LIS,LX0,,1'].join('\n')
  return { name: 'openflights.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
}

describeInChromium('flights in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let instance: typeof site.instance
  let browser: Browser
  let base: string

  beforeAll(async () => {
    site = await visited()
    ;({ instance, browser, base } = site)
    await instance.services.reference.loadShipped()
    await instance.services.users.createOwner({ username: 'mira', displayName: 'Mira Holm', password: PASSWORD })
  })

  afterAll(() => site?.close())

  /** Opens a signed-in browser context and collects the errors of its console. */
  async function openContext(options: Parameters<Browser['newContext']>[0] = {}) {
    const context: BrowserContext = await browser.newContext(options)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const errors: string[] = []
    noteRefusals(page, errors)
    page.on('pageerror', (error) => errors.push(error.message))
    const { id } = instance.services.users.owner()!
    await context.addCookies([{ name: 'paxlog', value: await instance.services.sessions.start(id), url: base }])
    return { page, errors, close: () => context.close() }
  }

  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
  const notice = (page: Page) => page.locator('p.notice:not(.offline)').innerText()
  /** Opens the edit form from the list. */
  async function openToEdit(page: Page): Promise<void> {
    await page.getByRole('link', { name: /^ZRH .* to LIS .*2025/ }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
  }

  test('adds a flight with suggestions to an empty log, confirms a name, changes and deletes the flight', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { page, errors, close } = await openContext()
    await page.goto(base)
    await page.getByText('No flights yet.').waitFor()
    await page.getByRole('link', { name: 'Add your first flight' }).click()
    await heading(page, 'Add a flight')

    await page.getByLabel('From', { exact: true }).fill('zurich')
    await page.getByRole('option', { name: /^ZRH – Zürich Airport/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await page.getByLabel('From', { exact: true }).getAttribute('aria-activedescendant')).toBe(
      'from-suggestions-0',
    )
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    expect(await page.locator('#from-suggestions > li').count()).toBe(0)
    await page.keyboard.type(' ')
    await page.getByRole('option', { name: /^ZRH/ }).click()
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('ZRH – Zürich Airport')
    await page.getByLabel('To', { exact: true }).fill('lisbon')
    await page.getByLabel('Date', { exact: true }).fill('2025-05-03')
    await page.getByLabel('Departure', { exact: true }).fill('12:20')
    await page.locator('summary', { hasText: 'More about the flight' }).click()
    await page.getByLabel('Airline', { exact: true }).fill('swiss int')
    await page
      .getByRole('option', { name: /^Swiss International/ })
      .first()
      .click()
    await page.locator('summary', { hasText: 'Passengers and notes' }).click()
    await page.getByRole('button', { name: 'Add passenger' }).click()
    await page.getByLabel('Guest name').last().fill('Noor')
    expect(await page.getByLabel('Guest name').first().isVisible()).toBe(false)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    // A text that was typed but not chosen must be confirmed.
    const alert = page.getByRole('alert')
    expect(await alert.innerText()).toContain('To: Which one do you mean?')
    await alert.getByRole('link', { name: /^To/ }).click()
    expect(await page.evaluate('document.activeElement.id')).toBe('to')
    await page.getByLabel(/^LIS – /).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await notice(page)).toBe('The flight from ZRH to LIS was added.')

    await openToEdit(page)
    await heading(page, 'ZRH to LIS')
    await page.getByRole('group', { name: 'Actual landing' }).getByLabel('Time').fill('14:05')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await notice(page)).toBe('The flight from ZRH to LIS was saved.')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    expect(await page.getByRole('group', { name: 'Actual landing' }).getByLabel('Time').inputValue()).toBe('14:05')
    await page.locator('summary', { hasText: 'Delete this flight' }).click()
    await page.getByRole('button', { name: 'Delete flight' }).click()
    expect(await notice(page)).toBe('The flight was deleted.')
    expect(errors).toEqual([])
    await close()
  })

  test('previews and imports a file, and pages through the flights', { timeout: TIMEOUT_MS }, async () => {
    const { page, errors, close } = await openContext()
    await page.goto(base)
    await page.getByRole('link', { name: 'Import a file' }).click()
    await heading(page, 'Import flights')
    await page.getByRole('button', { name: 'Preview import' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('Choose a file that is not empty.')
    await page.getByLabel('File', { exact: true }).setInputFiles(logFile(105))
    await page.getByRole('button', { name: 'Preview import' }).click()
    await heading(page, 'Import preview')
    expect(await page.getByRole('main').innerText()).toContain('Recognised: OpenFlights')
    await page.getByRole('button', { name: 'Import 105 flights' }).click()
    await heading(page, '105 flights imported')
    expect(await page.getByRole('table').innerText()).toContain('QQQ')

    await page.getByRole('link', { name: 'View your flights' }).click()
    await page.getByRole('heading', { level: 2, name: '105 flights' }).waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('heading', { level: 2, name: '105 flights, page 2' }).waitFor()
    await page.getByRole('link', { name: 'Page 3', exact: true }).click()
    await page.getByText(/^LX1\b/).waitFor()
    expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Previous' }).click()
    await page.getByText(/^LX55\b/).waitFor()
    await page.getByRole('link', { name: 'Previous' }).click()
    await page.getByRole('heading', { level: 2, name: '105 flights' }).waitFor()
    expect(page.url()).toBe(`${base}/#flights`)
    expect(errors).toEqual([])
    await close()
  })

  test('adds and edits a flight and previews an import without scripts', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { page, close } = await openContext({ javaScriptEnabled: false })
    await page.goto(`${base}/flights/new`)
    await page.getByLabel('From', { exact: true }).fill('zurich')
    await page.getByLabel('To', { exact: true }).fill('lisbon')
    await page.getByLabel('Date', { exact: true }).fill('2025-06-01')
    await page.locator('summary', { hasText: 'Passengers and notes' }).click()
    await page.getByRole('button', { name: 'Add passenger' }).click()
    await page.getByLabel('Guest name').last().fill('Noor')
    // Enter saves, although another button comes first.
    await page.getByLabel('Flight number').press('Enter')
    expect(await page.getByRole('alert').innerText()).toContain('From: Which one do you mean?')
    expect(await page.getByLabel(/^ZRH – /).isChecked()).toBe(true)
    expect(await page.getByLabel('Guest name').last().inputValue()).toBe('Noor')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await notice(page)).toBe('The flight from ZRH to LIS was added.')
    await openToEdit(page)
    await page.getByLabel('Note').fill('Without script')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await notice(page)).toBe('The flight from ZRH to LIS was saved.')
    await page.goto(`${base}/import`)
    await page.getByLabel('File', { exact: true }).setInputFiles(logFile(3))
    await page.getByRole('button', { name: 'Preview import' }).click()
    expect(await page.getByRole('main').innerText()).toContain('Duplicates\n3')
    await close()
  })

  test('adds a flight with suggestions using only the keyboard', { timeout: TIMEOUT_MS }, async () => {
    const { page, close } = await openContext({ locale: 'en-US' })
    await page.goto(`${base}/flights/new`)
    const focused = () => page.evaluate<string>('document.activeElement.id')
    const tabTo = async (id: string) => {
      for (let step = 0; step < 60; step++) {
        if ((await focused()) === id) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`The field ${id} cannot be reached by Tab.`)
    }
    /** Closes the suggestions with Escape and opens them with the arrow key. */
    const reopenSuggestions = async () => {
      await page.keyboard.press('Escape')
      await page.locator('.suggestions li').first().waitFor({ state: 'detached' })
      await page.keyboard.press('ArrowDown')
      await page.locator('.suggestions li').first().waitFor()
    }
    const choose = async (text: string, label: RegExp) => {
      // Inserted at once, so that no results for a part of the text arrive.
      await page.keyboard.insertText(text)
      await page.getByRole('option', { name: label }).waitFor()
      await reopenSuggestions()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    await tabTo('flightNumber')
    await page.keyboard.type('QQ117')
    await tabTo('date')
    await page.keyboard.type('07042025')
    await tabTo('from')
    await choose('lhr', /^LHR – /)
    await tabTo('to')
    // In a scrollable list, Tab selects the active option and moves to the next field.
    await page.keyboard.insertText('new york')
    await page.getByRole('option', { name: /^JFK – / }).waitFor()
    const isScrollable =
      "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.getElementById('to-suggestions'))"
    expect(await page.evaluate<boolean>(isScrollable)).toBe(true)
    for (let step = 0; step < 10 && !(await activeOption()).startsWith('JFK'); step++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    expect([await focused(), await page.getByLabel('To', { exact: true }).inputValue()]).toEqual([
      'departure.clock',
      expect.stringMatching(/^JFK – /),
    ])
    await page.keyboard.type('0935PM')
    await page.keyboard.press('Tab')
    await tabTo('arrival.clock')
    await page.keyboard.type('0045AM')
    await page.keyboard.press('Tab')
    await page.locator('#nights', { hasText: '+1' }).waitFor()
    await tabTo('arrival.day')
    await page.keyboard.press('Enter')
    await page.getByText('The flight from LHR to JFK was added.').waitFor()
    await close()

    async function activeOption(): Promise<string> {
      return page.evaluate<string>(
        `document.querySelector('#to-suggestions [aria-selected="true"]')?.textContent ?? ''`,
      )
    }
  })

  test('accepts typed codes on Tab before the suggestions arrive, and shows a running search', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { page, errors, close } = await openContext({ locale: 'en-US' })
    await page.goto(`${base}/flights/new`)
    await page.getByLabel('From', { exact: true }).focus()
    for (const text of ['LIS', 'ZRH']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    expect(await page.evaluate('document.activeElement.id')).toBe('departure.clock')
    for (const [label, code] of [
      ['From', 'LIS'],
      ['To', 'ZRH'],
    ] as const) {
      await page.waitForFunction(
        `[...document.querySelectorAll('label')].find((each) => each.textContent === '${label}').control.value.startsWith('${code} – ')`,
      )
    }
    // A running search is visible and announced to screen readers.
    await page.route('**/search/airports**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await route.continue()
    })
    await page.getByLabel('To', { exact: true }).fill('madrid')
    await page.locator('.lookup.busy #to[aria-busy="true"]').waitFor()
    await page.getByRole('option').first().waitFor()
    expect(await page.locator('.lookup.busy').count()).toBe(0)
    expect(errors).toEqual([])
    await close()
  })

  test('offers the flight of a number, which can be selected with the keyboard', { timeout: TIMEOUT_MS }, async () => {
    const { page, errors, close } = await openContext({ locale: 'en-US' })
    await page.goto(`${base}/flights/new`)
    await page.getByLabel('Date', { exact: true }).fill('2025-05-03')
    await page.getByLabel('Flight number').focus()
    await page.keyboard.type('LX2084')
    const offer = page.getByRole('button', { name: /^ZRH → LIS, Swiss/ })
    await offer.waitFor()
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('')
    await expectAccessible(page)
    await offer.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('departure.clock')
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toMatch(/^LIS – /)
    expect(await page.getByLabel('Airline', { exact: true }).inputValue()).toMatch(/\(LX\)$/)
    await page.getByRole('button', { name: 'Save and add another' }).click()
    await page.getByText('The flight from ZRH to LIS was added.').waitFor()
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toMatch(/^LIS – /)
    expect(await page.getByLabel('Date', { exact: true }).inputValue()).toBe('2025-05-04')
    await page.getByLabel('Flight number').fill('FR1005')
    await page.getByRole('button', { name: /Uncertain/ }).waitFor()
    expect(errors).toEqual([])
    await close()
  })

  test('saves a flight from its number, its date and Enter twice', { timeout: TIMEOUT_MS }, async () => {
    const { page, errors, close } = await openContext({ locale: 'en-US' })
    await page.goto(`${base}/flights/new?date=2025-05-03`)
    expect(await page.evaluate('document.activeElement.id')).toBe('flightNumber')
    await page.keyboard.type('LX2084')
    await page.getByRole('button', { name: /^ZRH → LIS, Swiss/ }).waitFor()
    // The seat and the class are visible without opening a section.
    await page.getByLabel('Class', { exact: true }).selectOption('Business')
    await page.getByLabel('Flight number').press('Enter')
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toMatch(/^ZRH – /)
    expect(await page.evaluate('document.activeElement.id')).toBe('departure.clock')
    await page.keyboard.press('Enter')
    expect(await notice(page)).toBe('The flight from ZRH to LIS was added.')
    // Enter does not replace a route that was typed.
    await page.goto(`${base}/flights/new?date=2025-05-03`)
    await page.getByLabel('From', { exact: true }).fill('LHR')
    await page.getByLabel('To', { exact: true }).fill('JFK')
    await page.getByLabel('Flight number').fill('LX2084')
    await page.getByRole('button', { name: /^ZRH → LIS, Swiss/ }).waitFor()
    await page.getByLabel('Flight number').press('Enter')
    expect(await notice(page)).toBe('The flight from LHR to JFK was added.')
    expect(errors).toEqual([])
    await close()
  })

  test('finds a flight by its number without scripts', { timeout: TIMEOUT_MS }, async () => {
    const { page, close } = await openContext({ javaScriptEnabled: false })
    await page.goto(`${base}/flights/new`)
    await page.getByLabel('Flight number').fill('LX2084')
    await page.getByLabel('Date', { exact: true }).fill('2025-05-03')
    await page.getByRole('button', { name: 'Look up the number' }).click()
    await page.getByRole('button', { name: /^ZRH → LIS, Swiss/ }).click()
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toMatch(/^LIS – /)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await notice(page)).toBe('The flight from ZRH to LIS was added.')
    await close()
  })

  test('restores a form after the session ended, also without scripts', { timeout: TIMEOUT_MS }, async () => {
    const { page, close } = await openContext({ javaScriptEnabled: false })
    await page.goto(`${base}/flights/new`)
    await page.getByLabel('Flight number').fill('QQ9')
    await page.getByLabel('From', { exact: true }).fill('ZRH')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Sign in to continue with your form').waitFor()
    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await heading(page, 'Add a flight')
    expect(await page.getByLabel('Flight number').inputValue()).toBe('QQ9')
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('ZRH')
    await close()
  })

  test('fits on a phone, also with custom fields of every type', { timeout: TIMEOUT_MS }, async () => {
    const api = instance.as(instance.key(instance.services.users.owner()!.id))
    const options = ['A rather long option of a field', 'Another']
    const existing: { entityType: string; key: string }[] = (await api.get('/custom-fields')).body.data
    for (const entityType of ['flight', 'flight_passenger']) {
      for (const fieldType of ['text', 'textarea', 'number', 'boolean', 'date', 'select', 'multi-select', 'airline']) {
        const key = fieldType.replace('-', '_')
        // The field exists if the test is retried.
        if (existing.some((field) => field.entityType === entityType && field.key === key)) continue
        const field = { entityType, key, label: `The ${fieldType}`, description: 'What it is for.', fieldType }
        const { status } = await api.post('/custom-fields', {
          ...field,
          ...(fieldType.endsWith('select') && { options }),
        })
        expect(status).toBe(201)
      }
    }
    const { page, close } = await openContext({ locale: 'en-US' })
    const id = await anyFlightId()
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    for (const path of ['/', `/flights/${id}`, '/flights/new', '/import', `/flights/${id}/edit`]) {
      const viewportWidth = /new|edit/.test(path) ? 320 : 390
      await page.setViewportSize({ width: viewportWidth, height: 640 })
      await page.goto(base + path)
      await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
      expect([path, await width()]).toEqual([path, viewportWidth])
      await page.evaluate("for (const input of document.querySelectorAll('input[type=time]')) input.value = '19:35'")
      expect([path, await page.evaluate(CLIPPED_INPUTS)]).toEqual([path, []])
      // The Save button is visible without scrolling.
      const end = "document.querySelector('.flight > .actions')?.getBoundingClientRect().bottom ?? 0"
      expect(await page.evaluate<number>(end)).toBeLessThanOrEqual(640)
      await expectAccessible(page)
    }
    await page.setViewportSize({ width: 360, height: 700 })
    await page.goto(`${base}/flights/${id}/edit`)
    // Sections with values are collapsed and show a summary.
    expect(await page.locator('details.unfolding[open]').count()).toBe(0)
    expect(await page.locator('.unfolding .holds').first().isVisible()).toBe(true)
    await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    expect(await page.evaluate(CLIPPED_INPUTS)).toEqual([])
    // The narrowest supported width, with very long names.
    const place = { continent: 'EU', country: 'CH', latitude: 47, longitude: 8, timezone: 'Europe/Zurich' }
    const airport = {
      ...place,
      name: 'W'.repeat(90),
      municipality: 'm'.repeat(90),
      icao: 'ZZ99',
      type: 'small_airport',
    }
    const fromId = (await api.post('/airports', airport)).body.data.id
    const toId = (await api.get(`/flights/${id}`)).body.data.to.id
    const texts = { flightNumber: 'LONG'.repeat(50), aircraftReg: 'R'.repeat(200) }
    const long = (await api.post('/flights', { date: '2020-05-05', fromId, toId, ...texts })).body.data.id
    await page.setViewportSize({ width: 320, height: 700 })
    const paths = ['/', `/flights/${id}`, '/?year=2020&text=zurich', `/flights/${long}`, `/airports/${fromId}`]
    for (const path of [...paths, '/statistics', '/statistics/2020', '/countries']) {
      await page.goto(base + path)
      expect([path, await width()]).toEqual([path, 320])
      // The labels of the bar do not wrap, not even the current one, which is bold.
      expect([path, await page.evaluate<boolean>(IS_BAR_ON_ONE_LINE)]).toEqual([path, true])
    }
    await page.setViewportSize({ width: 1200, height: 700 })
    for (const path of ['/?year=2020&text=zurich', `/flights/${long}`]) {
      await page.goto(base + path)
      expect([path, await width()]).toEqual([path, 1200])
    }
    await close()
  })

  test('uses the font size of the browser', { timeout: TIMEOUT_MS }, async () => {
    const { page, close } = await openContext()
    await page.goto(`${base}/flights/new`)
    await page.evaluate("document.documentElement.style.fontSize = '32px'")
    const sizes =
      "['body', 'label', 'input#from', 'button.primary'].map((at) => getComputedStyle(document.querySelector(at)).fontSize)"
    expect(await page.evaluate(sizes)).toEqual(['32px', '32px', '32px', '32px'])
    await close()
  })

  async function anyFlightId(): Promise<number> {
    const { id } = instance.services.users.owner()!
    const { body } = await instance.as(instance.key(id)).get('/flights?limit=1')
    return body.data[0].id
  }
})
