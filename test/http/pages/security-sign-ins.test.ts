import { describe, expect, test } from 'vitest'
import { browserSession, csrfIn } from '../../support/browser-session.ts'
import { PASSWORD, signedIn } from '../../support/pages.ts'

const PAGE = '/settings/security'
const keyIn = (html: string) => /pxl_[0-9A-Za-z]{43}/.exec(html)?.[0] ?? ''

describe('new API key page', () => {
  test('creates no second key on reload', async () => {
    const { browser, services, owner } = await signedIn()
    const { html } = await browser.get(PAGE)
    const once = /name="once" value="(\w+)"/.exec(html)![1]!
    const form = { csrf: csrfIn(html), once, name: 'board', scope: 'profile.read' }
    const nameless = await browser.post(`${PAGE}/keys`, { ...form, name: '' })
    expect(nameless.status).toBe(422)
    expect(keyIn((await browser.post(`${PAGE}/keys`, form)).html)).not.toBe('')
    const again = await browser.post(`${PAGE}/keys`, form)
    expect([again.status, again.location]).toEqual([303, PAGE])
    expect((await browser.get(PAGE)).html).toContain('This key was already created.')
    expect(services.keys.listOf(owner.id)).toHaveLength(1)
    // Another form creates another key.
    await browser.submit(PAGE, `${PAGE}/keys`, { ...form, once: 'another' })
    expect(services.keys.listOf(owner.id)).toHaveLength(2)
  })
})

describe('sessions in other browsers', () => {
  test('are listed and can be ended one by one or all at once, but not by other users', async () => {
    const { browser, app, services, owner, user } = await signedIn()
    const startSession = async () => {
      const session = browserSession(app)
      session.jar.set('paxlog', await services.sessions.start(owner.id))
      return session
    }
    const [phone, tablet] = [await startSession(), await startSession()]
    const otherUser = browserSession(app)
    otherUser.jar.set('paxlog', await services.sessions.start(user().id))
    const handles = async () =>
      [...(await browser.get(PAGE)).html.matchAll(/sessions\/([\w-]{22})\/end"/g)].map(([, handle]) => handle!)
    const { html } = await browser.get(PAGE)
    expect([html.match(/This browser/g)?.length, html.match(/Another browser/g)?.length]).toEqual([1, 2])
    expect(html).not.toContain(browser.jar.get('paxlog'))
    const [first] = await handles()
    expect((await otherUser.submit(PAGE, `${PAGE}/sessions/${first}/end`, {})).status).toBe(404)
    expect((await browser.post(`${PAGE}/sessions/${first}/end`, { csrf: 'wrong' })).status).toBe(403)
    expect(await handles()).toHaveLength(2)
    expect((await browser.submit(PAGE, `${PAGE}/sessions/${first}/end`, {})).location).toBe(PAGE)
    const open = await Promise.all([phone, tablet].map(async (session) => (await session.get(PAGE)).status))
    expect(open.toSorted()).toEqual([200, 303])
    expect((await browser.submit(PAGE, `${PAGE}/sessions/end`, {})).location).toBe(PAGE)
    expect([(await phone.get(PAGE)).status, (await tablet.get(PAGE)).status]).toEqual([303, 303])
    expect([(await browser.get(PAGE)).status, (await otherUser.get(PAGE)).status]).toEqual([200, 200])
    expect((await browser.get(PAGE)).html).not.toContain('Sign out everywhere else')
  })
})

test('sessions with the same browser and system are one device, which is signed out as a whole', async () => {
  const { app, services, owner } = await signedIn()
  const onFirefox = { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' } }
  const onPhone = { headers: { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Firefox/140.0' } }
  const signInWith = async (options: typeof onFirefox) => {
    const session = browserSession(app, options)
    await session.signIn('mira', PASSWORD)
    return session
  }
  const browser = await signInWith(onFirefox)
  const others = [await signInWith(onFirefox), await signInWith(onFirefox)]
  const phones = [await signInWith(onPhone), await signInWith(onPhone)]
  const { html } = await browser.get(PAGE)
  expect(html).toContain('<strong>Firefox on Linux</strong> (this browser)')
  expect([html.match(/<strong>Firefox on/g)?.length, html.match(/3 sign-ins since/g)?.length]).toEqual([2, 1])
  const endOf = (page: string, button: string) =>
    new RegExp(`action="([^"]+/end)"(?:(?!</form>).)*${button}`, 's').exec(page)![1]!
  const statuses = async (sessions: typeof phones) =>
    Promise.all(sessions.map(async (one) => (await one.get(PAGE)).status))
  await browser.submit(PAGE, endOf(html, 'Sign out<span class="unseen"> Firefox on Android'), {})
  expect(await statuses(phones)).toEqual([303, 303])
  expect(await statuses([browser, ...others])).toEqual([200, 200, 200])
  await browser.submit(PAGE, endOf((await browser.get(PAGE)).html, 'Sign out the others'), {})
  expect(await statuses([browser, ...others])).toEqual([200, 303, 303])
  expect(services.sessions.listOf(owner.id, browser.jar.get('paxlog')!).find(({ isCurrent }) => isCurrent)?.count).toBe(
    1,
  )
})

test('sessions are labelled with a known browser and system, never with the text of the user agent', async () => {
  const { browser, app } = await signedIn()
  const phone = browserSession(app, {
    headers: { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Firefox/140.0' },
  })
  await phone.signIn('mira', PASSWORD)
  const unknown = browserSession(app, { headers: { 'user-agent': `Mine <b>Linux ${'x'.repeat(5000)}` } })
  await unknown.signIn('mira', PASSWORD)
  const { html } = await browser.get(PAGE)
  expect(html).toContain('<strong>Firefox on Android</strong>')
  expect(html).toContain('<strong>Linux</strong>')
  expect(html).toContain('<strong>This browser</strong>')
  expect((await phone.get(PAGE)).html).toContain('<strong>Firefox on Android</strong> (this browser)')
  // A new password starts a new session in the same browser.
  await phone.submit(PAGE, `${PAGE}/password`, { current: PASSWORD, password: 'another good password' })
  expect((await phone.get(PAGE)).html).toContain('<strong>Firefox on Android</strong> (this browser)')
})

describe('password change', () => {
  test('deletes the selected keys of the user and no others', async () => {
    const { browser, services, owner, user } = await signedIn()
    const createKey = async (name: string, id = owner.id) =>
      (await services.keys.create({ id, permissions: new Set() }, { name, scopes: ['profile.read'] })).id
    const [kept, leaked, foreign] = [
      await createKey('kept'),
      await createKey('leaked'),
      await createKey('foreign', user().id),
    ]
    expect((await browser.get(PAGE)).html).toContain('Delete these API keys too')
    const form = { current: PASSWORD, password: 'another long one', key: [leaked, foreign].map(String) }
    const wrong = await browser.submit(PAGE, `${PAGE}/password`, { ...form, current: 'wrong one' })
    expect([wrong.status, services.keys.listOf(owner.id).length]).toEqual([422, 2])
    expect((await browser.submit(PAGE, `${PAGE}/password`, form)).location).toBe(PAGE)
    expect((await browser.get(PAGE)).html).toContain('Deleted 1 API key.')
    const left = services.keys.list().map(({ id }) => id)
    expect([left.includes(kept), left.includes(leaked), left.includes(foreign)]).toEqual([true, false, true])
  })
})
