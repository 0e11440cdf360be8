/**
 * Takes screenshots of the pages with the data of `paxlog demo`.
 *
 * - `npm run screenshots`: the screenshots of the README and of docs
 * - `npm run screenshots -- FOLDER`: every page, in light and dark themes and at phone width
 * - `npm run screenshots -- FOLDER NAME…`: only the named pages
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, launchWithWebGl } from '../support/chromium.ts'
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

/** Chromium draws the globe in software. */
const [TIMEOUT_MS, SETTLE_MS] = [300_000, 20_000]

const pageOptions = { deviceScaleFactor: 1.5, locale: 'en-GB' }

interface DocumentScreenshot {
  name: string
  path: string
  look: keyof typeof appearances
  /** Waits for the interactive globe. */
  hasGlobe?: true
}

/** Screenshots of the README and of docs/using-the-api.md. */
const documentScreenshots: DocumentScreenshot[] = [
  { name: 'home', path: '/', look: 'dark', hasGlobe: true },
  { name: 'operation', path: '/docs/createFlight', look: 'light' },
]

async function takeScreenshot(tab: Page, path: string, fullPage: boolean): Promise<void> {
  await tab.screenshot({ path, fullPage })
  process.stdout.write(`${path}\n`)
}

async function takeDocumentScreenshots(browser: Browser): Promise<void> {
  const { base, stop } = await startDemo()
  try {
    for (const { name, path, look, hasGlobe } of documentScreenshots) {
      const tab = await browser.newPage({ ...appearances[look], ...pageOptions })
      tab.setDefaultTimeout(TIMEOUT_MS)
      await signIn(tab, base, 'ines')
      if (hasGlobe) await tab.context().addCookies([{ name: 'paxlog-map', value: 'globe', url: base }])
      await tab.goto(base + path)
      if (hasGlobe) {
        await tab.locator('.atlas.live').waitFor()
        await tab.waitForTimeout(SETTLE_MS)
      }
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
const browser = folder ? await launchChromium() : await launchWithWebGl()
try {
  if (folder) await takeAllScreenshots(browser, folder, names)
  else await takeDocumentScreenshots(browser)
} finally {
  await browser.close()
}
