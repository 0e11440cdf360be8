import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Where scripts are switched off no timer ever rings, and axe-core would wait for one for ever. */
const UNTIMED =
  'globalThis.setTimeout = (work, _, ...rest) => { Promise.resolve().then(() => work(...rest)); return 0 }'

/** Nobody reads what is only half faded in. */
const AT_REST = `Promise.all(document.getAnimations()
  .filter((each) => Number.isFinite(each.effect.getComputedTiming().endTime))
  .map((each) => each.finished.catch(() => undefined)))`

interface Options {
  /** The page is loaded in a browser whose scripts are switched off. */
  withoutScript?: boolean
}

/** The rules that a page breaks as it is shown now, with the first place of each. */
export async function violations(page: Page, { withoutScript = false }: Options = {}): Promise<string[]> {
  // Evaluated by the debugger, which neither the policy of the page nor such a switch binds.
  if (!withoutScript) await page.evaluate(AT_REST)
  if (!(await page.evaluate("'axe' in globalThis"))) {
    if (withoutScript) await page.evaluate(UNTIMED)
    await page.evaluate(axe.source)
  }
  return page.evaluate<string[]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))",
  )
}

/** Both themes of the page pass every rule of axe-core. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    expect([page.url(), theme, await violations(page)]).toEqual([page.url(), theme, []])
  }
}
