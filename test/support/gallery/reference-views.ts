import type { Page } from 'playwright-core'
import { at, type View, withErrors } from './view.ts'

const kinds = { airports: 'airport', airlines: 'airline', aircraft: 'aircraft type' }

async function fill(tab: Page, kind: keyof typeof kinds, name: string): Promise<void> {
  await tab.getByLabel('Name', { exact: true }).fill(name)
  if (kind !== 'airports') return
  await tab.getByLabel('ICAO or local code').fill(name.replace(/\W/g, '').slice(-6))
  await tab.getByLabel('Country').selectOption('CH')
  await tab.getByLabel('Latitude').fill('47.15')
  await tab.getByLabel('Longitude').fill('9.14')
  await tab.getByLabel('Time zone').fill('Europe/Zurich')
}

let createdCount = 0

/** Creates a record, because the demo has only built-in ones, and opens it. */
async function createAndOpen(tab: Page, base: string, kind: keyof typeof kinds): Promise<void> {
  const name = `Field of sheep ${100 + ++createdCount}`
  await tab.goto(`${base}/admin/reference/${kind}/new`)
  await fill(tab, kind, name)
  await tab.getByRole('button', { name: `Create ${kinds[kind]}` }).click()
  await tab.getByRole('link', { name }).click()
  await tab.getByRole('heading', { level: 1, name }).waitFor()
}

/** Custom airports, airlines and aircraft types. */
const kindViews: readonly View[] = (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind): View[] => {
  const path = `/admin/reference/${kind}`
  return [
    { name: `reference-${kind}-new`, as: 'ines', routes: [`GET ${path}/new`], open: at(`${path}/new`) },
    {
      name: `reference-${kind}-new-errors`,
      as: 'ines',
      routes: [`POST ${path}`],
      open: withErrors(`${path}/new`, (tab) => tab.getByRole('button', { name: `Create ${kinds[kind]}` }).click()),
    },
    {
      name: `reference-${kind}-edit`,
      as: 'ines',
      routes: [`GET ${path}/{id}`],
      open: (tab, { base }) => createAndOpen(tab, base, kind),
    },
    {
      name: `reference-${kind}-edit-errors`,
      as: 'ines',
      routes: [`POST ${path}/{id}`],
      async open(tab, { base }) {
        await createAndOpen(tab, base, kind)
        await tab.getByLabel('Name', { exact: true }).fill('')
        await tab.getByRole('button', { name: 'Save' }).click()
        await tab.getByRole('alert').waitFor()
      },
    },
    {
      name: `reference-${kind}-merge-errors`,
      as: 'ines',
      routes: [`POST ${path}/{id}/merge`],
      async open(tab, { base }) {
        await createAndOpen(tab, base, kind)
        await tab.locator('summary', { hasText: 'Merge into another' }).click()
        const target = tab.getByLabel('Merge into')
        await target.fill('air')
        // Suggestions can cover the button.
        await target.press('Enter')
        await tab.getByRole('alert').waitFor()
      },
    },
    { name: `reference-${kind}`, as: 'ines', routes: [`GET ${path}`], open: at(path) },
  ]
})

const CHECK = '/admin/reference/check'

export const referenceViews: readonly View[] = [
  ...kindViews,
  {
    name: 'reference-check',
    as: 'ines',
    routes: [`GET ${CHECK}`, `POST ${CHECK}`],
    async open(tab, { base }) {
      await tab.goto(`${base}/flights/new`)
      await tab.getByLabel('From', { exact: true }).fill('HKG')
      await tab.getByLabel('To', { exact: true }).fill('ZRH')
      await tab.getByLabel('Date', { exact: true }).fill('1995-05-03')
      await tab.getByRole('button', { name: 'Save' }).first().click()
      await tab.goto(base + CHECK)
      await tab.getByRole('heading', { level: 1, name: 'Check flights' }).waitFor()
    },
  },
]
