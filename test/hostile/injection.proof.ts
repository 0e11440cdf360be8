import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, test } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { openApiDocument } from '../../src/http/v1/openapi.ts'
import { flightLog } from '../support/flight-log.ts'
import { seeded } from '../support/random.ts'
import { operationsOf } from './fuzzing/api-requests.ts'
import { type Schema, valueMaker } from './fuzzing/values.ts'

/** Special characters of SQL, LIKE, GLOB, full-text search, regular expressions, shells and templates. */
const hostile = [
  "' or '1'='1",
  "'; drop table flights; --",
  '" or ""="',
  "x' union select hash from api_keys --",
  '1); delete from users; --',
  "'||(select password_hash from users)||'",
  '%',
  '_',
  '%%%',
  '[a-z]*',
  '*',
  '?',
  '"a" OR "b"',
  'a NEAR/2 b',
  'name:a*',
  '^a',
  '(a+)+$',
  '.*',
  '\\',
  '\\%',
  '\u0000',
  '#{7*7}',
  '{{7*7}}',
  '$(id)',
  '../../etc/passwd',
  'x\r\nSet-Cookie: a=b',
  '<script>alert(1)</script>',
]

function tablesOf({ $client }: Db) {
  const names = $client.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[]
  const counters = names.map((name) => [name, $client.prepare(`select count(*) from "${name}"`).pluck()] as const)
  return () => Object.fromEntries(counters.map(([name, counter]) => [name, counter.get() as number]))
}

/** Returns a setter for every string in a value. */
function stringSetters(value: unknown): ((text: string) => void)[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) =>
    typeof holder[key] === 'string'
      ? [(text: string) => void Object.assign(holder, { [key]: text })]
      : stringSetters(holder[key]),
  )
}

