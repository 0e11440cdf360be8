import { describe, expect, test } from 'vitest'
import { browserSession, csrfIn, encoded, withoutCsrf } from '../../support/browser-session.ts'
import { PASSWORD, signedIn } from '../../support/pages.ts'
import { paxlog } from '../../support/paxlog.ts'

async function withOwner(options: Parameters<typeof paxlog>[0] = {}) {
  const instance = await paxlog(options)
  await instance.services.users.createOwner({ username: 'mira', displayName: 'Mira', password: PASSWORD })
  return instance
}

describe('GET /login', () => {
  test('redirects to the setup while there is no owner and keeps next', async () => {
    const { app } = await paxlog()
    const browser = browserSession(app)
    expect(await browser.get('/login')).toMatchObject({ status: 303, location: '/setup' })
    const { location } = await browser.get('/login?next=%2Fsettings%2Fsecurity')
    expect(location).toBe('/setup?next=%2Fsettings%2Fsecurity')
  })

  test('shows a form with a CSRF token that belongs to a cookie of this browser', async () => {
    const { app } = await withOwner()
    const browser = browserSession(app)
    const { status, html } = await browser.get('/login')
    expect(status).toBe(200)
    expect(csrfIn(html)).toMatch(/^[\w-]{86}$/)
    expect(browser.jar.get('paxlog-csrf')).toMatch(/^[\w-]{43}$/)
    expect(html).not.toContain(browser.jar.get('paxlog-csrf'))
    // The token is masked differently in each response to prevent compression attacks.
    expect(csrfIn((await browser.get('/login')).html)).not.toBe(csrfIn(html))
  })

  test('redirects signed-in users', async () => {
    const { browser } = await signedIn()
    expect(await browser.get('/login')).toMatchObject({ status: 303, location: '/' })
    expect(await browser.get('/login?next=/settings/security')).toMatchObject({ location: '/settings/security' })
  })
})

