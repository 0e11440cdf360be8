import { describe, expect, test } from 'vitest'
import { paxlog } from '../../support/paxlog.ts'

/** Contract 4.14: every member with its values, default first. */
const choices = {
  distanceUnit: ['km', 'mi', 'nm'],
  windSpeedUnit: ['kt', 'mph', 'kmh', 'ms'],
  temperatureUnit: ['c', 'f'],
  pressureUnit: ['hpa', 'inhg'],
  timeFormat: ['auto', '12h', '24h'],
  dateFormat: ['auto', 'iso', 'us', 'eu'],
  weekStartsOn: ['auto', 'mon', 'sun'],
  flightTimeDisplay: ['airport', 'utc', 'system'],
  theme: ['auto', 'light', 'dark'],
  language: ['auto', 'en', 'de', 'fr', 'es', 'it', 'pt', 'ja'],
}
const defaults = Object.fromEntries(Object.entries(choices).map(([name, [first]]) => [name, first]))

describe('GET /api/v1/preferences', () => {
  test('returns the ten defaults in order to a new user', async () => {
    const { as, user } = await paxlog()
    expect((await as(user()).get('/preferences')).text).toBe(JSON.stringify({ data: defaults }))
  })
})

describe('PUT /api/v1/preferences', () => {
  test('changes the given members, keeps the others, and returns all values in order', async () => {
    const { as, user } = await paxlog()
    const mira = as(user())
    await mira.put('/preferences', { distanceUnit: 'nm', timeFormat: '24h' })
    const { status, text } = await mira.put('/preferences', { dateFormat: 'iso', weekStartsOn: 'mon' })
    expect(status).toBe(200)
    expect(text).toBe(
      JSON.stringify({
        data: {
          updated: true,
          distanceUnit: 'nm',
          windSpeedUnit: 'kt',
          temperatureUnit: 'c',
          pressureUnit: 'hpa',
          timeFormat: '24h',
          dateFormat: 'iso',
          weekStartsOn: 'mon',
          flightTimeDisplay: 'airport',
          theme: 'auto',
          language: 'auto',
        },
      }),
    )
    const { updated: _, ...values } = JSON.parse(text).data
    expect((await mira.get('/preferences')).body.data).toEqual(values)
  })

  test('changes and writes nothing for an empty object', async () => {
    const { as, user, db } = await paxlog()
    const mira = as(user())
    expect((await mira.put('/preferences', {})).body.data).toEqual({ updated: true, ...defaults })
    expect(db.$client.prepare('select count(*) from preferences').pluck().get()).toBe(0)
  })

  test('accepts every value of the contract', async () => {
    const { as, user } = await paxlog()
    const mira = as(user())
    for (const [name, values] of Object.entries(choices)) {
      for (const value of values) {
        expect((await mira.put('/preferences', { [name]: value })).body.data[name]).toBe(value)
      }
    }
  })

  test('returns 422 for other values and null, and changes nothing', async () => {
    const { as, user } = await paxlog()
    const mira = as(user())
    for (const [name, bad] of Object.entries({
      distanceUnit: 'KM',
      timeFormat: '',
      dateFormat: null,
      pressureUnit: 1,
    })) {
      const { status, body } = await mira.put('/preferences', { temperatureUnit: 'f', [name]: bad })
      expect([status, body.error.details[0].path]).toEqual([422, [name]])
    }
    expect((await mira.get('/preferences')).body.data).toEqual(defaults)
  })

  test('ignores unknown members', async () => {
    const { as, user } = await paxlog()
    const mira = as(user())
    const { body } = await mira.put('/preferences', { currency: 'EUR', userId: 'someone', updated: false })
    expect(body.data).toEqual({ updated: true, ...defaults })
  })

  test('stores preferences per user', async () => {
    const { as, user } = await paxlog()
    const [mira, noor] = [as(user()), as(user())]
    await mira.put('/preferences', { distanceUnit: 'mi' })
    expect((await noor.get('/preferences')).body.data.distanceUnit).toBe('km')
  })
})