describe('N8: text with special characters', () => {
  test('is treated as plain text in every string parameter of every operation', async () => {
    const log = await flightLog()
    const { app, db, user, request, airports, airlines, aircraft, mira, noor, flight } = log
    const owner = user({ owner: true })
    const otherUser = user({ username: 'bystander' })
    // Bodies are sent to the first one.
    await flight()
    await flight({ passengers: [{ userId: otherUser.id }] }, log.admin)
    const ids = {
      users: [noor.id],
      travellers: [mira.id, owner.id],
      roles: ['role-user'],
      airports: Object.values(airports),
      airlines: Object.values(airlines),
      aircraft: Object.values(aircraft),
    }
    const document = openApiDocument(app)
    const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>
    const sample = valueMaker(schemas, ids, seeded(8))
    const count = tablesOf(db)
    const seen = new Map<number, number>()

    async function send(method: string, url: string, payload?: string): Promise<void> {
      const before = count()
      const headers = { authorization: `Bearer ${owner.key}` }
      const answer = await request({ method: method as 'GET', url, headers, ...(payload !== undefined && { payload }) })
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      expect([url, answer.status < 500, answer.text.slice(0, 200)]).toEqual([url, true, expect.any(String)])
      expect(answer.text).not.toMatch(/SQLITE|SqliteError|syntax error|no such column/)
      expect(Object.keys(answer.headers)).not.toContain('set-cookie')
      const after = count()
      // Exports of other users' flights and failed sign-ins are recorded as activity.
      for (const counts of [before, after]) for (const table of ['activity', 'activity_people']) delete counts[table]
      if (method === 'GET' || answer.status >= 400) expect([url, payload, after]).toEqual([url, payload, before])
    }

    for (const { id, method, path, parameters, body } of operationsOf(document as OpenAPIV3_1.Document)) {
      const place = path.replace(
        /\{\w+\}/,
        path.includes('/users/') ? noor.id : path.includes('/roles/') ? 'role-x' : '1',
      )
      for (const text of hostile) {
        const value = encodeURIComponent(text)
        if (path.includes('{') && method === 'GET') await send(method, path.replace(/\{\w+\}/, value))
        for (const { name, in: where } of parameters) {
          if (where !== 'query') continue
          const more = name === 'userId' ? '&scope=user' : ''
          await send(method, `${place}?${name}=${value}${more}`, method === 'POST' ? 'x' : undefined)
        }
        // Files have no members. Hashing a password for each would take minutes. Users are tested below.
        if (!body || id === 'importFlights' || id === 'readTravelDocument' || id.endsWith('User')) continue
        const good = sample(body)
        const places = stringSetters(good)
        const [put] = [places[hostile.indexOf(text) % Math.max(1, places.length)]]
        put?.(text)
        await send(method, place, JSON.stringify(good))
      }
    }
    expect(seen.get(200)).toBeGreaterThan(50)
    expect(seen.get(422)).toBeGreaterThan(50)
    expect((await log.as(otherUser).get('/flights')).body.data).toHaveLength(1)
    expect(requireSqlite(db).pragma('integrity_check', { simple: true })).toBe('ok')
    expect(requireSqlite(db).pragma('foreign_key_check')).toEqual([])
  })

  test('is stored and found literally in free text', async () => {
    const { as, admin, mira, flight } = await flightLog()
    const texts = hostile.filter((text) => text !== '\u0000')
    const airport = { latitude: 0, longitude: 0, timezone: 'UTC', continent: 'EU', country: 'CH' }
    const ids: number[] = []
    // A unique word for each, because other characters only separate words.
    const nameOf = (text: string, index: number) => `q${index + 10}x${text}q`
    for (const [index, text] of texts.entries()) {
      const created = await as(admin).post('/airports', { ...airport, icao: `XX-${index}`, name: nameOf(text, index) })
      expect([text, created.status, created.body.data?.name]).toEqual([text, 201, nameOf(text, index)])
      ids.push(created.body.data.id)
      const { id } = await flight({ note: text, passengers: [{ userId: mira.id }, { guestName: `g${text}` }] })
      const read = (await as(mira).get(`/flights/${id}`)).body.data
      expect([read.note, read.passengers[1].guestName]).toEqual([text, `g${text}`])
    }
    for (const [index, text] of texts.entries()) {
      const { body } = await as(admin).get(`/airports?query=${encodeURIComponent(nameOf(text, index))}`)
      const found = body.data.map(({ id }: { id: number }) => id)
      expect([text, found]).toEqual([text, [ids[index]]])
    }
    for (const text of ['%', '_', '*', '?', '%%%']) {
      const { body } = await as(admin).get(`/airports?query=${encodeURIComponent(text)}`)
      for (const { name } of body.data) expect(name).toContain(text)
    }
  })

  test('matches only itself in names, slugs, codes and ids', async () => {
    const { as, admin, mira, user, request } = await flightLog()
    const owner = user({ owner: true, username: 'theowner' })
    for (const username of ['a_b', 'axb', 'a-b']) {
      const { status } = await as(owner).post('/users', { username, password: 'correct horse battery' })
      expect([username, status]).toEqual([username, 201])
    }
    for (const name of ['R_le', 'Rxle', 'R%le', "R' or 1=1 --"]) {
      expect((await as(owner).post('/roles', { name, permissions: [] })).status).toBe(201)
    }
    for (const slug of ['s_ug', 'sxug']) expect((await as(mira).post('/shares', { slug })).status).toBe(201)
    for (const slug of ['s%25ug', '%25', '_', 's_u_', '____', '*', "'%20or%201=1"]) {
      expect([slug, (await request({ url: `/share/${slug}` })).status]).toEqual([slug, 404])
    }
    for (const id of ['%25', '_', "'%20or%201=1%20--", '*']) {
      expect([id, (await as(owner).get(`/users/${id}`)).status]).toEqual([id, 404])
      expect([id, (await as(owner).get(`/flights?scope=user&userId=${id}`)).body.data]).toEqual([id, []])
    }
    const headers = { authorization: `Bearer ${mira.key}` }
    for (const code of ['%', '_RH', 'Z_H', "ZRH' or 1=1", '*']) {
      const payload = { from: code, to: 'LIS', departure: '2025-05-03', passengers: [{ userId: '<USER_ID>' }] }
      const answer = await request({ method: 'POST', url: '/api/flight/save', headers, payload })
      expect([code, answer.status, answer.body.success]).toEqual([code, 400, false])
    }
    expect((await as(admin).get('/flights?scope=all')).body.data).toEqual([])
  })
})
