import { operator } from '../../src/access/caller.ts'
import type { Permission } from '../../src/access/permissions.ts'
import { browserSession } from './browser-session.ts'
import { PASSWORD } from './pages.ts'
import type { Paxlog } from './paxlog.ts'

/** A browser that is signed in as a user with exactly these permissions. */
export async function signInWith(instance: Paxlog, permissions: readonly Permission[] | string, username: string) {
  const roleId = typeof permissions === 'string' ? permissions : instance.role(permissions)
  const { id } = await instance.services.users.create(operator, { username, password: PASSWORD, roleId })
  const browser = browserSession(instance.app, { address: `10.0.0.${username.length}` })
  const answer = await browser.signIn(username, PASSWORD)
  if (answer.status !== 303) throw new Error(`${username} could not sign in: ${answer.status}`)
  return { id, username, roleId, browser }
}

/** The messages of the error summary of a form. */
export const summaryIn = (html: string): string[] =>
  [
    ...(/<div class="summary" role="alert">(.*?)<\/div>/s.exec(html)?.[1]?.matchAll(/<a href="[^"]*">(.*?)<\/a>/gs) ??
      []),
  ].map(([, text]) => text!.replaceAll('&#39;', "'"))

/** The notice about the previous action. */
export const noticeIn = (html: string): string | undefined =>
  /<p class="notice" role="status">(.*?)<\/p>/s.exec(html)?.[1]
