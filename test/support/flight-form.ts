import type { Permission } from '../../src/access/permissions.ts'
import { browserSession } from './browser-session.ts'
import { referenceRows } from './factory.ts'
import { fieldsIn } from './form-fields.ts'
import { signedIn } from './pages.ts'

export const NEW_FLIGHT = '/flights/new'

type Fields = Record<string, string | string[]>

export const route = { from: 'ZRH', to: 'lis', date: '2025-05-03' }

/** The pages of flights, used without scripts. */
export async function flightLog(options: Parameters<typeof signedIn>[0] = {}) {
  const instance = await signedIn(options)
  const places = referenceRows(instance.db)
  const api = instance.as(instance.key(instance.owner.id))
  const basePath = new URL(options.baseUrl ?? 'http://localhost').pathname.replace(/\/$/, '')

  /** Loads a form and submits it with changes. */
  async function send(path: string, changes: Fields, browser = instance.browser) {
    const page = await browser.get(basePath + path)
    return browser.post(basePath + path, { ...fieldsIn(page.html, basePath + path), ...changes })
  }
  /** Submits the form of a response. */
  const resend = (path: string, html: string, changes: Fields) =>
    instance.browser.post(basePath + path, { ...fieldsIn(html, basePath + path), ...changes })
  const newest = async () => (await api.get('/flights?limit=1')).body.data[0]
  const flight = async (id: number) => (await api.get(`/flights/${id}`)).body.data
  async function browserOf(permissions: readonly Permission[]) {
    const user = instance.user({ role: permissions })
    const browser = browserSession(instance.app)
    browser.jar.set('paxlog', await instance.services.sessions.start(user.id))
    return { user, browser }
  }
  return { ...instance, ...places, api, send, resend, newest, flight, browserOf }
}
