import { describe, expect, test } from 'vitest'
import { browserSession } from '../support/browser-session.ts'
import { faultsOf, flightLog } from '../support/flight-log.ts'
import { paxlog } from '../support/paxlog.ts'
import { wire } from '../support/socket.ts'

/** Unusual but valid text, which is returned unchanged. */
const good: Record<string, string> = {
  'right to left': 'שלום עולם \u202eabc\u202c',
  'joined emoji': '👩‍👩‍👧‍👦 👨🏽‍✈️ 🏳️‍🌈',
  'a byte order mark': '\ufeffabc\ufeff',
  composed: 'Z\u00fcrich \u00e9',
  decomposed: 'Zu\u0308rich e\u0301',
  'wide letters': 'ＺＵＲＩＣＨ',
  'control characters': 'a\u0001\u001f\u007f\u0085b',
  'line separators': 'a\u2028b\u2029c',
  'the last of all': '\u{10ffff}\ufffe\uffff',
  'many marks': `a${'\u0300'.repeat(90)}`,
  'no width': 'a\u200b\u200c\u200d\u2060b',
}

/** Unpaired surrogates and NUL. */
const bad: Record<string, string> = {
  'U+0000': 'a\\u0000b',
  'a high surrogate': 'a\\ud800',
  'a low surrogate': '\\udfffb',
  'surrogates in the wrong order': '\\udc00\\ud800',
}

