import type { Page } from 'playwright-core'
import { at, faulty, type View } from './view.ts'

const save = (tab: Page) => tab.getByRole('button', { name: 'Save', exact: true }).click()

/** By a link on the page of a flight. */
const fromFlight = (name: string | RegExp): View['open'] =>
  async function open(tab, { base }) {
    await tab.goto(`${base}/flights/10`)
    await tab.getByRole('link', { name }).click()
    await tab.getByRole('heading', { level: 1, name }).waitFor()
  }

/** The log and everything that is done to its flights. */
export const flightViews: readonly View[] = [
  { name: 'home', as: 'ines', routes: ['GET /'], open: at('/') },
  { name: 'home-filtered', as: 'ines', routes: ['GET /'], open: at('/?year=2024&text=oslo&seat=standing') },
  { name: 'home-nothing', as: 'ines', routes: ['GET /'], open: at('/?year=2024&text=nowhere') },
  { name: 'home-empty', as: 'noor', routes: ['GET /'], open: at('/') },
  {
    name: 'home-older',
    as: 'ines',
    routes: ['GET /'],
    async open(tab, { base }) {
      await tab.goto(base)
      await tab.getByRole('link', { name: 'Next' }).click()
      await tab.getByRole('heading', { name: 'page 2' }).waitFor()
    },
  },
  { name: 'map', as: 'ines', routes: ['GET /map'], open: at('/map') },
  { name: 'map-filtered', as: 'ines', routes: ['GET /map'], open: at('/map?text=nothing+of+this') },
  { name: 'new-flight', as: 'ines', routes: ['GET /flights/new'], open: at('/flights/new') },
  {
    name: 'new-flight-faults',
    as: 'ines',
    routes: ['POST /flights/new'],
    open: faulty('/flights/new', async (tab) => {
      await tab.getByLabel('From', { exact: true }).fill('zurich')
      await tab.getByLabel('Airline', { exact: true }).fill('no such airline')
      await tab.getByLabel('Departure', { exact: true }).fill('12:20')
      await tab.getByLabel('Booking reference').fill('?')
      await tab.getByRole('button', { name: 'Add another person' }).click()
      await tab.getByLabel('Seat number').last().fill('12 in the row behind the wing')
      await save(tab)
    }),
  },
  { name: 'flight', as: 'ines', routes: ['GET /flights/{id}', 'POST /flights/{id}/flown'], open: at('/flights/10') },
  { name: 'airport', as: 'ines', routes: ['GET /airports/{id}'], open: fromFlight('Copenhagen Kastrup Airport') },
  { name: 'airline', as: 'ines', routes: ['GET /airlines/{id}'], open: fromFlight('Scandinavian Airlines') },
  { name: 'aircraft', as: 'ines', routes: ['GET /aircraft/{id}'], open: fromFlight(/^Airbus/) },
  { name: 'registration', as: 'ines', routes: ['GET /registrations/{reg}'], open: at('/registrations/HB-JCS') },
  { name: 'settings', as: 'ines', routes: ['GET /settings', 'GET /admin', 'GET /flights'], open: at('/settings') },
  { name: 'edit-flight', as: 'ines', routes: ['GET /flights/{id}/edit'], open: at('/flights/10/edit') },
  {
    name: 'edit-flight-faults',
    as: 'ines',
    routes: ['POST /flights/{id}/edit'],
    open: faulty('/flights/10/edit', async (tab) => {
      await tab.getByLabel('To', { exact: true }).fill('')
      await tab.getByLabel('Arrival', { exact: true }).fill('00:01')
      await save(tab)
    }),
  },
]
