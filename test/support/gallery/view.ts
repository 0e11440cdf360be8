import type { Page } from 'playwright-core'
import type { Gallery } from './instances.ts'

/** A page in one of its states. */
export interface View {
  name: string
  /** Which routes are seen with it, as in the list of page routes; an error may belong to none. */
  routes: readonly string[]
  /** Who looks; nobody when absent. */
  as?: 'ines' | 'jonas' | 'noor'
  /** Goes there as a person does, by links and forms that need no script. */
  open: (tab: Page, gallery: Gallery) => Promise<unknown>
}

/** By its address alone. */
export const at =
  (path: string): View['open'] =>
  (tab, { base }) =>
    tab.goto(base + path)

/** Goes to a page, does something there, and waits for the page that tells what is wrong. */
export const faulty =
  (path: string, send: (tab: Page) => Promise<void>): View['open'] =>
  async (tab, { base }) => {
    await tab.goto(base + path)
    await send(tab)
    await tab.getByRole('alert').waitFor()
  }