describe('N6: Unicode text', () => {
  test('is returned unchanged by v1, the list, the export, legacy and MCP', async () => {
    const { as, mira, flight, field, request } = await flightLog()
    await field({ key: 'story', fieldType: 'textarea' })
    const headers = { authorization: `Bearer ${mira.key}`, 'content-type': 'application/json' }
    for (const [what, text] of Object.entries(good)) {
      const body = { note: text, flightNumber: text, customFields: { story: text } }
      const { id } = await flight({ ...body, passengers: [{ userId: mira.id }, { guestName: `x${text}x` }] })
      const read = (await as(mira).get(`/flights/${id}`)).body.data
      const listed = (await as(mira).get('/flights?limit=1')).body.data[0]
      const exported = (await as(mira).get('/flights/export')).body.flights.at(-1)
      const { flight: older } = (await request({ url: `/api/flight/get/${id}`, headers })).body
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_flight', arguments: { id } } }
      const { result } = (await request({ method: 'POST', url: '/api/mcp', headers, payload: call })).body
      for (const record of [read, listed, exported, older, result.structuredContent.data]) {
        const { note, flightNumber, customFields, passengers } = record
        expect([what, note, flightNumber, customFields.story]).toEqual([what, text, text, text])
        expect(passengers[1].guestName).toBe(`x${text}x`)
      }
    }
  })

  test('with U+0000 or an unpaired surrogate is rejected in every stored property', async () => {
    const { as, admin, mira, plain, request, user } = await flightLog()
    const owner = user({ owner: true })
    const start = JSON.stringify(plain).slice(0, -1)
    for (const [what, text] of Object.entries(bad)) {
      const refused: [string, Parameters<typeof as>[0], string, string, string][] = [
        ['post', mira, '/flights', `${start},"note":"${text}"}`, 'custom note'],
        ['post', mira, '/flights', `${start},"passengers":[{"guestName":"${text}"}]}`, 'custom passengers.0.guestName'],
        ['post', admin, '/airlines', `{"name":"${text}"}`, 'custom name'],
        ['post', owner, '/roles', `{"name":"${text}","permissions":[]}`, 'custom name'],
        ['post', owner, '/users', `{"username":"abc","password":"long enough ${text}"}`, 'custom password'],
        [
          'post',
          owner,
          '/users',
          `{"username":"abc","password":"long enough","displayName":"abc${text}"}`,
          'custom displayName',
        ],
        ['put', mira, '/visited-countries', `{"code":"PT","status":"visited","note":"${text}"}`, 'custom note'],
        [
          'post',
          admin,
          '/custom-fields',
          `{"entityType":"flight","key":"kk","fieldType":"text","label":"${text}"}`,
          'custom label',
        ],
        [
          'post',
          admin,
          '/custom-fields',
          `{"entityType":"flight","key":"kk","fieldType":"select","label":"x","options":["${text}"]}`,
          'custom options.0',
        ],
      ]
      for (const [method, who, path, body, fault] of refused) {
        const answer = await as(who)[method as 'post'](path, body)
        expect([what, path, answer.status, faultsOf(answer)[0]]).toEqual([what, path, 422, fault])
      }
      const headers = { authorization: `Bearer ${mira.key}` }
      const payload = `{"from":"ZRH","to":"LIS","departure":"2025-05-03","passengers":[{"userId":"<USER_ID>"}],"note":"${text}"}`
      const legacy = await request({ method: 'POST', url: '/api/flight/save', headers, payload })
      expect([what, legacy.status, legacy.body.errors[0].path]).toEqual([what, 400, ['note']])
    }
  })

  test('that is not UTF-8 is rejected in bodies, and replaced or rejected in URLs', async () => {
    const { app, mira, as } = await flightLog()
    const { send } = await wire(app)
    const authorization = `Authorization: Bearer ${mira.key}`
    const post = (path: string, type: string, body: Buffer, header = authorization) =>
      send('', (socket) => {
        socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost:3000\r\nConnection: close\r\n${header}\r\n`)
        socket.write(`Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`)
        socket.write(body)
      })
    const broken = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xc3, 0x28, 0x22, 0x7d])
    const json = 'application/json'
    expect(JSON.parse((await post('/api/v1/flights', json, broken)).body).error.code).toBe('invalid_json')
    expect(JSON.parse((await post('/api/flight/save', json, broken)).body)).toMatchObject({ success: false })
    expect(JSON.parse((await post('/api/mcp', json, broken)).body).error.code).toBe(-32700)
    expect(JSON.parse((await post('/oauth/register', json, broken)).body).error).toBe('invalid_client_metadata')
    const file = await post(
      '/api/v1/flights/import',
      'text/csv',
      Buffer.from('date,origin,destination,ticket_class\n\xff\xfe,\xff,\xc3(,x\n', 'latin1'),
    )
    expect([200, 422]).toContain(file.status)
    const form = Buffer.from('grant_type=\xff\xfe&client_id=%ff', 'latin1')
    const token = await post('/oauth/token', 'application/x-www-form-urlencoded', form, 'X-A: b')
    expect([token.status, JSON.parse(token.body).error]).toEqual([400, 'unsupported_grant_type'])
    // Some parsers reject bytes above 127 in a target. They must never match anything.
    for (const query of ['%ff%fe', '%C3%28', '%ED%A0%80', '%F8%88%80%80%80', '%00']) {
      const answer = await as(mira).get(`/airports?query=${query}`)
      expect([query, answer.status, answer.body.data]).toEqual([query, 200, []])
    }
    for (const path of ['/users/%ff', '/users/%C3%28', '/users/%ED%A0%80']) {
      expect([path, (await as(mira).get(path)).status]).toEqual([path, 400])
    }
    for (const path of ['/users/%00', '/users/%E2%80%AE', '/users/%EF%BB%BF']) {
      expect([path, (await as(mira).get(path)).status]).toEqual([path, 404])
    }
    for (const header of ['Authorization: Bearer \xff\xfe', 'X-Any: \xe9\xff', 'Cookie: paxlog=\xff', 'Accept: \xff']) {
      const { status } = await send(
        `GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}\r\n\r\n`,
      )
      expect([header, [400, 401].includes(status)]).toEqual([header, true])
    }
  })

  test('in a form is escaped when the page shows it again', async () => {
    const { app, services } = await paxlog()
    await services.users.createOwner({ username: 'mira', displayName: 'Mira', password: 'correct horse battery' })
    const browser = browserSession(app)
    await browser.signIn('mira', 'correct horse battery')
    for (const text of [...Object.values(good), '<img src=x onerror=alert(1)>', '"><script>']) {
      const { status, html } = await browser.submit('/settings/security', '/settings/security/keys', { name: text })
      expect([text, status]).toEqual([text, 422])
      expect(html).not.toMatch(/<img src=x|"><script>/)
    }
    const nul = await browser.submit('/settings/security', '/settings/security/keys', {
      name: 'a\0b',
      scope: 'profile.read',
    })
    expect(nul.status).toBe(422)
  })

  test('finds Zürich in any spelling', async () => {
    const { as, mira } = await flightLog()
    const spellings = [
      'Zürich',
      'Zurich',
      'ZÜRICH',
      'ＺＵＲＩＣＨ',
      'zu\u0308rich',
      'zürich airport',
      ' zurich ',
      'Ｚürich',
    ]
    for (const query of spellings) {
      const { body } = await as(mira).get(`/airports?query=${encodeURIComponent(query)}`)
      expect([query, body.data.map(({ iata }: { iata: string }) => iata)]).toEqual([query, ['ZRH']])
    }
    for (const query of ['Zu\u200brich', 'Z\u0430rich', 'hcirüZ']) {
      expect((await as(mira).get(`/airports?query=${encodeURIComponent(query)}`)).body.data).toEqual([])
    }
  })

  test('is not normalized, except in passwords', async () => {
    const { services } = await paxlog()
    await services.users.createOwner({ username: 'mira', password: 'Zu\u0308rich airport' })
    expect(await services.sessions.signIn('mira', 'Z\u00fcrich airport')).toBeTypeOf('string')
    expect(await services.sessions.signIn('mira', 'Zurich airport')).toBeUndefined()
  })
})
