import type { Page } from 'playwright-core'
import { at, type View, withErrors } from './view.ts'

/** An OpenFlights file with invalid rows. */
const importFile = {
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

async function uploadFile(tab: Page, base: string): Promise<void> {
  await tab.goto(`${base}/import`)
  await tab.getByLabel('File', { exact: true }).setInputFiles(importFile)
  await tab.getByRole('button', { name: 'Preview import' }).click()
  await tab.getByRole('heading', { name: 'Import preview' }).waitFor()
}

/** Import and export. */
export const transferViews: readonly View[] = [
  { name: 'import', as: 'ines', routes: ['GET /import'], open: at('/import') },
  {
    name: 'import-errors',
    as: 'ines',
    routes: ['POST /import'],
    open: withErrors('/import', (tab) => tab.getByRole('button', { name: 'Preview import' }).click()),
  },
  {
    name: 'import-preview',
    as: 'ines',
    routes: ['GET /import/check'],
    open: (tab, { base }) => uploadFile(tab, base),
  },
  {
    name: 'import-preview-errors',
    as: 'jonas',
    routes: ['POST /import/check'],
    async open(tab, { base }) {
      await uploadFile(tab, base)
      // Set without typing, because suggestions would cover the button.
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
      await uploadFile(tab, base)
      const button = tab.getByRole('button', { name: /^Import \d/ })
      // On a second tour, all rows are duplicates.
      if ((await button.count()) === 0) return
      await button.click()
      await tab.getByRole('heading', { name: /flights? imported/ }).waitFor()
    },
  },
  { name: 'export', as: 'ines', routes: ['GET /export'], open: at('/export') },
  { name: 'export-no-matches', as: 'ines', routes: ['GET /export'], open: at('/export?text=xyzzy&seat=window') },
]
