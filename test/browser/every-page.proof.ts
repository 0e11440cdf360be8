import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/accessibility.ts'
import { launchChromium } from '../support/chromium.ts'
import { type Gallery, startGallery } from '../support/gallery/instances.ts'
import { tour } from '../support/gallery/tour.ts'
import { routesWithoutPage, views } from '../support/gallery/views.ts'
import { faultsOfWalk, looseFaults } from '../support/keyboard.ts'
import { pageRoutes } from '../support/page-routes.ts'
import { describeInChromium } from '../support/visited.ts'

const SLOW = 600_000

const desk = { width: 1200, height: 900 }
/** The narrowest that is in use. */
const phone = { width: 360, height: 740 }

type Look = [theme: 'light' | 'dark', size: typeof desk]
// Both themes and both widths in the two walks together; all four pairs in each of them where there is time.
const allLooks: Look[] = [
  ['dark', phone],
  ['light', desk],
  ['light', phone],
  ['dark', desk],
]
const isPatient = process.env.PAXLOG_SLOW_TESTS === '1'
const withScript = isPatient ? allLooks : allLooks.slice(0, 1)
const withoutScript = isPatient ? allLooks : allLooks.slice(1, 2)

test('the views show every route that answers with a page', () => {
  const seen = new Set([...views.flatMap(({ routes }) => routes), ...routesWithoutPage])
  expect([...seen].sort()).toEqual([...pageRoutes].sort())
})

/** By the name of the view; every view has a list, and it is meant to be empty. */
type Findings = Record<string, string[]>
const nothingFound: Findings = Object.fromEntries(views.map(({ name }) => [name, []]))

/** Bars that a rule for something else makes taller or lower than they are meant to be. */
const DISTORTED = `[...document.querySelectorAll('svg rect[height]')]
  .filter((bar) => {
    const { height } = bar.getBoundingClientRect()
    return height > 0 && !bar.ownerSVGElement.hasAttribute('viewBox') && Math.abs(height - Number(bar.getAttribute('height'))) > 1
  }).length`

/** Words that are broken in their middle, where they are short enough to be read at a glance. */
const BROKEN_WORDS = `[...document.querySelectorAll('h1, h2, h3, .figures dd, dt, thead th, button, .button, .chip, label, time')]
  .flatMap((place) => {
    const broken = []
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
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

/** What is wrong with a page in these looks, with all that is folded away unfolded. */
async function faultsOf(tab: Page, looks: readonly Look[], options?: { withoutScript: true }): Promise<string[]> {
  const found: string[] = []
  // Its heading may be there before its styles.
  await tab.waitForLoadState()
  await tab.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
  for (const [theme, size] of looks) {
    await tab.emulateMedia({ colorScheme: theme })
    await tab.setViewportSize(size)
    const width = await tab.evaluate<number>('document.documentElement.scrollWidth')
    const distorted = await tab.evaluate<number>(DISTORTED)
    const broken = [
      ...(await violations(tab, options)),
      ...(width > size.width ? [`is ${width} wide`] : []),
      ...(await tab.evaluate<string[]>(BROKEN_WORDS)).map((word) => `breaks "${word}"`),
      ...(distorted > 0 ? [`draws ${distorted} bars as they are not`] : []),
    ]
    found.push(...broken.map((rule) => `${theme}, ${size.width}: ${rule}`))
  }
  return found
}

describeInChromium('every page', () => {
  let gallery: Gallery
  let browser: Browser
  const [seen, walked]: Findings[] = [{}, {}]

  beforeAll(async () => {
    gallery = await startGallery()
    browser = await launchChromium()
    await tour(browser, gallery, { from: '192.0.2.1' }, async (tab, { name }) => {
      seen![name] = await faultsOf(tab, withScript)
      walked![name] = await looseFaults(tab)
      // With its faults a form has the same fields as without.
      if (!name.endsWith('faults')) walked![name]!.push(...(await faultsOfWalk(tab)))
    })
  }, SLOW)

  afterAll(async () => {
    await browser?.close()
    await gallery?.stop()
  })

  test('passes every rule of axe-core and fits, light and dark, on a desk and on a phone', () => {
    expect(seen).toEqual(nothingFound)
  })

  test('is walked through by Tab in the order in which it is read, shows where one is, and ties faults to their fields', () => {
    expect(walked).toEqual(nothingFound)
  })

  test('passes them and fits in a browser without script too', { timeout: SLOW }, async () => {
    const found: Findings = {}
    await tour(browser, gallery, { from: '192.0.2.2', javaScriptEnabled: false }, async (tab, { name }) => {
      const traces = await tab.locator('[role=combobox], [data-copy]:not([hidden])').count()
      found[name] = [
        ...(traces > 0 ? ['ran a script'] : []),
        ...(await faultsOf(tab, withoutScript, { withoutScript: true })),
      ]
    })
    expect(found).toEqual(nothingFound)
  })
})
