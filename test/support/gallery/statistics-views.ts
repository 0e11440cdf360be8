import type { Page } from 'playwright-core'
import { at, type View, withErrors } from './view.ts'

/** Opens the newest trip that has flights. */
const openTrip =
  (then: (tab: Page) => Promise<unknown>): View['open'] =>
  async (tab, { base }) => {
    await tab.goto(`${base}/trips`)
    await tab
      .locator('a.trip', { hasText: /\d flights/ })
      .first()
      .click()
    await tab.getByRole('heading', { level: 2, name: /flights/ }).waitFor()
    await then(tab)
  }

/** Trips, statistics, years and countries. */
export const statisticsViews: readonly View[] = [
  { name: 'statistics', as: 'ines', routes: ['GET /statistics'], open: at('/statistics') },
  { name: 'statistics-filtered', as: 'ines', routes: ['GET /statistics'], open: at('/statistics?year=2023&text=sas') },
  {
    name: 'statistics-no-matches',
    as: 'ines',
    routes: ['GET /statistics'],
    open: at('/statistics?year=1950&seat=aisle'),
  },
  { name: 'statistics-empty', as: 'noor', routes: ['GET /statistics'], open: at('/statistics') },
  { name: 'year', as: 'ines', routes: ['GET /statistics/{year}'], open: at('/statistics/2023') },
  { name: 'year-empty', as: 'ines', routes: ['GET /statistics/{year}'], open: at('/statistics/1999') },
  { name: 'trips', as: 'ines', routes: ['GET /trips'], open: at('/trips') },
  { name: 'trips-empty', as: 'noor', routes: ['GET /trips'], open: at('/trips') },
  {
    name: 'trips-errors',
    as: 'noor',
    routes: ['POST /trips'],
    open: withErrors('/trips', async (tab) => {
      await tab.getByRole('button', { name: 'Create trip' }).click()
    }),
  },
  {
    name: 'trip',
    as: 'ines',
    routes: ['GET /trips/{id}'],
    open: openTrip(async () => undefined),
  },
  {
    name: 'trip-shared',
    as: 'ines',
    routes: ['POST /trips/{id}/share'],
    open: openTrip(async (tab) => {
      await tab.getByText('Share', { exact: true }).click()
      await tab.getByRole('button', { name: 'Create link' }).click()
      await tab.locator('.notice[role=status]').waitFor()
    }),
  },
  {
    name: 'trip-without-choice',
    as: 'ines',
    routes: ['POST /trips/{id}'],
    async open(tab, { base }) {
      await tab.goto(`${base}/trips`)
      await tab.getByText('New trip', { exact: true }).click()
      await tab.getByLabel('Name', { exact: true }).fill('Someday')
      await tab.getByRole('button', { name: 'Create trip', exact: true }).click()
      await tab.getByRole('button', { name: 'Add to trip' }).click()
      await tab.locator('main > .warning[role=status]').waitFor()
    },
  },
  {
    name: 'edit-trip',
    as: 'ines',
    routes: ['GET /trips/{id}/edit'],
    open: openTrip((tab) => tab.getByRole('link', { name: 'Edit', exact: true }).click()),
  },
  {
    name: 'edit-trip-errors',
    as: 'ines',
    routes: ['POST /trips/{id}/edit'],
    open: openTrip(async (tab) => {
      await tab.getByRole('link', { name: 'Edit', exact: true }).click()
      await tab.getByLabel('Name', { exact: true }).fill('')
      await tab.getByRole('button', { name: 'Save' }).click()
      await tab.getByRole('alert').waitFor()
    }),
  },
  { name: 'countries', as: 'ines', routes: ['GET /countries'], open: at('/countries') },
  { name: 'countries-empty', as: 'noor', routes: ['GET /countries'], open: at('/countries') },
  {
    name: 'countries-errors',
    as: 'noor',
    routes: ['POST /countries'],
    open: withErrors('/countries', async (tab) => {
      await tab.getByRole('button', { name: 'Save', exact: true }).click()
    }),
  },
]
