import type { Page } from 'playwright-core'
import { at, faulty, type View } from './view.ts'

const [users, roles, customFields] = ['/admin/users', '/admin/roles', '/admin/custom-fields']

const openOne = async (tab: Page, link: string) => {
  await tab.getByRole('link', { name: link }).click()
  await tab.getByRole('heading', { level: 1, name: link }).waitFor()
}

const one = (list: string, link: string): View['open'] =>
  async function open(tab, { base }) {
    await tab.goto(base + list)
    await openOne(tab, link)
  }

/** A form that is folded away until its button is pressed. */
const unfold = (tab: Page, button: string) => tab.locator('summary', { hasText: button }).click()

/** Users, roles and custom fields. */
export const administrationViews: readonly View[] = [
  { name: 'error-forbidden', as: 'noor', routes: [], open: at(roles) },
  { name: 'users-of-reader', as: 'noor', routes: [`GET ${users}`], open: at(users) },
  { name: 'users', as: 'ines', routes: [`GET ${users}`], open: at(users) },
  { name: 'users-none-found', as: 'ines', routes: [`GET ${users}`], open: at(`${users}?q=zzz`) },
  {
    name: 'users-faults',
    as: 'ines',
    routes: [`POST ${users}`],
    open: faulty(users, async (tab) => {
      await unfold(tab, 'New user')
      await tab.getByLabel('User name').fill('noor')
      await tab.getByLabel('Password').fill('a long enough one')
      await tab.getByRole('button', { name: 'Create account' }).click()
    }),
  },
  { name: 'user', as: 'ines', routes: [`GET ${users}/{id}`], open: one(users, 'Jonas Müller') },
  { name: 'user-oneself', as: 'ines', routes: [`GET ${users}/{id}`], open: one(users, 'Inês Sørlie') },
  {
    name: 'user-faults',
    as: 'ines',
    routes: [`POST ${users}/{id}`],
    open: faulty(users, async (tab) => {
      await openOne(tab, 'Jonas Müller')
      await tab.getByLabel('User name').fill('a name with spaces')
      await tab.getByRole('button', { name: 'Save' }).click()
    }),
  },
  {
    name: 'user-password-faults',
    as: 'ines',
    routes: [`POST ${users}/{id}/password`],
    open: faulty(users, async (tab) => {
      await openOne(tab, 'Jonas Müller')
      await tab.locator('input[name=password]').fill('short')
      await tab.getByRole('button', { name: 'Set password' }).click()
    }),
  },
  { name: 'roles', as: 'ines', routes: [`GET ${roles}`], open: at(roles) },
  {
    name: 'roles-faults',
    as: 'ines',
    routes: [`POST ${roles}`],
    open: faulty(roles, async (tab) => {
      await unfold(tab, 'New role')
      await tab.getByRole('button', { name: 'Create role' }).click()
    }),
  },
  { name: 'role', as: 'ines', routes: [`GET ${roles}/{id}`], open: at(`${roles}/role-user`) },
  {
    name: 'role-faults',
    as: 'ines',
    routes: [`POST ${roles}/{id}`],
    open: faulty(`${roles}/role-user`, async (tab) => {
      await tab.getByLabel('Name').fill('')
      await tab.getByRole('button', { name: 'Save' }).click()
    }),
  },
  { name: 'custom-fields', as: 'ines', routes: [`GET ${customFields}`], open: at(customFields) },
  {
    name: 'custom-fields-faults',
    as: 'ines',
    routes: [`POST ${customFields}`],
    open: faulty(customFields, async (tab) => {
      await unfold(tab, 'New custom field')
      await tab.getByLabel('Key').fill('Not a key')
      await tab.getByRole('button', { name: 'Add field' }).click()
    }),
  },
  { name: 'custom-field', as: 'ines', routes: [`GET ${customFields}/{id}`], open: one(customFields, 'Meal') },
  {
    name: 'custom-field-faults',
    as: 'ines',
    routes: [`POST ${customFields}/{id}`],
    open: faulty(customFields, async (tab) => {
      await openOne(tab, 'Meal')
      await tab.getByLabel('Label').fill('')
      await tab.getByLabel('Options').fill('')
      await tab.getByRole('button', { name: 'Save' }).click()
    }),
  },
  { name: 'activity', as: 'ines', routes: ['GET /admin/activity'], open: at('/admin/activity') },
  {
    name: 'activity-none-found',
    as: 'ines',
    routes: ['GET /admin/activity'],
    open: at('/admin/activity?person=nobody&kind=role.deleted'),
  },
  { name: 'operation', as: 'ines', routes: ['GET /docs/{operation}'], open: at('/docs/createFlight') },
]
