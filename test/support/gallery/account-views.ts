import type { Page } from 'playwright-core'
import { pkce } from '../oauth-client.ts'
import type { Gallery } from './instances.ts'
import { at, faulty, type View } from './view.ts'

const CHANGE_SHARE = 'Edit count'

/** An application that asks for a part of what there is. */
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

async function consent(tab: Page, gallery: Gallery) {
  await tab.goto(authorizeUrl(gallery))
  await tab.getByRole('heading', { name: 'Connect Trip board?' }).waitFor()
}

/** Open already for whoever has no key. */
async function unfoldNewKey(tab: Page) {
  if (!(await tab.getByLabel('Name').isVisible())) await tab.locator('summary', { hasText: 'New API key' }).click()
}

/** Sharing, keys, applications and the rest of what belongs to one account. */
export const accountViews: readonly View[] = [
  { name: 'preferences', as: 'ines', routes: ['GET /settings/preferences'], open: at('/settings/preferences') },
  {
    name: 'preferences-saved',
    as: 'ines',
    routes: ['POST /settings/preferences'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/preferences`)
      await tab.getByRole('button', { name: 'Save' }).click()
      await tab.getByRole('status').waitFor()
    },
  },
  { name: 'shares', as: 'ines', routes: ['GET /settings/shares'], open: at('/settings/shares') },
  { name: 'shares-empty', as: 'noor', routes: ['GET /settings/shares'], open: at('/settings/shares') },
  {
    name: 'shares-faults',
    as: 'noor',
    routes: ['POST /settings/shares'],
    open: faulty('/settings/shares', async (tab) => {
      await tab.getByLabel('Address').fill('two words')
      await tab.getByLabel('First day').fill('2024-02-01')
      await tab.getByLabel('Last day').fill('2024-01-01')
      await tab.getByRole('button', { name: 'Create share' }).click()
    }),
  },
  {
    name: 'change-share',
    as: 'ines',
    routes: ['GET /settings/shares/{id}'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/shares`)
      await tab.getByRole('link', { name: CHANGE_SHARE }).click()
      await tab.getByRole('heading', { name: 'Share count' }).waitFor()
    },
  },
  {
    name: 'change-share-faults',
    as: 'ines',
    routes: ['POST /settings/shares/{id}'],
    open: faulty('/settings/shares', async (tab) => {
      await tab.getByRole('link', { name: CHANGE_SHARE }).click()
      await tab.getByLabel('Address').fill('map')
      await tab.getByRole('button', { name: 'Save' }).click()
    }),
  },
  { name: 'own-activity', as: 'ines', routes: ['GET /settings/activity'], open: at('/settings/activity') },
  { name: 'consent', as: 'ines', routes: ['GET /oauth/consent'], open: consent },
  {
    name: 'consent-over',
    as: 'ines',
    routes: ['GET /oauth/consent'],
    open: at('/oauth/consent?id=unknown'),
  },
  {
    name: 'authorization-refused-with-link',
    as: 'ines',
    routes: ['GET /oauth/authorize'],
    open: (tab, gallery) => tab.goto(authorizeUrl(gallery, { scope: 'everything' })),
  },
  { name: 'calendar-empty', as: 'noor', routes: ['GET /settings/calendar'], open: at('/settings/calendar') },
  {
    name: 'calendar-made',
    as: 'ines',
    routes: ['POST /settings/calendar', 'GET /calendar/{secret}.ics'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/calendar`)
      // Whoever came this way before has one already.
      const first = tab.getByRole('button', { name: 'Create calendar link' })
      if ((await first.count()) === 0) await tab.getByText('Create a new link').click()
      await first.or(tab.getByRole('button', { name: 'Replace link' })).click()
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
      await tab.getByRole('status').waitFor()
    },
  },
  { name: 'security-empty', as: 'noor', routes: ['GET /settings/security'], open: at('/settings/security') },
  {
    name: 'security',
    as: 'ines',
    routes: ['GET /settings/security'],
    async open(tab, gallery) {
      await consent(tab, gallery)
      await tab.getByRole('button', { name: 'Approve' }).click()
      await tab.getByRole('heading', { level: 1 }).waitFor()
      await tab.goto(`${gallery.base}/settings/security`)
    },
  },
  {
    name: 'security-faults',
    as: 'noor',
    routes: ['POST /settings/security/keys'],
    open: faulty('/settings/security', async (tab) => {
      await unfoldNewKey(tab)
      await tab.getByRole('button', { name: 'Create key' }).click()
    }),
  },
  {
    name: 'security-password-faults',
    as: 'ines',
    routes: ['POST /settings/security/password'],
    open: faulty('/settings/security', async (tab) => {
      await tab.getByLabel('Current password').fill('not this one')
      await tab.getByLabel('New password').fill('a quite different one')
      await tab.getByRole('button', { name: 'Change password' }).click()
    }),
  },
  {
    name: 'security-deletion-faults',
    as: 'noor',
    routes: ['POST /settings/security/delete'],
    open: faulty('/settings/security', async (tab) => {
      await tab.locator('summary', { hasText: 'Delete my account' }).click()
      await tab.getByLabel('to confirm').fill('somebody')
      await tab.getByRole('button', { name: 'Delete my account' }).click()
    }),
  },
  {
    name: 'key-created',
    as: 'noor',
    routes: ['POST /settings/security/keys'],
    async open(tab, { base }) {
      await tab.goto(`${base}/settings/security`)
      await unfoldNewKey(tab)
      await tab.getByLabel('Name').fill('Trip board')
      await tab.getByRole('button', { name: 'Create key' }).click()
      await tab.getByRole('heading', { name: 'Your new API key' }).waitFor()
    },
  },
]
