import type { Page } from 'playwright-core'
import { at, faulty, type View } from './view.ts'

/** A log of another program, in which some rows cannot be read. */
const log = {
  name: 'openflights.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'date,from,to,flight_number,plane,from_oid',
      '2014-05-03,ZRH,LIS,LX2084,,1',
      '2014-05-11,LIS,ZRH,LX2085,,1',
      '2014-06-01,QQQ,LIS,LX0,,1',
      'yesterday,ZRH,LIS,LX1,,1',
      '2014-06-31,ZRH,LIS,LX2,,1',
    ].join('\n'),
  ),
}

async function sendFile(tab: Page, base: string): Promise<void> {
  await tab.goto(`${base}/import`)
  await tab.getByLabel('File', { exact: true }).setInputFiles(log)
  await tab.getByRole('button', { name: 'Preview import' }).click()
  await tab.getByRole('heading', { name: 'Import preview' }).waitFor()
}

/** Flights that come in and go out. */
export const transferViews: readonly View[] = [
  { name: 'import', as: 'ines', routes: ['GET /import'], open: at('/import') },
  {
    name: 'import-faults',
    as: 'ines',
    routes: ['POST /import'],
    open: faulty('/import', (tab) => tab.getByRole('button', { name: 'Preview import' }).click()),
  },
  {
    name: 'import-check',
    as: 'ines',
    routes: ['GET /import/check'],
    open: (tab, { base }) => sendFile(tab, base),
  },
  {
    name: 'import-check-faults',
    as: 'jonas',
    routes: ['POST /import/check'],
    async open(tab, { base }) {
      await sendFile(tab, base)
      // Not typed: what the search offers would lie over the button as soon as it comes.
      await tab.getByLabel('Replace QQQ with').evaluate((input: HTMLInputElement) => {
        input.value = 'london'
      })
      await tab.getByRole('button', { name: 'Update preview' }).click()
      await tab.getByRole('alert').waitFor()
    },
  },
  {
    name: 'import-done',
    as: 'jonas',
    routes: ['GET /import/check'],
    async open(tab, { base }) {
      await sendFile(tab, base)
      const button = tab.getByRole('button', { name: /^Import \d/ })
      // Seen a second time, all of it is there already.
      if ((await button.count()) === 0) return
      await button.click()
      await tab.getByRole('heading', { name: /flights? imported/ }).waitFor()
    },
  },
  { name: 'export', as: 'ines', routes: ['GET /export'], open: at('/export') },
  { name: 'export-nothing', as: 'ines', routes: ['GET /export'], open: at('/export?text=xyzzy&seat=window') },
]
