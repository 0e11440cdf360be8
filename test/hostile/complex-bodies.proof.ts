import { describe, expect, test } from 'vitest'
import { flightLog } from '../support/flight-log.ts'
import { importing } from '../support/travel.ts'

const times = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join()

/** Small as text, but each object has a different shape once parsed. */
const differentObjects = `[${times(60_000, (index) => `{"k${index}":0}`)}]`
/** More than 1 MB. */
const longList = `[${times(400_000, () => '[]')}]`

describe('a JSON body that is small as text and large once parsed', () => {
  test('is rejected before it is parsed, on every surface', async () => {
    const { request, mira, plain } = await flightLog()
    const headers = { authorization: `Bearer ${mira.key}`, host: 'localhost:3000', 'content-type': 'application/json' }
    const post = (url: string, payload: string) => request({ method: 'POST', url, headers, payload })
    const properties = JSON.stringify(plain).slice(1, -1)
    for (const value of [differentObjects, longList]) {
      const v1 = await post('/api/v1/flights', `{${properties},"x":${value}}`)
      const path = value === longList ? ['x'] : []
      expect(v1).toMatchObject({ status: 422, body: { error: { details: [{ code: 'too_big', path }] } } })
      expect(await post('/api/flight/save', `{"x":${value}}`)).toMatchObject({ status: 422, body: { success: false } })
      const call = await post('/api/mcp', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${value}}}`)
      expect(call).toMatchObject({ status: 400, body: { error: { code: -32700 } } })
    }
  })
})

describe('an import file that is small as text and large once parsed', () => {
  const byair = 'flight_date,flight_code,departure_airport_code,arrival_airport_code,ownership\n'
  const tooComplex = 'The file is too complex: '

  test.each([
    ['lists', `{"users":[],"flights":${longList}}`, 'it contains too many values.'],
    ['lists alone', longList, 'it contains too many values.'],
    ['different objects', `{"users":[],"flights":[],"x":${differentObjects}}`, 'it contains too many values.'],
    ['cells', byair + ','.repeat(20_000), 'it has too many separators in one line.'],
    ['quotes', byair + '"'.repeat(20_000), 'it has too many separators in one line.'],
    ['lines', byair + '\n'.repeat(1_000_001), 'it has too many lines.'],
  ])('is rejected: %s', async (_what, content, reason) => {
    const log = await flightLog()
    const { status, body } = await importing(log)(log.mira, content, 'dryRun=true')
    expect([status, body.error]).toEqual([422, { code: 'validation_failed', message: tooComplex + reason }])
  })

  test('is accepted if only unused parts are long', async () => {
    const log = await flightLog()
    const folded = `BEGIN:VCALENDAR\nBEGIN:VEVENT\nX${`${';'.repeat(70)}\n `.repeat(20_000)}:\nEND:VEVENT\n`
    const quoted = `${byair}2024-01-01,"${`${'"'.repeat(70)}\n`.repeat(5_000)}",ZRH,LIS,mine`
    for (const [content, rows] of [
      [folded, 0],
      [quoted, 1],
    ] as const) {
      const { status, body } = await importing(log)(log.mira, content, 'dryRun=true')
      expect([status, body.data]).toMatchObject([200, { rows, created: 0 }])
    }
  })
})
