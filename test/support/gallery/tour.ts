import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { ADDRESS_HEADER, type Gallery, PASSWORD } from './instances.ts'
import type { View } from './view.ts'
import { views } from './views.ts'

/** In any language. */
export async function signIn(tab: Page, base: string, username: string): Promise<void> {
  await tab.goto(`${base}/login`)
  await tab.locator('[name=username]').fill(username)
  await tab.locator('[name=password]').fill(PASSWORD)
  await tab.keyboard.press('Enter')
  await tab.locator('details.account').waitFor()
}

/** Opens every view once, as its user. `from` is the client address for rate limits. */
export async function tour(
  browser: Browser,
  gallery: Gallery,
  options: BrowserContextOptions & { from: string },
  inspect: (tab: Page, view: View) => Promise<void>,
): Promise<void> {
  const { from, ...rest } = options
  const tabs = new Map<string, Page>()
  async function tabOf({ as }: View): Promise<Page> {
    const existing = as && tabs.get(as)
    if (existing) return existing
    const context = await browser.newContext({ ...rest, extraHTTPHeaders: { [ADDRESS_HEADER]: from } })
    // `map.proof.ts` covers the interactive map, which would make pages change while they are checked.
    await context.route(/\/assets\/map-(?!loader-)[^/]*\.js/, (route) => route.abort())
    const tab = await context.newPage()
    tab.setDefaultTimeout(60_000)
    if (as) {
      await signIn(tab, gallery.base, as)
      tabs.set(as, tab)
    }
    return tab
  }
  for (const view of views) {
    const tab = await tabOf(view)
    await view.open(tab, gallery)
    await inspect(tab, view)
    if (!view.as) await tab.context().close()
  }
  for (const tab of tabs.values()) await tab.context().close()
}
