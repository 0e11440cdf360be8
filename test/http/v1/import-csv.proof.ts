import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { copyLoaded } from '../../support/process.ts'
import { importing } from '../../support/travel.ts'

let app: Paxlog
let mira: TestUser
let send: ReturnType<typeof importing>
beforeAll(async () => {
  app = await sharedPaxlog({}, copyLoaded)
  mira = app.user({ username: 'mira' })
  send = importing(app)
})
afterAll(() => app.close())

const csv = (header: string, ...rows: string[]) => [header, ...rows].join('\n')

describe('large CSV files', () => {
  test('with more than 2,000 different names of airports are refused', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => `2024-05-03,Qwx${index},LIS`)
    expect((await send(mira, csv('date,from,to', ...rows(2000)), 'dryRun=true')).body.data.rejected).toHaveLength(2000)
    const { status, body } = await send(mira, csv('date,from,to', ...rows(2001)))
    expect([status, body.error.message]).toEqual([
      422,
      'The file has more than 2000 different names of airports. Use codes.',
    ])
  })

  test('with a cell of 20 MB reject its row', async () => {
    const cell = 'x '.repeat(9_900_000)
    const { status, body } = await send(mira, csv('date,from,to,note', `2024-05-03,ZRH,LIS,"${cell}"`))
    expect([status, body.data.rejected[0].reason]).toEqual([200, expect.stringMatching(/^The note .* cannot be used/)])
    const inDate = await send(mira, csv('date,from,to', `"${cell}",ZRH,LIS`))
    expect(inDate.body.data.rejected[0].reason).toMatch(/^The date x x .* is not of the form YYYY-MM-DD\.$/)
    const inName = await send(mira, csv('date,from,to', `2024-05-03,"${cell}",LIS`))
    expect(inName.body.data.rejected[0].reason).toMatch(/has more than 100 characters\.$/)
  })
})
