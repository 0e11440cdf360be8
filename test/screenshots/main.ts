/**
 * Takes screenshots of the pages with the data of `paxlog demo`.
 *
 * - `npm run screenshots`: the screenshots of the README
 * - `npm run screenshots -- FOLDER`: every page, in light and dark themes and at phone width
 * - `npm run screenshots -- FOLDER NAME…`: only the named pages
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../support/chromium.ts'
import { startDemo, startGallery } from '../support/gallery/instances.ts'
import { signIn, tour } from '../support/gallery/tour.ts'

interface Appearance {
  colorScheme: 'light' | 'dark'
  viewport: { width: number; height: number }
}

const desktop = { width: 1200, height: 900 }
const appearances = {
  light: { colorScheme: 'light', viewport: desktop },
  dark: { colorScheme: 'dark', viewport: desktop },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  'phone-dark': { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
} as const satisfies Record<string, Appearance>

const pageOptions = { deviceScaleFactor: 1.5, locale: 'en-GB' }

/** Screenshots of the README. */
const readmeScreenshots: { name: string; path: string; look: keyof typeof appearances }[] = [
  { name: 'home', path: '/', look: 'light' },
  { name: 'share', path: '/share/ines-everywhere', look: 'dark' },
  { name: 'new-flight', path: '/flights/new', look: 'phone' },
  { name: 'operation', path: '/docs/createFlight', look: 'light' },
]

async function takeScreenshot(tab: Page, path: string, fullPage: boolean): Promise<void> {
  await tab.screenshot({ path, fullPage })
  process.stdout.write(`${path}\n`)
}

async function takeReadmeScreenshots(browser: Browser): Promise<void> {
  const { base, stop } = await startDemo()
  try {
    for (const { name, path, look } of readmeScreenshots) {
      const tab = await browser.newPage({ ...appearances[look], ...pageOptions })
      await signIn(tab, base, 'ines')
      await tab.goto(base + path)
      await takeScreenshot(tab, join(import.meta.dirname, `${name}.png`), false)
      await tab.close()
    }
  } finally {
    await stop()
  }
}

async function takeAllScreenshots(browser: Browser, folder: string, names: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const gallery = await startGallery()
  try {
    await tour(browser, gallery, { ...pageOptions, from: '192.0.2.1' }, async (tab, { name }) => {
      if (names.length > 0 && !names.includes(name)) return
      for (const [look, { colorScheme, viewport }] of Object.entries(appearances)) {
        await tab.emulateMedia({ colorScheme })
        await tab.setViewportSize(viewport)
        await takeScreenshot(tab, join(folder, `${name}-${look}.png`), true)
      }
    })
  } finally {
    await gallery.stop()
  }
}

const [folder, ...names] = process.argv.slice(2)
const browser = await launchChromium()
try {
  if (folder) await takeAllScreenshots(browser, folder, names)
  else await takeReadmeScreenshots(browser)
} finally {
  await browser.close()
}
