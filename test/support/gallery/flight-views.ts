import type { Page } from 'playwright-core'
import { passText } from '../boarding-pass.ts'
import { at, type View, withErrors } from './view.ts'

const expandAll = (tab: Page) =>
  tab.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")

const save = (tab: Page) => tab.getByRole('button', { name: 'Save', exact: true }).click()

/** An OpenFlights file, which is not a track. */
const invalidTrack = {
  name: 'openflights.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('date,from,to,flight_number,plane,from_oid\n2014-05-03,ZRH,LIS,LX2084,,1'),
}

/** A circular track with increasing altitude. */
const track = {
  name: 'circle.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'time,lat,lon,alt',
      ...Array.from({ length: 60 }, (_, index) => {
        const [north, east] = [45 + 4 * Math.sin(index / 9.5), 3 + 6 * Math.cos(index / 9.5)]
        return `${1746267600 + 60 * index},${north.toFixed(4)},${east.toFixed(4)},${100 * index}`
      }),
    ].join('\n'),
  ),
}

const passes = [
  { route: 'ZRHJFKLX', number: '0014', day: '340', cabin: 'C', seat: '005A' },
  { route: 'JFKBOSB6', number: '0417', day: '341' },
  { route: 'BOSQQQLX', number: '0053', day: '345' },
]
  .map((leg) => passText({ name: 'SORLIE/INES', legs: [leg] }))
  .join('\n')

async function readText(tab: Page, text: string): Promise<void> {
  await tab.getByText('Paste text').click()
  await tab.getByLabel(/^Text of a boarding pass/).fill(text)
  await tab.getByRole('button', { name: 'Read flights' }).click()
}

/** Opens a view by a link on the page of a flight. */
const fromFlight = (name: string | RegExp): View['open'] =>
  async function open(tab, { base }) {
    await tab.goto(`${base}/flights/10`)
    await tab.getByRole('link', { name }).click()
    await tab.getByRole('heading', { level: 1, name }).waitFor()
  }

