import { describe, expect, test } from 'vitest'
import { browserSession, csrfIn } from '../../support/browser-session.ts'
import { PASSWORD } from '../../support/pages.ts'
import { paxlog } from '../../support/paxlog.ts'

const good = { username: 'mira', displayName: 'Mira Holm', password: PASSWORD }

describe('the set-up page', () => {
  test('is where every page leads while there is no owner', async () => {
    const { app } = await paxlog()
    const browser = browserSession(app)
    const asked = await browser.get('/')
    expect(asked.location).toBe('/login?next=%2F')
    expect((await browser.get(asked.location!)).location).toBe('/setup?next=%2F')
    expect((await browser.get('/setup')).html).toContain('Welcome to Paxlog')
  })

  test('creates the owner, signs in and leads to next', async () => {
    const { app, services } = await paxlog()
    const browser = browserSession(app)
    const answer = await browser.submit('/setup', '/setup', { ...good, next: '/settings/security' })
    expect(answer).toMatchObject({ status: 303, location: '/settings/security' })
    expect(services.users.owner()).toMatchObject({ username: 'mira', displayName: 'Mira Holm', roleId: null })
    expect((await browser.get('/')).html).toContain('Mira Holm')
    // The owner is signed in by it, which is recorded like every sign-in.
    expect((await browser.get('/settings/activity')).html).toContain('mira signed in.')
  })

  test('names the owner by the user name when no other name is given', async () => {
    const { app, services } = await paxlog()
    await browserSession(app).submit('/setup', '/setup', { ...good, displayName: '  ' })
    expect(services.users.owner()!.displayName).toBe('mira')
  })

  test('returns the form with every fault beside its field, and what was typed, but no password', async () => {
    const { app, services } = await paxlog()
    const fields = { username: 'a b', displayName: 'Mi', password: 'short&"' }
    const { status, html } = await browserSession(app).submit('/setup', '/setup', fields)
    expect(status).toBe(422)
    expect(services.users.owner()).toBeUndefined()
    for (const id of ['username', 'display-name', 'password']) {
      expect(html).toContain(`<a href="#${id}">`)
      expect(html).toMatch(new RegExp(`<p class="fault" id="${id}-fault">(Must|May)`))
      expect(html).toMatch(new RegExp(`aria-describedby="${id}-hint ${id}-fault" aria-invalid="true"`))
    }
    expect(html).toContain('value="a b"')
    expect(html).not.toContain('short')
    expect(html).toContain('<title>Error: ')
  })

  test('says so beside the field when another account has the name', async () => {
    const { app, user } = await paxlog()
    user({ username: 'Mira' })
    const { status, html } = await browserSession(app).submit('/setup', '/setup', good)
    expect(status).toBe(422)
    expect(html).toContain('id="username-fault">The user name mira is taken.')
  })

  test('lets one of two simultaneous submissions win; the other gets a 409 page', async () => {
    const { app, services } = await paxlog()
    const browsers = [browserSession(app), browserSession(app)]
    const answers = await Promise.all(
      browsers.map(async (browser, index) => {
        const csrf = csrfIn((await browser.get('/setup')).html)
        return browser.post('/setup', { ...good, username: `mira${index}`, csrf })
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
    const loser = answers.find(({ status }) => status === 409)!
    expect(loser.html).toContain('already has an owner')
    expect(services.users.owner()).toBeDefined()
  })

  test('is gone once there is an owner', async () => {
    const { app, services } = await paxlog()
    const browser = browserSession(app)
    const csrf = csrfIn((await browser.get('/setup')).html)
    await services.users.createOwner({ username: 'first', password: PASSWORD })
    expect(await browser.get('/setup')).toMatchObject({ status: 303, location: '/login' })
    expect(await browser.post('/setup', { ...good, csrf })).toMatchObject({ status: 303, location: '/login' })
    expect(services.users.findByName('mira')).toBeUndefined()
  })

  test('C4: needs the hidden value of this browser', async () => {
    const { app, services } = await paxlog()
    const browser = browserSession(app)
    await browser.get('/setup')
    expect((await browser.post('/setup', good)).status).toBe(403)
    expect(services.users.owner()).toBeUndefined()
  })
})
