import { describe, expect, test } from 'vitest'
import { browserSession, csrfIn } from '../../support/browser-session.ts'
import { PASSWORD } from '../../support/pages.ts'
import { paxlog } from '../../support/paxlog.ts'

const validForm = { username: 'mira', displayName: 'Mira Holm', password: PASSWORD }

describe('setup page', () => {
  test('is shown instead of other pages while there is no owner', async () => {
    const { app } = await paxlog()
    const browser = browserSession(app)
    const home = await browser.get('/')
    expect(home.location).toBe('/login?next=%2F')
    expect((await browser.get(home.location!)).location).toBe('/setup?next=%2F')
    expect((await browser.get('/setup')).html).toContain('Welcome to Paxlog')
  })

  test('creates the owner, signs in and redirects to next', async () => {
    const { app, services } = await paxlog()
    const browser = browserSession(app)
    const answer = await browser.submit('/setup', '/setup', { ...validForm, next: '/settings/security' })
    expect(answer).toMatchObject({ status: 303, location: '/settings/security' })
    expect(services.users.owner()).toMatchObject({ username: 'mira', displayName: 'Mira Holm', roleId: null })
    expect((await browser.get('/')).html).toContain('Mira Holm')
    // The sign-in of the owner is recorded.
    expect((await browser.get('/settings/activity')).html).toContain('mira signed in with a password.')
  })

  test('defaults the name to the username', async () => {
    const { app, services } = await paxlog()
    await browserSession(app).submit('/setup', '/setup', { ...validForm, displayName: '  ' })
    expect(services.users.owner()!.displayName).toBe('mira')
  })

  test('shows all errors and keeps the entries except the password', async () => {
    const { app, services } = await paxlog()
    const fields = { username: 'a b', displayName: 'Mi', password: 'short&"' }
    const { status, html } = await browserSession(app).submit('/setup', '/setup', fields)
    expect(status).toBe(422)
    expect(services.users.owner()).toBeUndefined()
    for (const id of ['username', 'display-name', 'password']) {
      expect(html).toContain(`<a href="#${id}">`)
      expect(html).toMatch(new RegExp(`<p class="field-error" id="${id}-error">(Must|May)`))
      expect(html).toMatch(new RegExp(`aria-describedby="${id}-hint ${id}-error" aria-invalid="true"`))
    }
    expect(html).toContain('value="a b"')
    expect(html).not.toContain('short')
    expect(html).toContain('<title>Error: ')
  })

  test('reports a taken name on its field', async () => {
    const { app, user } = await paxlog()
    user({ username: 'Mira' })
    const { status, html } = await browserSession(app).submit('/setup', '/setup', validForm)
    expect(status).toBe(422)
    expect(html).toContain('id="username-error">The username mira is taken.')
  })

  test('accepts one of two concurrent submissions and returns 409 for the other', async () => {
    const { app, services } = await paxlog()
    const browsers = [browserSession(app), browserSession(app)]
    const answers = await Promise.all(
      browsers.map(async (browser, index) => {
        const csrf = csrfIn((await browser.get('/setup')).html)
        return browser.post('/setup', { ...validForm, username: `mira${index}`, csrf })
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
    const rejected = answers.find(({ status }) => status === 409)!
    expect(rejected.html).toContain('already has an owner')
    expect(services.users.owner()).toBeDefined()
  })

  test('redirects to the sign-in once there is an owner', async () => {
    const { app, services } = await paxlog()
    const browser = browserSession(app)
    const csrf = csrfIn((await browser.get('/setup')).html)
    await services.users.createOwner({ username: 'first', password: PASSWORD })
    expect(await browser.get('/setup')).toMatchObject({ status: 303, location: '/login' })
    expect(await browser.post('/setup', { ...validForm, csrf })).toMatchObject({ status: 303, location: '/login' })
    expect(services.users.findByName('mira')).toBeUndefined()
  })

  test('C4: requires the CSRF token of this browser', async () => {
    const { app, services } = await paxlog()
    const browser = browserSession(app)
    await browser.get('/setup')
    expect((await browser.post('/setup', validForm)).status).toBe(403)
    expect(services.users.owner()).toBeUndefined()
  })
})
