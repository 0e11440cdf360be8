import { describe, expect, test } from 'vitest'
import { browserSession, csrfIn } from '../../support/browser-session.ts'
import { flightLog, NEW_FLIGHT as NEW, route } from '../../support/flight-form.ts'
import { fieldsIn } from '../../support/form-fields.ts'
import { PASSWORD } from '../../support/pages.ts'

const typed = { ...route, flightNumber: 'LX2084', note: 'line\r\nline <b>', 'passengers.0.seat': 'aisle' }

/** Somebody fills in a form, and their session ends before they send it. */
async function overtaken() {
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

describe('a session that ended while somebody typed', () => {
  test('asks for a sign-in, says why, and then shows what was typed; nothing is saved before', async () => {
    const { browser, fields, signIn, resend, api, newest } = await overtaken()
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

  test('keeps a change of a stored flight too, with what it was made of', async () => {
    const { browser, send, fields: _, signIn, services, flight } = await overtaken()
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

  test('shows it to nobody else who signs in there, and to no other browser', async () => {
    const { browser, fields, signIn, user, services, app } = await overtaken()
    const { location } = await browser.post(NEW, { ...fields, ...typed })
    const other = user({ username: 'otto' })
    browser.jar.set('paxlog', await services.sessions.start(other.id))
    expect(fieldsIn((await browser.get(`${NEW}?kept=1`)).html, NEW)).toMatchObject({ note: '' })
    const elsewhere = browserSession(app)
    await elsewhere.signIn('mira', PASSWORD)
    expect(fieldsIn((await elsewhere.get(`${NEW}?kept=1`)).html, NEW)).toMatchObject({ note: '' })
    browser.jar.delete('paxlog')
    await signIn(location!)
    expect(fieldsIn((await browser.get(`${NEW}?kept=1`)).html, NEW)).toMatchObject({ note: typed.note })
  })

  test('a form of another site is never kept, nor one whose origin nobody knows', async () => {
    const { browser, fields, app } = await overtaken()
    const plain = { status: 303, location: '/login?next=%2Fflights%2Fnew' }
    const forged = { ...fields, ...typed, csrf: 'x' }
    expect(await browser.post(NEW, forged)).toMatchObject(plain)
    expect(await browser.post(NEW, { ...fields, ...typed }, { 'sec-fetch-site': 'cross-site' })).toMatchObject(plain)
    expect(await browser.post(NEW, { ...fields, ...typed }, { origin: 'https://evil.example' })).toMatchObject(plain)
    expect(await browserSession(app).post(NEW, { ...fields, ...typed })).toMatchObject(plain)
    // A browser that has lost its cookie still says where the form comes from.
    const own = await browserSession(app).post(NEW, { ...fields, ...typed }, { 'sec-fetch-site': 'same-origin' })
    expect(own.location).toBe('/login?next=%2Fflights%2Fnew%3Fkept%3D1')
  })

  test('is kept for a few forms a minute, and only what is not too long', async () => {
    const { browser, fields } = await overtaken()
    const kept = async (more: object) =>
      (await browser.post(NEW, { ...fields, ...typed, ...more })).location!.includes('kept')
    expect(await kept({ note: 'x'.repeat(64 * 1024) })).toBe(false)
    const tries: boolean[] = []
    for (let count = 0; count < 11; count++) tries.push(await kept({}))
    expect(tries).toEqual([...Array(10).fill(true), false])
  })
})

test('the sign-in says that a session has ended, and nothing to whoever had none', async () => {
  const { browser, app } = await overtaken()
  const { location } = await browser.get('/settings/security')
  expect((await browser.get(location!)).html).toContain('Your session has ended. Sign in to continue.')
  expect((await browserSession(app).get('/login')).html).not.toContain('has ended')
})
