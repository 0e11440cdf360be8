import type { Page } from 'playwright-core'
import { at, type View, withErrors } from './view.ts'

const [users, roles, customFields] = ['/admin/users', '/admin/roles', '/admin/custom-fields']

const openLink = async (tab: Page, link: string) => {
  await tab.getByRole('link', { name: link }).click()
  await tab.getByRole('heading', { level: 1, name: link }).waitFor()
}

const fromList = (list: string, link: string): View['open'] =>
  async function open(tab, { base }) {
    await tab.goto(base + list)
    await openLink(tab, link)
  }

/** Expands a collapsed form. */
const expand = (tab: Page, button: string) => tab.locator('summary', { hasText: button }).click()

/** Users, roles, custom fields and activity. */
export const administrationViews: readonly View[] = [
  { name: 'error-forbidden', as: 'noor', routes: [], open: at(roles) },
  { name: 'users-read-only', as: 'noor', routes: [`GET ${users}`], open: at(users) },
  { name: 'users', as: 'ines', routes: [`GET ${users}`], open: at(users) },
  { name: 'users-no-matches', as: 'ines', routes: [`GET ${users}`], open: at(`${users}?q=zzz`) },
  {
    name: 'users-errors',
    as: 'ines',
    routes: [`POST ${users}`],
    open: withErrors(users, async (tab) => {
      await expand(tab, 'New user')
      await tab.getByLabel('Username').fill('noor')
      await tab.getByLabel('Password').fill('a long enough one')
      await tab.getByRole('button', { name: 'Create account' }).click()
    }),
  },
  { name: 'user', as: 'ines', routes: [`GET ${users}/{id}`], open: fromList(users, 'Jonas Müller') },
  { name: 'user-self', as: 'ines', routes: [`GET ${users}/{id}`], open: fromList(users, 'Inês Sørlie') },
  {
    name: 'user-errors',
    as: 'ines',
    routes: [`POST ${users}/{id}`],
    open: withErrors(users, async (tab) => {
      await openLink(tab, 'Jonas Müller')
      await tab.getByLabel('Username').fill('a name with spaces')
      await tab.getByRole('button', { name: 'Save' }).click()
    }),
  },
  {
    name: 'user-password-errors',
    as: 'ines',
    routes: [`POST ${users}/{id}/password`],
    open: withErrors(users, async (tab) => {
      await openLink(tab, 'Jonas Müller')
      await tab.locator('input[name=password]').fill('short')
      await tab.getByRole('button', { name: 'Set password' }).click()
    }),
  },
  { name: 'roles', as: 'ines', routes: [`GET ${roles}`], open: at(roles) },
  {
    name: 'roles-errors',
    as: 'ines',
    routes: [`POST ${roles}`],
    open: withErrors(roles, async (tab) => {
      await expand(tab, 'New role')
      await tab.getByRole('button', { name: 'Create role' }).click()
    }),
  },
  { name: 'role', as: 'ines', routes: [`GET ${roles}/{id}`], open: at(`${roles}/role-user`) },
  {
    name: 'role-errors',
    as: 'ines',
    routes: [`POST ${roles}/{id}`],
    open: withErrors(`${roles}/role-user`, async (tab) => {
      await tab.getByLabel('Name', { exact: true }).fill('')
      await tab.getByRole('button', { name: 'Save' }).click()
    }),
  },
  { name: 'custom-fields', as: 'ines', routes: [`GET ${customFields}`], open: at(customFields) },
  {
    name: 'custom-fields-errors',
    as: 'ines',
    routes: [`POST ${customFields}`],
    open: withErrors(customFields, async (tab) => {
      await expand(tab, 'New custom field')
      await tab.getByLabel('Key').fill('Not a key')
      await tab.getByRole('button', { name: 'Add field' }).click()
    }),
  },
  { name: 'custom-field', as: 'ines', routes: [`GET ${customFields}/{id}`], open: fromList(customFields, 'Meal') },
  {
    name: 'custom-field-errors',
    as: 'ines',
    routes: [`POST ${customFields}/{id}`],
    open: withErrors(customFields, async (tab) => {
      await openLink(tab, 'Meal')
      await tab.getByLabel('Label').fill('')
      await tab.getByLabel('Options').fill('')
      await tab.getByRole('button', { name: 'Save' }).click()
    }),
  },
  { name: 'activity', as: 'ines', routes: ['GET /admin/activity'], open: at('/admin/activity') },
  {
    name: 'activity-no-matches',
    as: 'ines',
    routes: ['GET /admin/activity'],
    open: at('/admin/activity?person=nobody&kind=role.deleted'),
  },
  { name: 'operation', as: 'ines', routes: ['GET /docs/{operation}'], open: at('/docs/createFlight') },
]
