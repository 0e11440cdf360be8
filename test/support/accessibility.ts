import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Without scripts timers never fire, and axe-core would wait forever. */
const WITHOUT_TIMERS =
  'globalThis.setTimeout = (work, _, ...rest) => { Promise.resolve().then(() => work(...rest)); return 0 }'

/** Waits for animations, because contrast is wrong during a fade-in. */
const ANIMATIONS_FINISHED = `Promise.all(document.getAnimations()
  .filter((each) => Number.isFinite(each.effect.getComputedTiming().endTime))
  .map((each) => each.finished.catch(() => undefined)))`

interface Options {
  /** Whether the browser has scripts disabled. */
  withoutScript?: boolean
}

/** The violated rules of a page, each with its first element. */
export async function violations(page: Page, { withoutScript = false }: Options = {}): Promise<string[]> {
  // The debugger evaluates this regardless of the Content-Security-Policy and disabled scripts.
  if (!withoutScript) await page.evaluate(ANIMATIONS_FINISHED)
  if (!(await page.evaluate("'axe' in globalThis"))) {
    if (withoutScript) await page.evaluate(WITHOUT_TIMERS)
    await page.evaluate(axe.source)
  }
  return page.evaluate<string[]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))",
  )
}

/** Expects that both themes of a page pass all rules of axe-core. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    // The map may appear during the check, and contrast is wrong during its fade-in.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    expect([page.url(), theme, await violations(page)]).toEqual([page.url(), theme, []])
  }
}
