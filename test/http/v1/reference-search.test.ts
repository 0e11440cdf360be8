import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog } from '../../support/paxlog.ts'
import { copyLoaded } from '../../support/process.ts'

let app: Paxlog
let get: (path: string) => ReturnType<ReturnType<Paxlog['as']>['get']>
beforeAll(async () => {
  app = await sharedPaxlog({}, copyLoaded)
  const user = app.user({ username: 'mira' })
  get = (path) => app.as(user).get(path)
})
afterAll(() => app.close())

test('a search with corrected spelling returns corrected beside page, others do not', async () => {
  const corrected = (await get('/airports?query=frankfrut')).body
  expect(corrected).toMatchObject({ page: { nextCursor: null }, corrected: true })
  expect(corrected.data[0]).toMatchObject({ iata: 'FRA' })
  for (const path of ['/airports?query=frankfurt', '/airlines?query=lufthansa', '/airports?query=qqxzqqxzqqxz'])
    expect(Object.keys((await get(path)).body)).toEqual(['data', 'page'])
})

test('a search returns airlines that have ended after current ones, with their last day', async () => {
  const { data } = (await get('/airlines?query=AZ')).body
  expect(data[0]).toMatchObject({ icao: 'ITY', validFrom: '2021-10-15', validUntil: null })
  expect(data).toContainEqual(expect.objectContaining({ icao: 'AZA', validUntil: '2021-10-14' }))
})