/** The flight list, flights and their forms. */
export const flightViews: readonly View[] = [
  { name: 'home', as: 'ines', routes: ['GET /'], open: at('/') },
  { name: 'home-filtered', as: 'ines', routes: ['GET /'], open: at('/?year=2024&text=oslo&seat=standing') },
  { name: 'home-no-matches', as: 'ines', routes: ['GET /'], open: at('/?year=2024&text=nowhere') },
  { name: 'home-empty', as: 'noor', routes: ['GET /'], open: at('/') },
  {
    name: 'home-page-2',
    as: 'ines',
    routes: ['GET /'],
    async open(tab, { base }) {
      await tab.goto(base)
      await tab.getByRole('link', { name: 'Next', exact: true }).click()
      await tab.getByRole('heading', { name: 'page 2' }).waitFor()
    },
  },
  {
    name: 'home-selecting',
    as: 'ines',
    routes: ['POST /flights', 'POST /undo/{token}'],
    async open(tab, { base }) {
      await tab.goto(`${base}/?year=2024`)
      await tab.locator('summary', { hasText: 'Select' }).click()
      await tab.getByLabel(/^Select CPH to AMS/).check()
      await tab.getByLabel('Your class').selectOption('Business')
      await tab.getByRole('button', { name: 'Change', exact: true }).click()
      await tab.getByText('1 flight changed.').waitFor()
      await tab.getByRole('button', { name: 'Undo' }).click()
      await tab.getByText('1 flight changed back.').waitFor()
      await tab.locator('summary', { hasText: 'Select' }).click()
      await tab.getByLabel(/^Select CPH to AMS/).check()
    },
  },
  {
    name: 'home-adding-to-trip',
    as: 'ines',
    routes: ['POST /flights'],
    async open(tab, { base }) {
      await tab.goto(`${base}/?year=2024`)
      await tab.locator('.bulk > summary').click()
      await tab.getByLabel(/^Select CPH to AMS/).check()
      await tab.locator('.to-trip > summary').click()
    },
  },
  { name: 'map', as: 'ines', routes: ['GET /map'], open: at('/map') },
  { name: 'map-no-matches', as: 'ines', routes: ['GET /map'], open: at('/map?text=nothing+of+this') },
  { name: 'new-flight', as: 'ines', routes: ['GET /flights/new'], open: at('/flights/new') },
  {
    name: 'new-flight-lookup',
    as: 'ines',
    routes: ['GET /flights/new'],
    async open(tab, { base }) {
      await tab.goto(`${base}/flights/new?date=2025-05-03`)
      await tab.getByLabel('Flight number').fill('LX2084')
      // With scripts, the lookup starts automatically.
      const lookUp = tab.getByRole('button', { name: 'Look up the number' })
      if (await lookUp.isVisible()) await lookUp.click()
      await tab.getByRole('button', { name: /^ZRH → LIS/ }).waitFor()
    },
  },
  {
    name: 'new-flight-errors',
    as: 'ines',
    routes: ['POST /flights/new'],
    open: withErrors('/flights/new', async (tab) => {
      await expandAll(tab)
      await tab.getByLabel('From', { exact: true }).fill('zurich')
      await tab.getByLabel('Airline', { exact: true }).fill('no such airline')
      await tab.getByLabel('Departure', { exact: true }).fill('12:20')
      await tab.getByLabel('Booking reference').fill('?')
      await tab.getByRole('button', { name: 'Add passenger' }).click()
      await tab.getByLabel('Seat number').last().fill('12 in the row behind the wing')
      await save(tab)
    }),
  },
  {
    name: 'document',
    as: 'ines',
    routes: ['GET /flights/new/document'],
    async open(tab, { base }) {
      await tab.goto(`${base}/flights/new/document`)
      await tab.getByText('Paste text').click()
    },
  },
  {
    name: 'document-errors',
    as: 'ines',
    routes: ['POST /flights/new/document'],
    open: withErrors('/flights/new/document', (tab) => readText(tab, 'A text without a flight')),
  },
  {
    name: 'document-flights',
    as: 'ines',
    routes: ['POST /flights/new/document'],
    async open(tab, { base }) {
      await tab.goto(`${base}/flights/new/document`)
      await readText(tab, passes)
      await tab.getByRole('heading', { name: '3 flights found' }).waitFor()
    },
  },
  {
    name: 'document-flights-errors',
    as: 'ines',
    routes: ['POST /flights/new/document/save'],
    open: withErrors('/flights/new/document', async (tab) => {
      await readText(tab, passes)
      await tab.getByLabel('To', { exact: true }).fill('no such airport')
      await tab.getByLabel('Save the flight from ZRH to JFK').uncheck()
      // The second flight is in the log if another tour has saved it.
      await tab.getByRole('button', { name: /^Save (all|selected)$/ }).click()
    }),
  },
  { name: 'flight', as: 'ines', routes: ['GET /flights/{id}', 'POST /flights/{id}/flown'], open: at('/flights/10') },
  { name: 'airport', as: 'ines', routes: ['GET /airports/{id}'], open: fromFlight('Copenhagen Kastrup Airport') },
  { name: 'airline', as: 'ines', routes: ['GET /airlines/{id}'], open: fromFlight('Scandinavian Airlines') },
  { name: 'aircraft', as: 'ines', routes: ['GET /aircraft/{id}'], open: fromFlight(/^Airbus/) },
  { name: 'registration', as: 'ines', routes: ['GET /registrations/{reg}'], open: at('/registrations/HB-JCS') },
  {
    name: 'route',
    as: 'ines',
    routes: ['GET /routes/{connection}'],
    open: async (tab, gallery) => {
      await fromFlight('Copenhagen Kastrup Airport')(tab, gallery)
      await tab.locator('.routes a').first().click()
    },
  },
  { name: 'settings', as: 'ines', routes: ['GET /settings', 'GET /admin', 'GET /flights'], open: at('/settings') },
  { name: 'edit-flight', as: 'ines', routes: ['GET /flights/{id}/edit'], open: at('/flights/10/edit') },
  {
    name: 'edit-flight-errors',
    as: 'ines',
    routes: ['POST /flights/{id}/edit'],
    open: withErrors('/flights/10/edit', async (tab) => {
      await tab.getByLabel('To', { exact: true }).fill('')
      await tab.getByLabel('Arrival', { exact: true }).fill('00:01')
      await save(tab)
    }),
  },
  {
    name: 'track',
    as: 'ines',
    routes: [
      'GET /flights/{id}/track',
      'POST /flights/{id}/track',
      'GET /flights/{id}/track.gpx',
      'GET /flights/{id}/track.json',
    ],
    async open(tab, { base }) {
      await tab.goto(`${base}/flights/10/track`)
      await tab.getByLabel('File', { exact: true }).setInputFiles(track)
      await tab
        .getByRole('button', { name: /^(Save|Replace) track$/ })
        .first()
        .click()
      await tab.getByRole('link', { name: 'Download as GPX' }).waitFor()
    },
  },
  {
    name: 'track-errors',
    as: 'ines',
    routes: ['POST /flights/{id}/track', 'POST /flights/{id}/track/delete'],
    open: withErrors('/flights/11/track', async (tab) => {
      await tab.getByLabel('File', { exact: true }).setInputFiles(invalidTrack)
      await tab.getByRole('button', { name: 'Save track' }).click()
    }),
  },
]
