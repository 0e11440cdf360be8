/**
 * Pictures of the pages with the log of `paxlog demo`: those of the README by default, or every page in light, dark and
 * phone width with `npm run screenshots -- FOLDER`, and of these only some with `npm run screenshots -- FOLDER NAME…`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../support/chromium.ts'
import { startDemo, startGallery } from '../support/gallery/instances.ts'
import { signIn, tour } from '../support/gallery/tour.ts'

interface Look {
  colorScheme: 'light' | 'dark'
  viewport: { width: number; height: number }
}

const desktop = { width: 1200, height: 900 }
const looks = {
  light: { colorScheme: 'light', viewport: desktop },
  dark: { colorScheme: 'dark', viewport: desktop },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  'phone-dark': { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
} as const satisfies Record<string, Look>

const paper = { deviceScaleFactor: 1.5, locale: 'en-GB' }

/** What the README shows, in the part of the page that says most. */
const shown: { name: string; path: string; look: keyof typeof looks }[] = [
  { name: 'home', path: '/', look: 'light' },
  { name: 'share', path: '/share/ines-everywhere', look: 'dark' },
  { name: 'new-flight', path: '/flights/new', look: 'phone' },
  { name: 'operation', path: '/docs/createFlight', look: 'light' },
]

async function take(tab: Page, path: string, fullPage: boolean): Promise<void> {
  await tab.screenshot({ path, fullPage })
  process.stdout.write(`${path}\n`)
}

async function picturesOfReadme(browser: Browser): Promise<void> {
  const { base, stop } = await startDemo()
  try {
    for (const { name, path, look } of shown) {
      const tab = await browser.newPage({ ...looks[look], ...paper })
      await signIn(tab, base, 'ines')
      await tab.goto(base + path)
      await take(tab, join(import.meta.dirname, `${name}.png`), false)
      await tab.close()
    }
  } finally {
    await stop()
  }
}

async function picturesOfAll(browser: Browser, folder: string, names: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const gallery = await startGallery()
  try {
    await tour(browser, gallery, { ...paper, from: '192.0.2.1' }, async (tab, { name }) => {
      if (names.length > 0 && !names.includes(name)) return
      for (const [look, { colorScheme, viewport }] of Object.entries(looks)) {
        await tab.emulateMedia({ colorScheme })
        await tab.setViewportSize(viewport)
        await take(tab, join(folder, `${name}-${look}.png`), true)
      }
    })
  } finally {
    await gallery.stop()
  }
}

const [folder, ...names] = process.argv.slice(2)
const browser = await launchChromium()
try {
  if (folder) await picturesOfAll(browser, folder, names)
  else await picturesOfReadme(browser)
} finally {
  await browser.close()
}
