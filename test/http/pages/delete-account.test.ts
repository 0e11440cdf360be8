import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { browserSession } from '../../support/browser-session.ts'
import { PASSWORD, signedIn } from '../../support/pages.ts'

const PAGE = '/settings/security'

/** Signs in a user without permissions over accounts in a separate browser. */
async function setUp() {
  const instance = await signedIn()
  const { services, app } = instance
  await services.users.create(operator, { username: 'Noor', displayName: 'Noor', password: PASSWORD })
  const { id } = services.users.findByName('noor')!
  const userBrowser = browserSession(app)
  await userBrowser.signIn('noor', PASSWORD)
  const remove = (fields: Record<string, string>) => userBrowser.submit(PAGE, `${PAGE}/delete`, fields)
  return { ...instance, id, userBrowser, remove }
}

describe('Delete my account', () => {
  test('deletes the account with its sessions and keys and shows a confirmation', async () => {
    const { userBrowser, remove, id, key, as, services, app } = await setUp()
    const other = browserSession(app)
    await other.signIn('noor', PASSWORD)
    const apiKey = key(id, ['profile.read'])
    expect((await userBrowser.get(PAGE)).html).toContain('<h2 id="delete-account">Delete my account</h2>')
    const answer = await remove({ password: PASSWORD, confirm: ' noor ' })
    expect(answer.status).toBe(200)
    expect(answer.html).toContain('<h1>Your account was deleted</h1>')
    expect(userBrowser.jar.has('paxlog')).toBe(false)
    expect(services.users.findByName('noor')).toBeUndefined()
    expect((await as(apiKey).get('/me')).status).toBe(401)
    expect((await other.get('/')).location).toMatch(/^\/login/)
  })

  test('asks for the username and the password and reports which one is wrong', async () => {
    const { remove, services } = await setUp()
    for (const [fields, reason] of [
      [{}, 'Must be your username, Noor.'],
      [{ password: PASSWORD, confirm: 'mira' }, 'Must be your username, Noor.'],
      [{ password: 'not this one', confirm: 'Noor' }, 'This is not your password.'],
      [{ confirm: 'Noor' }, 'This is not your password.'],
    ] as const) {
      const answer = await remove({ ...fields })
      expect(answer.status).toBe(422)
      expect(answer.html).toContain(reason)
    }
    const both = await remove({})
    for (const id of ['confirm', 'password']) expect(both.html).toContain(`id="delete-${id}-error"`)
    const kept = await remove({ password: 'not this one', confirm: 'Noor' })
    expect(kept.html).toMatch(/<input type="text" value="Noor"[^>]* name="confirm"/)
    expect(services.users.findByName('noor')).toBeDefined()
  })

  test('shares its limit with password changes', async () => {
    const { remove, userBrowser } = await setUp()
    for (let count = 0; count < 4; count++) await remove({ password: 'wrong', confirm: 'noor' })
    await userBrowser.submit(PAGE, `${PAGE}/password`, { current: 'wrong', password: 'another good one' })
    const answer = await remove({ password: PASSWORD, confirm: 'noor' })
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true])
  })

  test('is hidden from the owner and returns 403', async () => {
    const { browser, services } = await signedIn()
    expect((await browser.get(PAGE)).html).not.toContain('Delete my account')
    const answer = await browser.submit(PAGE, `${PAGE}/delete`, { password: PASSWORD, confirm: 'mira' })
    expect([answer.status, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    await expect(services.users.deleteOwnAccount(services.users.owner()!.id, PASSWORD)).rejects.toThrow(
      'The owner cannot be deleted.',
    )
    expect(services.users.owner()?.username).toBe('mira')
  })

  test('rejects a form without a CSRF token', async () => {
    const { userBrowser, services } = await setUp()
    const answer = await userBrowser.post(`${PAGE}/delete`, { password: PASSWORD, confirm: 'noor' })
    expect(answer.status).toBe(403)
    expect(services.users.findByName('noor')).toBeDefined()
  })
})
