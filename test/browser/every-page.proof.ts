import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/accessibility.ts'
import { launchChromium } from '../support/chromium.ts'
import { type Gallery, startGallery } from '../support/gallery/instances.ts'
import { tour } from '../support/gallery/tour.ts'
import { routesWithoutPage, views } from '../support/gallery/views.ts'
import { faultsOfWalk, looseFaults } from '../support/keyboard.ts'
import { measured } from '../support/measured.ts'
import { pageRoutes } from '../support/page-routes.ts'
import { describeInChromium } from '../support/visited.ts'

const TIMEOUT_MS = 600_000

const desktop = { width: 1200, height: 900 }
/** A narrow phone. */
const phone = { width: 360, height: 740 }

type Appearance = [theme: 'light' | 'dark', size: typeof desktop]
// The two tours together cover both themes and both widths. PAXLOG_SLOW_TESTS=1 covers all pairs in each tour.
const appearances: Appearance[] = [
  ['dark', phone],
  ['light', desktop],
  ['light', phone],
  ['dark', desktop],
]
const coversAllPairs = process.env.PAXLOG_SLOW_TESTS === '1'
const withScript = coversAllPairs ? appearances : appearances.slice(0, 1)
const withoutScript = coversAllPairs ? appearances : appearances.slice(1, 2)

const names = (shown: readonly Appearance[]) => shown.map(([theme, { width }]) => `${theme}, ${width} px`).join('; ')

test('the gallery has a view for every route that returns a page', () => {
  const covered = new Set([...views.flatMap(({ routes }) => routes), ...routesWithoutPage])
  expect([...covered].sort()).toEqual([...pageRoutes].sort())
})

/** Errors by the name of the view. */
type Findings = Record<string, string[]>
const noErrors: Findings = Object.fromEntries(views.map(({ name }) => [name, []]))

/** Counts chart bars whose rendered height differs from their height attribute because of a CSS rule. */
const DISTORTED_BARS = `[...document.querySelectorAll('svg rect[height]')]
  .filter((bar) => {
    const { height } = bar.getBoundingClientRect()
    return height > 0 && !bar.ownerSVGElement.hasAttribute('viewBox') && Math.abs(height - Number(bar.getAttribute('height'))) > 1
  }).length`

/** Returns short words that wrap in the middle. */
const BROKEN_WORDS = `[...document.querySelectorAll('h1, h2, h3, .figures dd, dt, thead th, button, .button, .chip, label, time')]
  .flatMap((element) => {
    const broken = []
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      for (const { index, 0: word } of texts.currentNode.data.matchAll(/[^\\s\\-–/]{1,14}/g)) {
        const range = document.createRange()
        range.setStart(texts.currentNode, index)
        range.setEnd(texts.currentNode, index + word.length)
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top))
        if (word.length < 14 && new Set(tops).size > 1) broken.push(word)
      }
    }
    return broken
  })`

/** Returns the errors of a page in the given appearances, with all sections expanded. */
async function layoutErrors(
  tab: Page,
  variants: readonly Appearance[],
  options?: { withoutScript: true },
): Promise<string[]> {
  const found: string[] = []
  // The heading can be visible before the styles are loaded.
  await tab.waitForLoadState()
  await tab.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
  for (const [theme, size] of variants) {
    await tab.emulateMedia({ colorScheme: theme })
    await tab.setViewportSize(size)
    const width = await tab.evaluate<number>('document.documentElement.scrollWidth')
    const distorted = await tab.evaluate<number>(DISTORTED_BARS)
    const messages = [
      ...(await violations(tab, options)),
      ...(width > size.width ? [`is ${width} pixels wide`] : []),
      ...(await tab.evaluate<string[]>(BROKEN_WORDS)).map((word) => `wraps "${word}"`),
      ...(distorted > 0 ? [`distorts ${distorted} bars`] : []),
    ]
    found.push(...messages.map((rule) => `${theme}, ${size.width}: ${rule}`))
  }
  return found
}

describeInChromium('every page', () => {
  let gallery: Gallery
  let browser: Browser
  const [layout, keyboard]: Findings[] = [{}, {}]

  beforeAll(async () => {
    gallery = await startGallery()
    browser = await launchChromium()
    await tour(browser, gallery, { from: '192.0.2.1' }, async (tab, { name }) => {
      layout![name] = await layoutErrors(tab, withScript)
      keyboard![name] = await looseFaults(tab)
      // A form has the same fields with and without errors.
      if (!name.endsWith('errors')) keyboard![name]!.push(...(await faultsOfWalk(tab)))
    })
  }, TIMEOUT_MS)

  afterAll(async () => {
    await browser?.close()
    await gallery?.stop()
  })

  test('passes all axe-core rules and fits on desktops and phones, in light and dark themes', () => {
    measured(`${Object.keys(layout!).length} views with scripts: ${names(withScript)}`)
    expect(layout).toEqual(noErrors)
  })

  test('has a Tab order that matches the reading order, a visible focus, and errors linked to their fields', () => {
    expect(keyboard).toEqual(noErrors)
  })

  test('passes all axe-core rules and fits without scripts', { timeout: TIMEOUT_MS }, async () => {
    const found: Findings = {}
    await tour(browser, gallery, { from: '192.0.2.2', javaScriptEnabled: false }, async (tab, { name }) => {
      const traces = await tab.locator('[role=combobox], [data-copy]:not([hidden])').count()
      found[name] = [
        ...(traces > 0 ? ['ran a script'] : []),
        ...(await layoutErrors(tab, withoutScript, { withoutScript: true })),
      ]
    })
    measured(`${Object.keys(found).length} views without scripts: ${names(withoutScript)}`)
    expect(found).toEqual(noErrors)
  })
})
