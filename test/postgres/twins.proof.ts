import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyDatabase } from '../../src/db/maintenance/copy.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { postgresClient } from '../../src/db/postgres/client.ts'
import { withoutCsrf } from '../support/browser-session.ts'
import { paxlog, temporaryFolder } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { SEED, seeded } from '../support/random.ts'
import { BY, NOW, randomFilter, randomLog, SORTS } from '../support/random-filters.ts'
import { report } from '../support/travel.ts'

const FILTERS = 60

/** Texts that databases fold, sort and match differently by default. */
const TEXTS = [
  ...['Zürich', 'ZÜRICH', 'zurich', 'İstanbul', 'istanbul', 'ISTANBUL', 'Straße', 'STRASSE', 'ẞ', 'ﬁsh', 'ǅ', 'Å', 'Å'],
  ...[
    'Ωμέγα',
    'ωμεγα',
    'ΌΣΟΣ',
    'όσος',
    'é',
    'e\u0301',
    '漢字',
    '漢',
    'ひらがな',
    'カタカナ',
    'ｶﾀｶﾅ',
    'Ａ',
    'ไทย',
    'हिन्दी',
  ],
  ...['ابجد', 'עברית', '١٢٣', '😀', '\ue000', '\uffff', '\u{10ffff}', '\u200bzero', 'z', 'Z', 'a', 'A', '0'],
  ...['100%', '50_50', '%', '_', '\\', '\\%', 'a\\_b', "it's", '"q"', 'tab\tx', "'; drop table flights; --"],
]

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

/** An SQLite log with these texts in all text fields, and its copy in PostgreSQL. */
async function createCopies() {
  const random = seeded(SEED)
  const log = await randomLog(random)
  const { app, owner, mira, fields } = log
  for (const [index, text] of TEXTS.entries()) {
    const ownerClient = app.as(owner)
    await ownerClient.post('/airlines', { name: `${text} Air` })
    await ownerClient.post('/aircraft', { name: `${text} Craft` })
    await ownerClient.post('/roles', { name: text, permissions: [] })
    await ownerClient.post('/custom-fields', { entityType: 'flight', key: `k${index}`, label: text, fieldType: 'text' })
    const { status, text: response } = await ownerClient.post('/flights', {
      date: `20${10 + (index % 15)}-03-0${1 + (index % 9)}`,
      fromId: random.pick(fields),
      toId: random.pick(fields),
      note: `${text} ${random.pick(TEXTS)}`,
      aircraftReg: text.trim().slice(0, 10),
      customFields: { [`k${index}`]: text },
      passengers: [{ userId: mira.id }, { userId: owner.id }, { guestName: text }],
    })
    if (status !== 201) throw new Error(`${text}: ${response}`)
  }
  const sessions = await Promise.all([owner, mira].map(({ id }) => app.services.sessions.start(id)))
  const administration = postgresClient(postgres.url('postgres'), { name: '' })
  administration.exec('create database twin')
  administration.close()
  const target = openDatabase(temporaryFolder(), postgres.url('twin'))
  copyDatabase(app.db, target, { onRows: () => undefined, onTable: () => undefined })
  closeDatabase(target)
  const copy = await paxlog({ now: () => NOW, databaseUrl: postgres.url('twin') })
  return { ...log, random, sessions, copy }
}

/** All read requests with random texts and filters. */
function readsOf({ random, ...log }: Awaited<ReturnType<typeof createCopies>>) {
  const api: string[] = [
    'stats/records',
    'stats/punctuality',
    'countries',
    'roles',
    'users',
    'custom-fields',
    'shares',
    'me',
  ]
  const pages: string[] = [
    '',
    'flights',
    'statistics',
    'statistics/2024',
    'countries',
    'map/data',
    'export/csv',
    'export/json',
  ]
  for (const value of TEXTS) {
    const text = encodeURIComponent(value)
    for (const kind of ['airports', 'airlines', 'aircraft']) api.push(`${kind}?query=${text}`)
    api.push(`flights?scope=all&limit=100&text=${text}`, `flights?aircraftReg=${text}`, `flight-numbers/${text}`)
    pages.push(`registrations/${text}`, `flights?text=${text}`, `search/airlines?query=${text}`)
  }
  for (let count = 0; count < FILTERS; count++) {
    const filter = new URLSearchParams({ ...randomFilter(random, log), scope: random.pick(['mine', 'all']) })
    api.push(`flights?limit=100&order=${random.pick(['newest', 'oldest'])}&${filter}`, `stats?${filter}`)
    api.push(
      `stats/breakdown?by=${random.pick(BY)}&sort=${random.pick(SORTS)}&limit=${random.between(1, 100)}&${filter}`,
    )
    api.push(`stats/records?${filter}`, `flights/export?format=${random.pick(['json', 'yaml'])}&${filter}`)
  }
  for (const by of BY) for (const sort of SORTS) api.push(`stats/breakdown?by=${by}&sort=${sort}&scope=all&limit=1000`)
  api.push('flights/changes?limit=500', 'flights/changes?scope=all&limit=500')
  pages.push('settings/activity', 'admin/users', 'admin/roles', 'admin/custom-fields', 'admin/reference/airlines')
  const legacy = ['flight/list', 'flight/list?scope=all', 'flight/export', 'stats']
  return [
    ...api.map((path) => `/api/v1/${path}`),
    ...legacy.map((path) => `/api/${path}`),
    ...pages.map((path) => `/${path}`),
  ]
}

test('PostgreSQL returns the same bytes as the file it was copied from', async () => {
  const copies = await createCopies()
  const { app, copy, owner, mira, sessions } = copies
  const statuses = new Map<number, number>()
  for (const url of readsOf(copies)) {
    for (const [index, { key }] of [owner, mira].entries()) {
      const headers = url.startsWith('/api/')
        ? { authorization: `Bearer ${key}` }
        : { cookie: `paxlog=${sessions[index]}` }
      const [one, other] = await Promise.all(
        [app, copy].map(async ({ request }) => {
          const { status, headers: response, text } = await request({ method: 'GET', url, headers })
          const { date: _, ...others } = response
          return { status, headers: others, text: withoutCsrf(text) }
        }),
      )
      expect([`seed ${SEED}`, url, other]).toEqual([`seed ${SEED}`, url, one])
      statuses.set(one!.status, (statuses.get(one!.status) ?? 0) + 1)
    }
  }
  expect(statuses.get(200)).toBeGreaterThan(500)
  report(
    `equal responses of both databases: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
  )
})
