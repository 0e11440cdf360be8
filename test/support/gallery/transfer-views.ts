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

/** A table whose columns have other names, and whose dates can be read in two ways. */
const table = {
  name: 'flights.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Tag;Start;Ende;Um;Flug;Sitz;Was ich noch zu sagen habe',
      '03.05.2014;Zürich;Lissabon;12:20;LX2084;12A;Erster Flug mit dem neuen Flugzeug, sehr leise',
      '11.05.2014;Lissabon;Zürich;18:05;LX2085;3F;',
      '01.06.2014;Zürich;London;halb acht;LX316;;Nebel',
      '02.06.2014;QQQ;Zürich;19:40;LX317;14C;',
      '03.06.2014;;;19:40;LX318;;',
    ].join('\n'),
  ),
}

type File = typeof importFile

async function uploadFile(tab: Page, base: string, file: File = importFile, heading = 'Import preview'): Promise<void> {
  await tab.goto(`${base}/import`)
  await tab.getByLabel('File', { exact: true }).setInputFiles(file)
  await tab.getByRole('button', { name: 'Preview import' }).click()
  await tab.getByRole('heading', { name: heading }).waitFor()
}

async function chooseColumns(tab: Page, base: string, dateFormat: string): Promise<void> {
  await uploadFile(tab, base, table, 'Choose columns')
  const columns = { Date: 'Tag', From: 'Start', To: 'Ende', 'Departure time': 'Um', Note: 'Was ich' }
  for (const [label, header] of Object.entries(columns)) {
    const select = tab.getByLabel(new RegExp(`^${label}(?: \\(required\\))?$`))
    const option = select.locator('option', { hasText: header })
    await select.selectOption((await option.getAttribute('value'))!)
  }
  await tab.getByLabel('Date format').selectOption(dateFormat)
  await tab.getByRole('button', { name: 'Preview import' }).click()
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
    name: 'import-columns',
    as: 'ines',
    routes: ['GET /import/check'],
    open: (tab, { base }) => uploadFile(tab, base, table, 'Choose columns'),
  },
  {
    name: 'import-columns-errors',
    as: 'jonas',
    routes: ['POST /import/check'],
    async open(tab, { base }) {
      await chooseColumns(tab, base, '')
      await tab.getByRole('alert').waitFor()
    },
  },
  {
    name: 'import-fix-rows',
    as: 'jonas',
    routes: ['GET /import/check'],
    async open(tab, { base }) {
      await chooseColumns(tab, base, 'dmy')
      await tab.getByRole('heading', { name: 'Rejected rows' }).waitFor()
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
