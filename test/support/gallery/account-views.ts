import type { Page } from 'playwright-core'
import { pkce } from '../oauth-client.ts'
import type { Gallery } from './instances.ts'
import { at, type View, withErrors } from './view.ts'

const CHANGE_SHARE = 'Edit count'

/** Returns the authorization URL of an application that requests some scopes. */
function authorizeUrl({ base, clientId }: Gallery, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: `${base}/docs`,
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
    resource: `${base}/api/v1`,
    scope: 'profile.read flight.read.own stats.read',
    state: 'xyz',
    ...more,
  })
  return `${base}/oauth/authorize?${query}`
}

async function openConsent(tab: Page, gallery: Gallery) {
  await tab.goto(authorizeUrl(gallery))
  await tab.getByRole('heading', { name: 'Connect Trip board?' }).waitFor()
}

const expandNewKey = (tab: Page) => tab.locator('summary', { hasText: 'New API key' }).click()

/** Settings of an account: shares, keys, applications and others. */
export const accountViews: readonly View[] = [
  { name: 'preferences', as: 'ines', routes: ['GET /settings/preferences'], open: at('/settings/preferences') },
  {
    name: 'preferences-saved',
    as: 'ines',
    routes: ['POST /settings/preferences'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/preferences`)
      await tab.getByRole('button', { name: 'Save' }).click()
      await tab.locator('.notice[role=status]').waitFor()
    },
  },
  { name: 'shares', as: 'ines', routes: ['GET /settings/shares'], open: at('/settings/shares') },
  { name: 'shares-empty', as: 'noor', routes: ['GET /settings/shares'], open: at('/settings/shares') },
  {
    name: 'shares-errors',
    as: 'noor',
    routes: ['POST /settings/shares'],
    open: withErrors('/settings/shares', async (tab) => {
      await tab.locator('summary', { hasText: 'New share' }).click()
      await tab.getByLabel('Address').fill('two words')
      await tab.getByLabel('First day').fill('2024-02-01')
      await tab.getByLabel('Last day').fill('2024-01-01')
      await tab.getByRole('button', { name: 'Create share' }).click()
    }),
  },
  {
    name: 'edit-share',
    as: 'ines',
    routes: ['GET /settings/shares/{id}'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/shares`)
      await tab.getByRole('link', { name: CHANGE_SHARE }).click()
      await tab.getByRole('heading', { name: 'Share count' }).waitFor()
    },
  },
  {
    name: 'edit-share-errors',
    as: 'ines',
    routes: ['POST /settings/shares/{id}'],
    open: withErrors('/settings/shares', async (tab) => {
      await tab.getByRole('link', { name: CHANGE_SHARE }).click()
      await tab.getByLabel('Address').fill('map')
      await tab.getByRole('button', { name: 'Save' }).click()
    }),
  },
  { name: 'account-activity', as: 'ines', routes: ['GET /settings/activity'], open: at('/settings/activity') },
  { name: 'consent', as: 'ines', routes: ['GET /oauth/consent'], open: openConsent },
  {
    name: 'consent-with-verified-host',
    as: 'ines',
    routes: ['GET /oauth/consent'],
    async open(tab, gallery) {
      const client = { client_id: `${gallery.clientSite}/client.json`, redirect_uri: 'http://127.0.0.1:49152/callback' }
      await tab.goto(authorizeUrl(gallery, client))
      await tab.getByRole('heading', { name: 'Connect Seat map?' }).waitFor()
    },
  },
  {
    name: 'authorization-error-of-metadata',
    as: 'ines',
    routes: ['GET /oauth/authorize'],
    open: (tab, gallery) => tab.goto(authorizeUrl(gallery, { client_id: `${gallery.clientSite}/missing.json` })),
  },
  {
    name: 'consent-expired',
    as: 'ines',
    routes: ['GET /oauth/consent'],
    open: at('/oauth/consent?id=unknown'),
  },
  {
    name: 'authorization-error-with-link',
    as: 'ines',
    routes: ['GET /oauth/authorize'],
    open: (tab, gallery) => tab.goto(authorizeUrl(gallery, { scope: 'everything' })),
  },
  { name: 'calendar-empty', as: 'noor', routes: ['GET /settings/calendar'], open: at('/settings/calendar') },
  {
    name: 'calendar-created',
    as: 'ines',
    routes: ['POST /settings/calendar', 'GET /calendar/{secret}.ics'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/calendar`)
      // The link exists on a second tour.
      const create = tab.getByRole('button', { name: 'Create calendar link' })
      if ((await create.count()) === 0) await tab.getByText('Create a new link').click()
      await create.or(tab.getByRole('button', { name: 'Replace link' })).click()
      await tab.getByRole('heading', { name: 'Your calendar' }).waitFor()
    },
  },
  {
    name: 'calendar',
    as: 'ines',
    routes: ['POST /settings/calendar/notes', 'POST /settings/calendar/delete'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/calendar`)
      await tab.getByRole('button', { name: 'Save' }).click()
      await tab.locator('.notice[role=status]').waitFor()
    },
  },
  {
    name: 'deleted-flights',
    as: 'ines',
    routes: ['GET /settings/deleted'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/deleted`)
      if ((await tab.getByRole('button', { name: 'Restore' }).count()) === 0) {
        await tab.goto(`${base}/?year=2023`)
        await tab.locator('.flights a.route').first().click()
        await tab.locator('summary', { hasText: 'Delete this flight' }).click()
        await tab.getByRole('button', { name: 'Delete flight' }).click()
        await tab.getByText('The flight was deleted.').waitFor()
        await tab.goto(`${base}/settings/deleted`)
      }
      await tab.getByRole('button', { name: 'Restore' }).first().waitFor()
    },
  },
  { name: 'deleted-flights-empty', as: 'noor', routes: ['GET /settings/deleted'], open: at('/settings/deleted') },
  { name: 'security-empty', as: 'noor', routes: ['GET /settings/security'], open: at('/settings/security') },
  {
    name: 'security',
    as: 'ines',
    routes: ['GET /settings/security'],
    async open(tab, gallery) {
      await openConsent(tab, gallery)
      await tab.getByRole('button', { name: 'Approve' }).click()
      await tab.getByRole('heading', { level: 1 }).waitFor()
      await tab.goto(`${gallery.base}/settings/security`)
    },
  },
  {
    name: 'security-new-passkey',
    as: 'ines',
    routes: ['GET /settings/security'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/security`)
      // Hidden without scripts.
      const form = tab.locator('summary', { hasText: 'New passkey' })
      if (await form.isVisible()) await form.click()
    },
  },
  {
    name: 'security-errors',
    as: 'noor',
    routes: ['POST /settings/security/keys'],
    open: withErrors('/settings/security', async (tab) => {
      await expandNewKey(tab)
      await tab.getByLabel('Choose permissions').check()
      await tab.getByRole('button', { name: 'Create key' }).click()
    }),
  },
  {
    name: 'security-password-errors',
    as: 'ines',
    routes: ['POST /settings/security/password'],
    open: withErrors('/settings/security', async (tab) => {
      await tab.getByLabel('Current password').fill('not this one')
      await tab.getByLabel('New password').fill('a quite different one')
      await tab.getByRole('button', { name: 'Change password' }).click()
    }),
  },
  {
    name: 'security-deletion-errors',
    as: 'noor',
    routes: ['POST /settings/security/delete'],
    open: withErrors('/settings/security', async (tab) => {
      await tab.locator('summary', { hasText: 'Delete my account' }).click()
      await tab.getByLabel(/^Type .+ to confirm$/).fill('someone else')
      await tab.getByRole('button', { name: 'Delete my account' }).click()
    }),
  },
  {
    name: 'key-created',
    as: 'noor',
    routes: ['POST /settings/security/keys'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/security`)
      await expandNewKey(tab)
      await tab.getByLabel('Name', { exact: true }).fill('Trip board')
      await tab.getByLabel('Read and add flights').check()
      await tab.getByRole('button', { name: 'Create key' }).click()
      await tab.getByRole('heading', { name: 'Your new API key' }).waitFor()
    },
  },
]
