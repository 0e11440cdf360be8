import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countryCodes } from '../../../../src/domain/reference/countries.ts'
import { textsIn } from '../../../../src/http/pages/texts/languages.ts'
import { languages } from '../../../../src/lib/languages.ts'
import { browserSession } from '../../../support/browser-session.ts'
import { englishFinder } from '../../../support/english-texts.ts'
import { type FullLog, fullLog } from '../../../support/full-log.ts'
import { pageAddresses } from '../../../support/page-addresses.ts'
import { sharedSignedIn } from '../../../support/pages.ts'
import { copyLoaded } from '../../../support/process.ts'

let app: Awaited<ReturnType<typeof sharedSignedIn>>
let empty: Awaited<ReturnType<typeof sharedSignedIn>>
let log: FullLog
let names: string[]

beforeAll(async () => {
  app = await sharedSignedIn({}, copyLoaded)
  log = await fullLog(app, app.owner)
  empty = await sharedSignedIn()
  names = ['name', 'municipality'].flatMap(
    (column) =>
      app.db.$client
        .prepare(
          `select distinct ${column} from airports where id in (${log.airportIds.join()}) and ${column} is not null`,
        )
        .pluck()
        .all() as string[],
  )
  names.push(...app.operations.map(({ summary }) => summary))
  for (const table of ['airlines', 'aircraft']) {
    names.push(...(app.db.$client.prepare(`select name from ${table}`).pluck().all() as string[]))
  }
})
afterAll(async () => {
  await app?.close()
  await empty?.close()
})

/** The same in all languages. */
const products = ['App in the Air', 'Model Context Protocol']

/** Pages whose content is data or code. */
const isPage = (headers: Record<string, unknown>) => /^text\/html/.test(String(headers['content-type']))

const emptyPages = ['/', '/map', '/statistics', '/statistics/2020', '/countries', '/trips', '/settings/shares']
const visitorPages = ['/login', '/nothing', '/share/none', '/docs', '/docs?q=nothing', '/offline', '/oauth/authorize']

describe.each(languages.filter((language) => language !== 'en'))('in the language %s', (language) => {
  test('no page has an English text', async () => {
    const countries = countryCodes.map(textsIn(language).names.country)
    const englishIn = englishFinder(language, [...names, ...products, ...countries])
    const found: string[] = []
    async function inspect(browser: ReturnType<typeof browserSession>, address: string) {
      browser.jar.set('paxlog-language', language)
      const { headers, html } = await browser.get(address)
      if (!isPage(headers)) return
      expect([address, /<html lang="(\w+)"/.exec(html)?.[1]]).toEqual([address, language])
      // Names of members in the API reference.
      const texts = englishIn(html).filter((text) => !/^\/docs\/.* (from|to)$/.test(`${address} ${text}`))
      found.push(...texts.map((text) => `${address}: ${text}`))
    }
    for (const address of Object.values(pageAddresses(log)).flat()) await inspect(app.browser, address)
    for (const address of emptyPages) await inspect(empty.browser, address)
    for (const address of visitorPages) await inspect(browserSession(app.app), address)
    expect(found).toEqual([])
  })
})
