import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { PASSWORD, signedIn } from '../../support/pages.ts'
import { paxlog } from '../../support/paxlog.ts'

const invalidTargets = [
  'https://evil.example/',
  'https:evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' /settings/security',
  '%2f%2fevil.example',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '/.//evil.example',
  '/settings/../settings/security',
  '/settings/%2e%2e/settings/security',
  'javascript:alert(1)',
  'settings/security',
  '/nothing',
  '/logout',
  '/settings/security/password',
  '/sëttings/security',
  '',
]

describe('C13: redirect after sign-in', () => {
  test('is home for any target that is not a page of this instance', async () => {
    const { browser } = await signedIn()
    for (const next of invalidTargets) {
      const { location } = await browser.get(`/login?next=${encodeURIComponent(next)}`)
      expect([next, location]).toEqual([next, '/'])
    }
  })

  test('is validated in the sign-in form and when setup and sign-in pass it on', async () => {
    const { app, services } = await paxlog()
    const browser = browserSession(app)
    expect((await browser.get('/login?next=//evil.example')).location).toBe('/setup')
    expect((await browser.get('/setup?next=//evil.example')).html).not.toContain('evil')
    await services.users.createOwner({ username: 'mira', password: PASSWORD })
    expect((await browser.get('/login?next=//evil.example')).html).not.toContain('evil')
    expect((await browser.signIn('mira', PASSWORD, { next: '//evil.example' })).location).toBe('/')
  })

  test('is a page of this instance, with its query and without a fragment', async () => {
    const { browser } = await signedIn()
    const pages = {
      '/': '/',
      '/settings/security': '/settings/security',
      '/settings/security/': '/settings/security/',
      '/settings/security?preset=all&x=https://evil.example': '/settings/security?preset=all&x=https://evil.example',
      '/share/summer-25#map': '/share/summer-25',
      '/settings/security?': '/settings/security',
    }
    for (const [next, location] of Object.entries(pages)) {
      expect(await browser.get(`/login?next=${encodeURIComponent(next)}`)).toMatchObject({ status: 303, location })
    }
  })

  test.each(['', '/log'])(
    'is the page of a form that was sent without a session, with base path "%s"',
    async (base) => {
      const { app } = await signedIn({ baseUrl: `https://example.org${base}` })
      const forms = {
        '/settings/preferences': '/settings/preferences',
        '/settings/security/keys/1/delete': '/settings/security',
        '/settings/shares/1/delete': '/settings/shares/1',
        '/admin/roles/a%20b?x=1': '/admin/roles/a%20b',
        '/flights/1/delete': '/flights/1',
        '/flights/1/track/delete': '/flights/1/track',
      }
      for (const [form, page] of Object.entries(forms)) {
        const { location } = await browserSession(app).post(base + form, {})
        expect(location).toBe(`${base}/login?next=${encodeURIComponent(base + page)}`)
      }
    },
  )

  test('is home if next is repeated', async () => {
    const { browser } = await signedIn()
    expect((await browser.get('/login?next=/settings/security&next=/settings/security')).location).toBe('/')
  })

  test('includes the path of BASE_URL', async () => {
    const { browser } = await signedIn({ baseUrl: 'https://example.org/log' })
    const redirectFor = async (next: string) =>
      (await browser.get(`/log/login?next=${encodeURIComponent(next)}`)).location
    expect(await redirectFor('/settings/security')).toBe('/log')
    expect(await redirectFor('/log/settings/security')).toBe('/log/settings/security')
    expect(await redirectFor('/log')).toBe('/log')
    expect(await redirectFor('/logs')).toBe('/log')
    browser.jar.clear()
    expect((await browser.get('/log/settings/security')).location).toBe('/log/login?next=%2Flog%2Fsettings%2Fsecurity')
  })
})
