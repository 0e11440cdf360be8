import { expect, test } from 'vitest'
import { mcpClient, toolError } from '../http/mcp/support.ts'
import { referenceRows } from '../support/factory.ts'
import { fieldsIn } from '../support/form-fields.ts'
import { signedIn } from '../support/pages.ts'
import { importing } from '../support/travel.ts'

/** Normalizing this takes nine seconds, because sorting combining marks is quadratic. */
const QUADRATIC = `a${'\u0301\u0327'.repeat(50_000)}`

async function log() {
  const instance = await signedIn()
  referenceRows(instance.db)
  const key = instance.key(instance.owner.id)
  return { ...instance, ownKey: key, api: instance.as(key) }
}

test('a search query has at most 100 characters, on every surface', async () => {
  const { api, request, ownKey, browser } = await log()
  const longest = 'é'.repeat(100)
  for (const kind of ['airports', 'airlines', 'aircraft']) {
    expect((await api.get(`/${kind}?query=${encodeURIComponent(longest)}`)).status).toBe(200)
    expect(await api.get(`/${kind}?query=${encodeURIComponent(`${longest}é`)}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', details: [{ path: ['query'] }] } },
    })
    // A surrogate pair counts as one character.
    expect((await api.get(`/${kind}?query=${encodeURIComponent('𝒜'.repeat(100))}`)).status).toBe(200)
    expect((await browser.get(`/search/${kind}?q=${encodeURIComponent(`${longest}é`)}`)).status).toBe(400)
  }
  const { call } = mcpClient(request, ownKey)
  expect(toolError(await call('search_airports', { query: QUADRATIC }))).toMatchObject({ code: 'bad_request' })
})

test('the flight form rejects a name that is too long and shows a part of it', async () => {
  const { browser } = await log()
  const page = await browser.get('/flights/new')
  const fields = { ...fieldsIn(page.html, '/flights/new'), from: QUADRATIC, to: 'LIS', date: '2025-05-03' }
  const { status, html } = await browser.post('/flights/new', fields)
  expect(status).toBe(422)
  expect(html).toContain('…” not found. Try the city')
})

test('an import rejects a row with a name that is too long and accepts the others', async () => {
  const instance = await log()
  const send = importing(instance)
  const row = (airline: string, plane = '') => `2024-05-03,ZRH,LIS,0,${airline},LX1,${plane}`
  const header = 'date,from,to,miles,airline,flightnum,aircraft'
  const lines = [header, row(QUADRATIC), row('', QUADRATIC), row('x'.repeat(201)), row('x'.repeat(200))]
  const { status, body } = await send(instance.ownKey, lines.join('\n'), 'format=jetlovers')
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ rows: 4, created: 1 })
  for (const { reason } of body.data.rejected) expect(reason).toMatch(/^The name .* has more than 200 characters\.$/)
})

test('an import of a backup limits user names and codes in custom values', async () => {
  const instance = await log()
  const send = importing(instance)
  const field = { entityType: 'flight', key: 'via', label: 'Via', fieldType: 'airport' }
  expect((await instance.api.post('/custom-fields', field)).status).toBe(201)
  const flight = (more: object) => ({ date: '2024-05-03', from: 'LSZH', to: 'LPPT', ...more })
  const users = [
    { id: 'f1', username: 'mira', displayName: 'Mira' },
    { id: 'f2', username: QUADRATIC, displayName: 'Long' },
  ]
  const file = {
    users,
    flights: [
      flight({ passengers: [{ userId: 'f1' }], airline: { name: QUADRATIC } }),
      flight({ passengers: [{ userId: 'f1' }, { userId: 'f2' }] }),
      flight({ passengers: [{ userId: 'f1' }, { guestName: QUADRATIC }] }),
      flight({ passengers: [{ userId: 'f1' }], customFields: { via: { icao: 'X'.repeat(500), iata: 'ZRH' } } }),
    ],
  }
  const { status, body } = await send(instance.ownKey, file, 'format=backup')
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ rows: 4, created: 1 })
  expect(body.data.rejected.map(({ row }: { row: number }) => row)).toEqual([1, 2, 3])
})
