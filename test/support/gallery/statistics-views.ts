import { at, type View, withErrors } from './view.ts'

/** Statistics, years and countries. */
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
