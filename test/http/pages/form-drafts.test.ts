import { describe, expect, test } from 'vitest'
import { browserSession, csrfIn } from '../../support/browser-session.ts'
import { flightLog, NEW_FLIGHT as NEW, route } from '../../support/flight-form.ts'
import { fieldsIn } from '../../support/form-fields.ts'
import { PASSWORD } from '../../support/pages.ts'

const typed = { ...route, flightNumber: 'LX2084', note: 'line\r\nline <b>', 'passengers.0.seat': 'aisle' }

/** Opens a form and ends the session before the form is sent. */
async function withEndedSession() {
  const instance = await flightLog()
  const { browser, services } = instance
  const fields = fieldsIn((await browser.get(NEW)).html, NEW)
  await services.sessions.end(browser.jar.get('paxlog')!)
  const signIn = async (location: string, username = 'mira', password = PASSWORD) => {
    const { html } = await browser.get(location)
    const next = /name="next" value="([^"]+)"/.exec(html)![1]!
    return { ...(await browser.post('/login', { csrf: csrfIn(html), username, password, next })), page: html }
  }
  return { ...instance, fields, signIn }
}

describe('a form that is sent after the session ended', () => {
  test('is restored after the sign-in, and not saved before', async () => {
    const { browser, fields, signIn, resend, api, newest } = await withEndedSession()
    const answer = await browser.post(NEW, { ...fields, ...typed })
    expect(answer).toMatchObject({ status: 303, location: '/login?next=%2Fflights%2Fnew%3Fkept%3D1' })
    const { page, status, location } = await signIn(answer.location!)
    expect(page).toContain('Your session has ended. Sign in to continue with your form.')
    expect([status, location]).toEqual([303, '/flights/new?kept=1'])
    const { html } = await browser.get(location!)
    expect(fieldsIn(html, NEW)).toMatchObject(typed)
    expect((await api.get('/flights')).body.data).toEqual([])
    expect((await resend(NEW, html, {})).status).toBe(303)
    expect(await newest()).toMatchObject({ flightNumber: 'LX2084', note: 'line\nline <b>', airline: { icao: 'SWR' } })
    expect(fieldsIn((await browser.get(location!)).html, NEW)).toMatchObject({ from: '', note: '' })
  })

  test('is restored for a stored flight with its version', async () => {
    const { browser, send, fields: _, signIn, services, flight } = await withEndedSession()
    await signIn('/login?next=%2F')
    await send(NEW, route)
    const page = '/flights/1/edit'
    const fields = fieldsIn((await browser.get(page)).html, page)
    await services.sessions.end(browser.jar.get('paxlog')!)
    const { location } = await browser.post(page, { ...fields, note: 'changed' })
    expect(location).toBe('/login?next=%2Fflights%2F1%2Fedit%3Fkept%3D1')
    await signIn(location!)
    const { html } = await browser.get(`${page}?kept=1`)
    expect(fieldsIn(html, page)).toMatchObject({ note: 'changed', version: fields.version! })
    expect((await browser.post(page, fieldsIn(html, page))).status).toBe(303)
    expect((await flight(1)).note).toBe('changed')
  })

  test('is not restored for another user or in another browser', async () => {
    const { browser, fields, signIn, user, services, app } = await withEndedSession()
    const { location } = await browser.post(NEW, { ...fields, ...typed })
    const other = user({ username: 'otto' })
    browser.jar.set('paxlog', await services.sessions.start(other.id))
    expect(fieldsIn((await browser.get(`${NEW}?kept=1`)).html, NEW)).toMatchObject({ note: '' })
    const otherBrowser = browserSession(app)
    await otherBrowser.signIn('mira', PASSWORD)
    expect(fieldsIn((await otherBrowser.get(`${NEW}?kept=1`)).html, NEW)).toMatchObject({ note: '' })
    browser.jar.delete('paxlog')
    await signIn(location!)
    expect(fieldsIn((await browser.get(`${NEW}?kept=1`)).html, NEW)).toMatchObject({ note: typed.note })
  })

  test('is discarded if it comes from another site or an unknown origin', async () => {
    const { browser, fields, app } = await withEndedSession()
    const plain = { status: 303, location: '/login?next=%2Fflights%2Fnew' }
    const forged = { ...fields, ...typed, csrf: 'x' }
    expect(await browser.post(NEW, forged)).toMatchObject(plain)
    expect(await browser.post(NEW, { ...fields, ...typed }, { 'sec-fetch-site': 'cross-site' })).toMatchObject(plain)
    expect(await browser.post(NEW, { ...fields, ...typed }, { origin: 'https://evil.example' })).toMatchObject(plain)
    expect(await browserSession(app).post(NEW, { ...fields, ...typed })).toMatchObject(plain)
    // Sec-Fetch-Site proves the origin if the cookie is missing.
    const sameOrigin = await browserSession(app).post(NEW, { ...fields, ...typed }, { 'sec-fetch-site': 'same-origin' })
    expect(sameOrigin.location).toBe('/login?next=%2Fflights%2Fnew%3Fkept%3D1')
  })

  test('is stored up to a size limit and ten times per minute', async () => {
    const { browser, fields } = await withEndedSession()
    const isStored = async (more: object) =>
      (await browser.post(NEW, { ...fields, ...typed, ...more })).location!.includes('kept')
    expect(await isStored({ note: 'x'.repeat(64 * 1024) })).toBe(false)
    const results: boolean[] = []
    for (let count = 0; count < 11; count++) results.push(await isStored({}))
    expect(results).toEqual([...Array(10).fill(true), false])
  })
})

test('the sign-in page mentions an ended session only if there was one', async () => {
  const { browser, app } = await withEndedSession()
  const { location } = await browser.get('/settings/security')
  expect((await browser.get(location!)).html).toContain('Your session has ended. Sign in to continue.')
  expect((await browserSession(app).get('/login')).html).not.toContain('has ended')
})
