import type { Page } from 'playwright-core'
import type { Gallery } from './instances.ts'

/** A page in one of its states. */
export interface View {
  name: string
  /** The page routes that this view covers. Errors can cover none. */
  routes: readonly string[]
  /** The signed-in user, if any. */
  as?: 'ines' | 'jonas' | 'noor'
  /** Opens the view with links and forms that work without scripts. */
  open: (tab: Page, gallery: Gallery) => Promise<unknown>
}

/** Opens a view by its path. */
export const at =
  (path: string): View['open'] =>
  (tab, { base }) =>
    tab.goto(base + path)

/** Opens a page, submits an invalid form, and waits for the error summary. */
export const withErrors =
  (path: string, submit: (tab: Page) => Promise<void>): View['open'] =>
  async (tab, { base }) => {
    await tab.goto(base + path)
    await submit(tab)
    await tab.getByRole('alert').waitFor()
  }
