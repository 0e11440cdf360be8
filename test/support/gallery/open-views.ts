import type { Page } from 'playwright-core'
import { ADDRESS_HEADER, type Gallery } from './instances.ts'
import { at, type View } from './view.ts'

async function signIn(tab: Page, { base }: Gallery, password: string) {
  await tab.goto(`${base}/login`)
  await tab.getByLabel('Username').fill('ines')
  await tab.getByLabel('Password').fill(password)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function exceedRateLimit(tab: Page, gallery: Gallery) {
  await tab.setExtraHTTPHeaders({ [ADDRESS_HEADER]: '192.0.2.9' })
  while ((await tab.getByText('Too many attempts').count()) === 0) await signIn(tab, gallery, 'not this one')
}

/** Pages that require no session. */
export const openViews: readonly View[] = [
  { name: 'setup', routes: ['GET /setup'], open: (tab, { setupBase }) => tab.goto(`${setupBase}/setup`) },
  {
    name: 'setup-errors',
    routes: ['POST /setup'],
    async open(tab, { setupBase }) {
      await tab.goto(`${setupBase}/setup`)
      await tab.getByLabel('Username').fill('x')
      await tab.getByLabel('Password').fill('short')
      await tab.getByRole('button', { name: 'Create account' }).click()
      await tab.getByRole('alert').waitFor()
    },
  },
  { name: 'sign-in', routes: ['GET /login'], open: at('/login') },
  {
    name: 'sign-in-failed',
    routes: ['POST /login'],
    async open(tab, gallery) {
      await signIn(tab, gallery, 'not this one')
      await tab.getByRole('alert').waitFor()
    },
  },
  { name: 'error-rate-limit', routes: ['POST /login'], open: exceedRateLimit },
  {
    name: 'error-form-rejected',
    routes: [],
    async open(tab, { base }) {
      await tab.goto(`${base}/login`)
      await tab.context().clearCookies()
      await tab.getByLabel('Username').fill('ines')
      await tab.getByLabel('Password').fill('whatever it is')
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
      await tab.getByRole('heading', { name: 'The form was not accepted' }).waitFor()
    },
  },
  { name: 'offline', routes: ['GET /offline'], open: at('/offline') },
  { name: 'error-not-found', routes: [], open: at('/nothing') },
  { name: 'share', routes: ['GET /share/{slug}'], open: at('/share/everything') },
  { name: 'share-map', routes: ['GET /share/{slug}'], open: at('/share/map') },
  { name: 'share-list', routes: ['GET /share/{slug}'], open: at('/share/list') },
  { name: 'share-count', routes: ['GET /share/{slug}'], open: at('/share/count') },
  { name: 'share-empty', routes: ['GET /share/{slug}'], open: at('/share/ahead') },
  { name: 'share-missing', routes: ['GET /share/{slug}'], open: at('/share/none') },
  { name: 'docs', routes: ['GET /docs'], open: at('/docs') },
  { name: 'operation-signed-out', routes: ['GET /docs/{operation}'], open: at('/docs/listFlights') },
  { name: 'authorization-error', routes: ['GET /oauth/authorize'], open: at('/oauth/authorize?client_id=unknown') },
]