describe('POST /login', () => {
  test('signs in, ignores the case of the username, and redirects to the start page', async () => {
    const { app } = await withOwner()
    const browser = browserSession(app)
    expect(await browser.signIn(' Mira ', PASSWORD)).toMatchObject({ status: 303, location: '/' })
    expect((await browser.get('/')).html).toContain('Signed in as <strong>mira</strong>')
  })

  test('redirects to next with its query', async () => {
    const { app } = await withOwner()
    const browser = browserSession(app)
    const redirect = await browser.get('/settings/security?preset=all')
    expect(redirect).toMatchObject({ status: 303, location: '/login?next=%2Fsettings%2Fsecurity%3Fpreset%3Dall' })
    const { html } = await browser.get(redirect.location!)
    const next = /name="next" value="([^"]+)"/.exec(html)![1]!
    const answer = await browser.post('/login', { csrf: csrfIn(html), username: 'mira', password: PASSWORD, next })
    expect(answer.location).toBe('/settings/security?preset=all')
  })

  test('C18: returns 400 with the same page for a wrong name and a wrong password', async () => {
    const { app } = await withOwner()
    const browser = browserSession(app)
    const wrongPassword = await browser.signIn('mira', 'wrong password')
    const wrongName = await browser.signIn('nobody', 'wrong password')
    expect([wrongPassword.status, wrongName.status]).toEqual([400, 400])
    // The typed name is kept.
    expect(wrongPassword.html).toMatch(/value="mira"[^>]* name="username"/)
    expect(withoutCsrf(wrongName.html).replace('value="nobody"', 'value="mira"')).toBe(withoutCsrf(wrongPassword.html))
    expect(wrongPassword.html).not.toContain('wrong password')
    expect(wrongPassword.html).toContain('Wrong username or password.')
    expect(wrongPassword.html).toContain('role="alert"')
    expect(browser.jar.has('paxlog')).toBe(false)
  })

  test('C14: creates a new session id and ignores one that was set before', async () => {
    const { app } = await withOwner()
    const browser = browserSession(app)
    const planted = 'A'.repeat(43)
    browser.jar.set('paxlog', planted)
    await browser.signIn('mira', PASSWORD)
    const first = browser.jar.get('paxlog')!
    expect(first).not.toBe(planted)
    const attacker = browserSession(app)
    attacker.jar.set('paxlog', planted)
    expect((await attacker.get('/')).status).toBe(303)

    // A form that was open before the first sign-in still works, and its session replaces the first one.
    const csrf = csrfIn((await browserSessionWith(app, browser.jar.get('paxlog-csrf')!).get('/login')).html)
    const old = browserSession(app)
    old.jar.set('paxlog', first)
    expect((await browser.post('/login', { csrf, username: 'mira', password: PASSWORD })).status).toBe(303)
    expect(browser.jar.get('paxlog')).not.toBe(first)
    expect((await old.get('/')).status).toBe(303)
  })

  test('C17: returns 429 for the sixth attempt with one name per minute, also with the right password', async () => {
    let time = 0
    const { app } = await withOwner({ now: () => Date.parse('2026-01-01') + time })
    const browser = browserSession(app)
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await browser.signIn('mira', 'wrong password')).status).toBe(400)
    }
    time = 20_500
    const rejected = await browser.signIn('MIRA', PASSWORD)
    expect(rejected.status).toBe(429)
    expect(rejected.headers['retry-after']).toBe('40')
    expect(rejected.html).toContain('Try again in 40 seconds.')
    expect(rejected.headers['content-type']).toBe('text/html; charset=utf-8')
    expect((await browser.signIn('other', 'wrong password')).status).toBe(400)
    expect((await browserSession(app, { address: '198.51.100.7' }).signIn('mira', PASSWORD)).status).toBe(303)
    time = 59_999
    expect((await browser.signIn('mira', PASSWORD)).headers['retry-after']).toBe('1')
    time = 60_000
    expect((await browser.signIn('mira', PASSWORD)).status).toBe(303)
  })

  test('C17: returns 429 for the eleventh attempt from one address per minute, with any names', async () => {
    const { app } = await withOwner({ now: () => Date.parse('2026-01-01') })
    const browser = browserSession(app)
    const statuses = []
    for (let attempt = 0; attempt < 11; attempt++)
      statuses.push((await browser.signIn(`name${attempt}`, 'wrong')).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
  })

  test('C17: counts only attempts with a valid CSRF token', async () => {
    const { app } = await withOwner({ now: () => Date.parse('2026-01-01') })
    const browser = browserSession(app)
    for (let attempt = 0; attempt < 12; attempt++) {
      expect((await browser.post('/login', { csrf: 'wrong', username: 'mira', password: PASSWORD })).status).toBe(403)
    }
    expect((await browser.signIn('mira', PASSWORD)).status).toBe(303)
  })

  test('C20: returns 503 with Retry-After while 50 sign-ins wait for their hash', async () => {
    const { app } = await withOwner()
    const browsers = Array.from({ length: 60 }, (_, index) => browserSession(app, { address: `198.51.100.${index}` }))
    const forms = await Promise.all(browsers.map(async (browser) => csrfIn((await browser.get('/login')).html)))
    const answers = await Promise.all(
      browsers.map((browser, index) =>
        browser.post('/login', { csrf: forms[index]!, username: 'mira', password: PASSWORD }),
      ),
    )
    const busy = answers.filter(({ status }) => status === 503)
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(52)
    expect(busy).toHaveLength(8)
    expect(Number(busy[0]!.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(busy[0]!.headers['content-type']).toBe('text/html; charset=utf-8')
  })
})

/** Returns another browser with the same CSRF cookie, for forms that outlive a session. */
function browserSessionWith(app: Parameters<typeof browserSession>[0], csrfCookie: string) {
  const browser = browserSession(app)
  browser.jar.set('paxlog-csrf', csrfCookie)
  return browser
}

describe('POST /logout', () => {
  test('C22: ends the session, removes the cookie, and keeps API keys', async () => {
    const { browser, app, as, services, owner } = await signedIn()
    const account = services.users.findByName('mira')!
    const { key } = await services.keys.create(account, { name: 'board', scopes: ['profile.read'] })
    const copy = browserSession(app)
    copy.jar.set('paxlog', browser.jar.get('paxlog')!)
    expect((await copy.get('/')).status).toBe(200)
    expect(await browser.submit('/', '/logout', {})).toMatchObject({ status: 303, location: '/login' })
    expect(browser.jar.has('paxlog')).toBe(false)
    expect((await copy.get('/')).status).toBe(303)
    expect((await as(key).get('/me')).body.data.id).toBe(owner.id)
  })

  test('accepts only pages of this instance as next', async () => {
    const { browser } = await signedIn()
    const answer = await browser.submit('/', '/logout', { next: '/settings/security' })
    expect(answer.location).toBe('/login?next=%2Fsettings%2Fsecurity')
    expect((await browser.post('/logout', { next: 'https://evil.example' })).location).toBe('/login')
  })

  test('redirects to the sign-in without a session', async () => {
    const { app } = await withOwner()
    expect(await browserSession(app).post('/logout', {})).toMatchObject({ status: 303, location: '/login' })
  })

  test('requires the CSRF token of the session', async () => {
    const { browser } = await signedIn()
    expect((await browser.send('POST', '/logout', encoded({ csrf: 'x' }))).status).toBe(403)
    expect((await browser.get('/')).status).toBe(200)
  })
})
