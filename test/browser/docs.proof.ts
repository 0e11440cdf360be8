import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { expectAccessible } from '../support/accessibility.ts'
import type { TestUser } from '../support/paxlog.ts'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

describeInChromium('API reference in a browser', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let instance: typeof site.instance
  let browser: Browser
  let page: Page
  let user: TestUser
  let base: string
  const violations: string[] = []
  const requestedUrls: string[] = []

  beforeAll(async () => {
    site = await visited({ path: '/flights' })
    ;({ instance, browser, base } = site)
    user = instance.user({ username: 'mira', owner: true })
    page = await (await browser.newContext()).newPage()
    noteRefusals(page, violations)
    page.on('request', (request) => requestedUrls.push(request.url()))
  })

  afterAll(() => site?.close())

  const response = () => page.locator('#try-answer')

  async function send(): Promise<string> {
    await page.getByRole('button', { name: 'Send' }).click()
    await response().locator('h3').waitFor()
    return response().innerText()
  }

  test('links to each operation, and fits on a phone', async () => {
    await page.goto(`${base}/docs`)
    await page.getByRole('link', { name: 'Log a flight' }).click()
    expect(page.url()).toBe(`${base}/docs/createFlight`)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['/docs', '/docs/createFlight', '/docs/importFlights', '/docs/getStats']) {
      await page.goto(base + path)
      expect([path, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([path, 390])
    }
    await page.setViewportSize({ width: 1100, height: 800 })
  })

  test('shows the error for a wrong key', async () => {
    await page.goto(`${base}/docs/getMe`)
    await page.getByLabel('Your API key').fill('pxl_wrong')
    const text = await send()
    expect(text).toContain('401')
    expect(text).toContain('The credential is unknown, expired or revoked.')
    expect(text).toContain('"code": "unauthorized"')
    expect(text).toContain('www-authenticate')
    await expectAccessible(page)
  })

  test('sends requests with a key, parameters and a body, and does not store the key', async () => {
    await page.goto(`${base}/docs/createRole`)
    await page.getByLabel('Your API key').fill(user.key)
    await page.getByRole('textbox', { name: 'Body' }).fill('{"name": "Viewer", "permissions": ["flight.read.own"]}')
    expect(await send()).toContain('201')
    expect(await response().innerText()).toContain('/flights/api/v1/roles/')
    await expectAccessible(page)
    const [role] = instance.services.roles.list(operator).filter(({ name }) => name === 'Viewer')

    await page.goto(`${base}/docs/getRole`)
    expect(await page.getByLabel('Your API key').inputValue()).toBe('')
    await page.getByLabel('Your API key').fill(user.key)
    await page.getByRole('textbox', { name: 'id text' }).fill(role!.id)
    expect(await send()).toContain('"name": "Viewer"')

    await page.goto(`${base}/docs/listFlights`)
    await page.getByLabel('Your API key').fill(user.key)
    await page.getByRole('textbox', { name: 'limit' }).fill('1000')
    const text = await send()
    expect(text).toContain('400')
    expect(text).toContain('Must be a whole number from 1 to 100.')

    const stored = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie])')
    expect(stored).not.toContain(user.key)
    expect(requestedUrls.filter((url) => url.includes(user.key))).toEqual([])
    expect(requestedUrls.filter((url) => !url.startsWith(base))).toEqual([])
  })

  test('requires all parameters, and reports a request that cannot be sent', async () => {
    await page.goto(`${base}/docs/searchAirports`)
    await page.getByLabel('Your API key').fill('ключ')
    await page.getByRole('textbox', { name: 'query' }).fill('zurich')
    await page.getByRole('button', { name: 'Send' }).click()
    await response().getByText('The request failed.').waitFor()
    await page.getByRole('textbox', { name: 'query' }).fill('')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.evaluate<boolean>("document.querySelector('#try-query').matches(':invalid:focus')")).toBe(true)
  })

  test('filters the operations while typing', async () => {
    await page.goto(`${base}/docs`)
    const search = page.getByLabel('Search operations')
    await search.fill('delete role')
    expect(await page.locator('.operations li:visible').evaluateAll((lines) => lines.map(({ id }) => id))).toEqual([
      'deleteRole',
    ])
    expect(await page.locator('.operations:visible').count()).toBe(1)
    await expectAccessible(page)
    await search.fill('teleport')
    await page.getByText('No operations match.').waitFor()
    await search.fill('')
    expect(await page.locator('.operations:visible').count()).toBeGreaterThan(3)
  })

  test('has requests that run as they are', async () => {
    const runners: Record<string, [string, ...string[]]> = {
      javascript: [process.execPath, '--input-type=module', '-e'],
      python: ['python3', '-c'],
    }
    const env = { PATH: process.env.PATH, KEY: user.key }
    for (const [operation, status] of [
      ['getMe', '200'],
      ['getOpenApi', '200'],
      ['createRole', '201'],
    ]) {
      await page.goto(`${base}/docs/${operation}`)
      for (const [language, [program, ...options]] of Object.entries(runners)) {
        if (spawnSync(program, ['--version']).error) continue
        const text = (await page.locator(`#${language}`).textContent())!
        // A role of this name exists after the first language.
        const { stdout, stderr } = await promisify(execFile)(
          program,
          [...options, text.replace('"name": "', `$&${language} `)],
          { env },
        )
        expect([operation, language, stdout.slice(0, 3), stderr]).toEqual([operation, language, status, ''])
      }
    }
  })

  test('is readable without scripts, and hides the form then', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const tab = await context.newPage()
    await tab.goto(`${base}/docs/getMe`)
    expect(await tab.getByRole('heading', { name: 'Example request' }).isVisible()).toBe(true)
    await tab.getByText('Python', { exact: true }).click()
    expect(await tab.getByText('from urllib.request import').isVisible()).toBe(true)
    expect(await tab.getByRole('button', { name: 'Send' }).isVisible()).toBe(false)
    await context.close()
  })

  test('causes no CSP violations', () => {
    expect(violations).toEqual([])
  })
})
