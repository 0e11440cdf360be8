import { expect, test } from 'vitest'
import { referenceRows } from '../support/factory.ts'
import { paxlog } from '../support/paxlog.ts'
import { importing } from '../support/travel.ts'

/** Needs one step per part and character. */
const SLOW = '[ab]*a[ab]{240}c'

test('matching patterns of custom fields has a budget per request, and values beyond it are rejected', async () => {
  const app = await paxlog()
  const { airports } = referenceRows(app.db)
  const mira = app.user({ username: 'mira', owner: true })
  const field = { entityType: 'flight_passenger', key: 'story', label: 'Story', fieldType: 'textarea' }
  const defined = await app.as(mira).post('/custom-fields', { ...field, validation: { regex: SLOW } })
  expect(defined.status).toBe(201)
  const passengers = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => ({
      guestName: `Guest ${index}`,
      customFields: { story: 'a'.repeat(length) },
    }))
  const flight = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS }
  const messages = async (people: unknown[]) => {
    const { status, body } = await app.as(mira).post('/flights', { ...flight, passengers: people })
    expect(status).toBe(422)
    return body.error.details.map(({ message }: { message: string }) => message)
  }
  // One value of maximum length is within the budget; most of many are not.
  expect(await messages(passengers(1, 9000))).toEqual([`Must match ${SLOW}.`])
  const lastMessages = await messages(passengers(499, 10_000))
  expect(lastMessages).toHaveLength(50)
  expect(lastMessages.at(-1)).toBe('Cannot be matched any more: all values together are too long for their patterns.')
  expect(await messages(passengers(30, 10))).toEqual(Array.from({ length: 30 }, () => `Must match ${SLOW}.`))

  const users = [{ id: 'f1', username: 'mira', displayName: 'Mira' }]
  const row = { date: '2024-05-03', from: 'LSZH', to: 'LPPT' }
  const flights = [{ ...row, passengers: [{ userId: 'f1' }, ...passengers(499, 10_000)] }]
  const file = await importing(app)(mira, { users, flights })
  expect(file).toMatchObject({ status: 422, body: { error: { message: expect.stringContaining('Split the file') } } })
})
