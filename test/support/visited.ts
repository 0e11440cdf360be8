import { existsSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { describe } from 'vitest'
import { freePort } from '../../src/lib/port.ts'
import { launchChromium, PROGRAM } from './chromium.ts'
import { type PaxlogOptions, sharedPaxlog } from './paxlog.ts'

/** Skips the tests if Chromium is not installed. */
export function describeInChromium(title: string, tests: () => void): void {
  if (existsSync(PROGRAM)) describe(title, tests)
  else describe.skip(`${title} (skipped: ${PROGRAM} is not installed)`, tests)
}

interface Visited {
  /** The path of the instance. */
  path?: string
  options?: (base: string) => PaxlogOptions | Promise<PaxlogOptions>
  launch?: () => Promise<Browser>
}

/** Starts an instance and a browser. */
export async function visited({ path = '', options = () => ({}), launch = launchChromium }: Visited = {}) {
  const port = await freePort('127.0.0.1')
  const base = `http://localhost:${port}${path}`
  const instance = await sharedPaxlog({ baseUrl: base, ...(await options(base)) })
  await instance.app.listen({ host: '127.0.0.1', port })
  const browser = await launch()
  const close = async () => {
    await browser.close()
    await instance.close()
  }
  return { base, instance, browser, close }
}

/** Collects violations of the Content-Security-Policy. */
export function noteRefusals(page: Page, refused: string[]): void {
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
}
