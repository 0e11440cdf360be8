import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { type Gallery, startGallery } from '../support/gallery/instances.ts'
import { tour } from '../support/gallery/tour.ts'
import { views } from '../support/gallery/views.ts'
import { smallTargets } from '../support/touch-targets.ts'
import { describeInChromium } from '../support/visited.ts'

const TIMEOUT_MS = 600_000
const phone = { width: 360, height: 740 }

describeInChromium('touch targets at phone width', () => {
  let gallery: Gallery
  let browser: Browser

  beforeAll(async () => {
    gallery = await startGallery()
    browser = await launchChromium()
  }, TIMEOUT_MS)

  afterAll(async () => {
    await browser?.close()
    await gallery?.stop()
  })

  test('are at least 44 by 44 pixels on every page, collapsed and expanded', { timeout: TIMEOUT_MS }, async () => {
    const found: Record<string, string[]> = {}
    await tour(browser, gallery, { from: '192.0.2.3', viewport: phone, hasTouch: true }, async (tab, { name }) => {
      await tab.waitForLoadState()
      const collapsed = await smallTargets(tab)
      await tab.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
      const expanded = await smallTargets(tab)
      found[name] = [...new Set([...collapsed, ...expanded])]
    })
    expect(found).toEqual(Object.fromEntries(views.map(({ name }) => [name, []])))
  })
})
