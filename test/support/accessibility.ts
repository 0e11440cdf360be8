import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The rules that a page breaks, in one theme, with the first place of each. */
async function violations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme })
  // Evaluated by the debugger, which the policy of the page does not bind.
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))",
  )
}

/** Both themes of the page pass every rule of axe-core. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    expect([page.url(), theme, await violations(page, theme)]).toEqual([page.url(), theme, []])
  }
}
