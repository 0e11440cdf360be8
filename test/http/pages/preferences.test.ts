import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'

const PAGE = '/settings/preferences'

const chosenIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<select[^>]* name="(\w+)".*?<option value="(\w+)" selected/gs)].map(([, name, value]) => [
      name,
      value,
    ]),
  )

const defaults = {
  language: 'auto',
  theme: 'auto',
  dateFormat: 'auto',
  timeFormat: 'auto',
  flightTimeDisplay: 'airport',
  distanceUnit: 'km',
  weekStartsOn: 'auto',
  windSpeedUnit: 'kt',
  temperatureUnit: 'c',
  pressureUnit: 'hpa',
}

describe('preferences page', () => {
  test('redirects to the sign-in and back', async () => {
    const { app } = await signedIn()
    expect(await browserSession(app).get(PAGE)).toMatchObject({
      status: 303,
      location: '/login?next=%2Fsettings%2Fpreferences',
    })
  })

  test('shows the ten preferences, saves them for the API too, and shows a notice once', async () => {
    const { browser, as, key, owner } = await signedIn()
    expect(chosenIn((await browser.get(PAGE)).html)).toEqual(defaults)
    const changed = { ...defaults, distanceUnit: 'nm', timeFormat: '12h', pressureUnit: 'inhg' }
    expect(await browser.submit(PAGE, PAGE, changed)).toMatchObject({ status: 303, location: PAGE })
    const { html } = await browser.get(PAGE)
    expect(chosenIn(html)).toEqual(changed)
    expect(html).toContain('Your preferences were saved.')
    expect((await browser.get(PAGE)).html).not.toContain('Your preferences were saved.')
    expect((await as(key(owner.id)).get('/preferences')).body.data).toEqual(changed)
  })

  test('sets the theme of the document, without a choice that of the system', async () => {
    const { browser } = await signedIn()
    const { html } = await browser.get('/')
    expect(html).toMatch(/<html lang="en"><head>/)
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
    expect(await browser.submit('/map', '/settings/theme', { theme: 'dark', next: '/map' })).toMatchObject({
      status: 303,
      location: '/map',
    })
    const dark = (await browser.get('/map')).html
    expect(dark).toContain('<html lang="en" data-theme="dark">')
    expect(dark).toContain('<meta name="color-scheme" content="dark"/>')
    expect(dark).toContain('value="dark" aria-pressed="true"')
  })

  test('returns from the theme switch only to pages of this instance', async () => {
    const { browser } = await signedIn()
    for (const next of ['https://example.org/', '//example.org', '/\\example.org', '/./example.org', 'login']) {
      expect(await browser.submit('/', '/settings/theme', { theme: 'light', next })).toMatchObject({ location: '/' })
    }
  })

  test('rejects an unknown theme', async () => {
    const { browser } = await signedIn()
    expect((await browser.submit('/', '/settings/theme', { theme: 'sepia' })).status).toBe(422)
    expect((await browser.submit('/', '/settings/theme', {})).status).toBe(422)
    expect(chosenIn((await browser.get(PAGE)).html)).toEqual(defaults)
  })

  test('shows the profile, with a link to change the name if permitted', async () => {
    const { browser, app, owner, user, services } = await signedIn()
    const { html } = await browser.get(PAGE)
    expect(html).toContain('<dt>Name</dt><dd><bdi>Mira</bdi></dd>')
    expect(html).toContain('<dt>Role</dt><dd>Owner of this instance</dd>')
    expect(html).toContain(`<a class="standalone" href="/admin/users/${owner.id}">Change your name</a>`)
    expect((await browser.get(`/admin/users/${owner.id}`)).status).toBe(200)
    const userBrowser = browserSession(app)
    userBrowser.jar.set('paxlog', await services.sessions.start(user({ username: 'noor' }).id))
    const userPage = (await userBrowser.get(PAGE)).html
    expect(userPage).toContain('<dt>Username</dt><dd>noor</dd>')
    expect(userPage).not.toContain('Change your name')
  })

  test('rejects an unknown value and keeps the others', async () => {
    const { browser } = await signedIn()
    const answer = await browser.submit(PAGE, PAGE, { ...defaults, distanceUnit: 'league', timeFormat: '24h' })
    expect(answer.status).toBe(422)
    expect(answer.html).toMatch(/href="#distanceUnit">Distances: /)
    expect(chosenIn(answer.html)).toMatchObject({ timeFormat: '24h' })
    expect(chosenIn((await browser.get(PAGE)).html)).toEqual(defaults)
  })

  test('C2: rejects a form without a CSRF token', async () => {
    const { browser } = await signedIn()
    expect((await browser.post(PAGE, defaults)).status).toBe(403)
  })
})
