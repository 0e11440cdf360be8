import { afterAll, describe, expect, test } from 'vitest'
import { skipIds } from '../../support/engine.ts'
import { faultsOf, flightLog } from '../../support/flight-log.ts'

const EMOJI = '🛫'

async function openValues() {
  const log = await flightLog()
  const { as, mira, plain, flight, admin } = log
  const post = (customFields: unknown) => as(mira).post('/flights', { ...plain, customFields })
  const { id } = await flight()
  const put = (customFields?: unknown, more: object = {}) =>
    as(mira).put(`/flights/${id}`, { ...plain, ...more, ...(customFields !== undefined && { customFields }) })
  const stored = async () => (await as(mira).get(`/flights/${id}`)).body.data.customFields
  const define = (fieldId: number, body: object) =>
    as(admin).put(`/custom-fields/${fieldId}`, { label: 'Field', ...body })
  return { ...log, id, post, put, stored, define }
}

afterAll(() => {
  // N7: no key may change Object.prototype.
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

describe('custom values of every field type', () => {
  test('are stored when valid and rejected with code and path otherwise', async () => {
    const { field, post, airports, airlines, aircraft } = await openValues()
    const cases: [definition: object, good: unknown[], bad: [value: unknown, code: string][]][] = [
      [
        { fieldType: 'text' },
        ['a', ' a ', EMOJI.repeat(1000), 'a\nb', '0'],
        [
          [EMOJI.repeat(1001), 'too_big'],
          [5, 'invalid_type'],
          [true, 'invalid_type'],
          [{}, 'invalid_type'],
          [['a'], 'invalid_type'],
          ['a\0', 'custom'],
          ['\ud800', 'custom'],
        ],
      ],
      [
        { fieldType: 'text', validation: { minLength: 2, maxLength: 3, regex: 'b' } },
        ['ab', 'abc', `${EMOJI}b`, `${EMOJI}b${EMOJI}`],
        [
          ['b', 'too_small'],
          ['abcd', 'too_big'],
          ['acc', 'invalid_format'],
          [EMOJI.repeat(4), 'too_big'],
        ],
      ],
      [
        { fieldType: 'text', validation: { maxLength: 5000, min: 5, max: 1000 } },
        ['a'.repeat(1000)],
        [['a'.repeat(1001), 'too_big']],
      ],
      [
        { fieldType: 'textarea' },
        [EMOJI.repeat(10_000)],
        [
          [EMOJI.repeat(10_001), 'too_big'],
          [5, 'invalid_type'],
        ],
      ],
      [
        { fieldType: 'number' },
        [0, -1.5, 1e300, Number.MAX_SAFE_INTEGER, 5e-324],
        [
          ['5', 'invalid_type'],
          [true, 'invalid_type'],
          [[5], 'invalid_type'],
        ],
      ],
      [
        { fieldType: 'number', validation: { min: -1, max: 1, maxLength: 1 } },
        [-1, 0, 1, 0.123],
        [
          [-1.1, 'too_small'],
          [1.1, 'too_big'],
        ],
      ],
      [
        { fieldType: 'boolean' },
        [true, false],
        [
          ['true', 'invalid_type'],
          [0, 'invalid_type'],
          [1, 'invalid_type'],
        ],
      ],
      [
        { fieldType: 'date' },
        ['2024-02-29', '0001-01-01'],
        [
          ['2025-02-29', 'invalid_format'],
          ['2025-01-01T00:00Z', 'invalid_format'],
          [20250101, 'invalid_type'],
        ],
      ],
      [
        { fieldType: 'select', options: ['a', 'B', EMOJI, '__proto__'] },
        ['a', 'B', EMOJI, '__proto__'],
        [
          ['b', 'invalid_value'],
          ['toString', 'invalid_value'],
          [['a'], 'invalid_type'],
          [0, 'invalid_type'],
        ],
      ],
      [
        { fieldType: 'multi-select', options: ['a', 'b', 'c'] },
        [['a'], ['c', 'a', 'b']],
        [
          ['a', 'invalid_type'],
          [['a', 'a'], 'custom'],
          [['d'], 'invalid_value'],
          [[5], 'invalid_type'],
          [[['a']], 'invalid_type'],
          [[null], 'invalid_type'],
          [{ 0: 'a', length: 1 }, 'invalid_type'],
        ],
      ],
      [
        { fieldType: 'airport' },
        [airports.ZRH],
        [
          [99_999, 'custom'],
          ['1', 'invalid_type'],
          [1.5, 'invalid_type'],
          [0, 'invalid_type'],
          [-1, 'invalid_type'],
          [2 ** 60, 'invalid_type'],
        ],
      ],
      [
        { fieldType: 'airline' },
        [airlines.SAS],
        [
          [99_999, 'custom'],
          [{}, 'invalid_type'],
        ],
      ],
      [
        { fieldType: 'aircraft' },
        [aircraft.A359],
        [
          [99_999, 'custom'],
          [false, 'invalid_type'],
        ],
      ],
    ]
    for (const [index, [definition, good, bad]] of cases.entries()) {
      const key = `field_${index}`
      const { id } = await field({ key, ...definition })
      for (const value of good) {
        for (const name of [key, String(id)]) {
          const answer = await post({ [name]: value })
          expect(answer.status, answer.text).toBe(201)
          expect(answer.body.data.customFields).toEqual({ [key]: value })
        }
      }
      for (const [value, code] of bad) {
        for (const name of [key, String(id)]) {
          const answer = await post({ [name]: value })
          expect([answer.status, ...faultsOf(answer)], `${key} ${JSON.stringify(value).slice(0, 50)}`).toEqual([
            422,
            `${code} customFields.${key}`,
          ])
        }
      }
      for (const empty of [null, '', []]) {
        const answer = await post({ [key]: empty })
        expect([answer.status, answer.body.data?.customFields]).toEqual([201, {}])
      }
    }
  })

  test('are rejected together, in the order of the definitions', async () => {
    const { field, post } = await openValues()
    await field({ key: 'k2', fieldType: 'number', order: 2 })
    await field({ key: 'k1', fieldType: 'text', order: 1, required: true })
    await field({ key: 'k3', fieldType: 'boolean', order: 3 })
    expect(faultsOf(await post({ k3: 'x', k2: 'x' }))).toEqual([
      'custom customFields.k1',
      'invalid_type customFields.k2',
      'invalid_type customFields.k3',
    ])
  })
})

describe('keys of custom values', () => {
  test('prefer the key over the id, and unknown and inactive keys are ignored', async () => {
    const { field, post, define } = await openValues()
    const ref = await field({ key: 'ref', fieldType: 'text' })
    const off = await field({ key: 'off', fieldType: 'number' })
    await define(off.id, { active: false })
    const passenger = await field({ key: 'meal', fieldType: 'number', entityType: 'flight_passenger' })
    const { status, body } = await post({
      [ref.id]: 'by id',
      ref: 'by key',
      off: 'not a number',
      [off.id]: 'not a number',
      meal: 'not a number',
      [passenger.id]: 'not a number',
      unknown: { deep: [[[]]] },
      REF: 5,
      [` ${ref.id}`]: 5,
      [`0${ref.id}`]: 5,
    })
    expect([status, body.data?.customFields]).toEqual([201, { ref: 'by key' }])
    expect((await post({ ref: null, [ref.id]: 'by id' })).body.data.customFields).toEqual({})
  })

  test('can consist of digits, even if another field has that id', async () => {
    const { field, post, put, stored, db } = await openValues()
    skipIds(db, 'custom_fields', 11)
    const other = await field({ key: 'other', fieldType: 'number' })
    expect(other.id).toBe(12)
    const digits = await field({ key: '12', fieldType: 'text' })
    expect((await post({ 12: 'text' })).body.data.customFields).toEqual({ 12: 'text' })
    expect((await post({ [digits.id]: 'text', other: 5 })).body.data.customFields).toEqual({ other: 5, 12: 'text' })
    expect((await put({ 12: 'text' })).status).toBe(200)
    expect(await stored()).toEqual({ 12: 'text' })
  })

  test('N7: can be names of the prototype', async () => {
    const { field, post, put, stored } = await openValues()
    expect(
      (await post({ constructor: 5, toString: 5, hasOwnProperty: 5, valueOf: {} })).body.data.customFields,
    ).toEqual({})
    await field({ key: 'constructor', fieldType: 'text' })
    const proto = await field({ key: '__proto__', fieldType: 'text' })
    expect((await post({})).body.data.customFields).toEqual({})
    expect((await post({ constructor: 'x' })).body.data.customFields).toEqual({ constructor: 'x' })
    const answer = await put({ [proto.id]: 'y' })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('"customFields":{"__proto__":"y"}')
    expect(Object.entries(await stored())).toEqual([['__proto__', 'y']])
    expect((await post('{"__proto__":{"polluted":true}}')).status).toBe(422)
  })

  test('N3: accept values of any depth and objects of any size', async () => {
    const { field, as, mira, plain, id, put } = await openValues()
    await field({ key: 'meal', fieldType: 'text', entityType: 'flight_passenger' })
    await field({ key: 'ref', fieldType: 'text' })
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const body = JSON.stringify({ ...plain, passengers: [{ userId: mira.id, customFields: { meal: 'DEEP' } }] })
    for (const value of [deep, deep.replaceAll('[', '{"a":').replaceAll(']', '}').replace('}', '1}')]) {
      const answer = await as(mira).put(`/flights/${id}`, body.replace('"DEEP"', value))
      expect([answer.status, ...faultsOf(answer)]).toEqual([422, 'invalid_type passengers.0.customFields.meal'])
      expect((await as(mira).post('/flights', body.replace('"meal":"DEEP"', `"unknown":${value}`))).status).toBe(201)
    }
    const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, index]))
    expect((await put({ ...many, ref: 'x' })).body.data.customFields).toEqual({ ref: 'x' })
  })
})

describe('merging custom values', () => {
  test('keeps, changes or removes stored values, and treats false and 0 as values', async () => {
    const { field, put, stored } = await openValues()
    await field({ key: 'ref', fieldType: 'text' })
    await field({ key: 'paid', fieldType: 'boolean' })
    await field({ key: 'price', fieldType: 'number' })
    await field({ key: 'tags', fieldType: 'multi-select', options: ['a', 'b'] })
    const all = { ref: 'x', paid: false, price: 0, tags: ['b'] }
    await put(all)
    expect(await stored()).toEqual(all)
    await put()
    expect(await stored()).toEqual(all)
    await put({})
    expect(await stored()).toEqual(all)
    await put({ ref: 'y' }, { note: 'Changed' })
    expect(await stored()).toEqual({ ...all, ref: 'y' })
    await put({ ref: '', tags: [] })
    expect(await stored()).toEqual({ paid: false, price: 0 })
    await put({ paid: null, price: null })
    expect(await stored()).toEqual({})
  })

  test('applies defaults to fields without a stored value or entry, even on later writes', async () => {
    const { field, put, stored, flight, post } = await openValues()
    await field({ key: 'ref', fieldType: 'text', defaultValue: 'none' })
    await field({ key: 'paid', fieldType: 'boolean', defaultValue: false })
    expect((await flight()).customFields).toEqual({ ref: 'none', paid: false })
    expect((await post({ ref: null })).body.data.customFields).toEqual({ paid: false })
    expect(await stored()).toEqual({})
    await put({ ref: 'own' })
    expect(await stored()).toEqual({ ref: 'own', paid: false })
    await put({ ref: null })
    expect(await stored()).toEqual({ paid: false })
    await put()
    expect(await stored()).toEqual({ ref: 'none', paid: false })
  })

  test('requires a value from the request, the store or the default for a required field', async () => {
    const { field, put, post, stored } = await openValues()
    await field({ key: 'ref', fieldType: 'text', required: true })
    await field({ key: 'paid', fieldType: 'boolean', required: true, defaultValue: true })
    for (const customFields of [{}, { ref: null }, { ref: '' }, { ref: [] }]) {
      expect(faultsOf(await post(customFields))).toEqual(['custom customFields.ref'])
    }
    expect(faultsOf(await put())).toEqual(['custom customFields.ref'])
    expect((await put({ ref: 'x' })).status).toBe(200)
    expect((await put()).status).toBe(200)
    expect(faultsOf(await put({ ref: null, paid: null }))).toEqual([
      'custom customFields.ref',
      'custom customFields.paid',
    ])
    expect(await stored()).toEqual({ ref: 'x', paid: true })
  })

  test('hides values of an inactive field, keeps them and shows them again', async () => {
    const { field, put, stored, define } = await openValues()
    const { id } = await field({ key: 'ref', fieldType: 'text', required: true, defaultValue: 'd' })
    await put({ ref: 'x' })
    await define(id, { active: false, required: true })
    expect(await stored()).toEqual({})
    expect((await put({ ref: 'ignored' }, { note: 'Changed' })).status).toBe(200)
    await define(id, { active: true })
    expect(await stored()).toEqual({ ref: 'x' })
  })

  test('reports a stored value that a changed definition no longer allows until it is corrected', async () => {
    const { field, put, define } = await openValues()
    const { id } = await field({ key: 'mood', fieldType: 'select', options: ['good', 'bad'] })
    await put({ mood: 'bad' })
    await define(id, { options: ['good'] })
    expect(faultsOf(await put())).toEqual(['invalid_value customFields.mood'])
    expect((await put({ mood: 'good' })).body.data.customFields).toEqual({ mood: 'good' })
  })

  test('applies the same rules to passengers, with their own paths', async () => {
    const { field, as, mira, noor, plain, id } = await openValues()
    await field({ key: 'meal', fieldType: 'text', entityType: 'flight_passenger', required: true })
    await field({ key: 'bags', fieldType: 'number', entityType: 'flight_passenger', defaultValue: 1 })
    const put = (passengers?: object[]) =>
      as(mira).put(`/flights/${id}`, { ...plain, ...(passengers && { passengers }) })
    const read = (answer: { body: { data: { passengers: { customFields: object }[] } } }) =>
      answer.body.data.passengers.map(({ customFields }) => customFields)
    const [me, other] = [{ userId: mira.id }, { userId: noor.id }]
    expect(read(await put())).toEqual([{}])
    expect(
      faultsOf(
        await put([
          { ...me, customFields: { meal: 'fish' } },
          { ...other, customFields: { bags: 'two' } },
        ]),
      ),
    ).toEqual(['custom passengers.1.customFields.meal', 'invalid_type passengers.1.customFields.bags'])
    const meals = [
      { ...me, customFields: { meal: 'fish' } },
      { ...other, customFields: { meal: 'rice', bags: 0 } },
    ]
    expect(read(await put(meals))).toEqual([
      { meal: 'fish', bags: 1 },
      { meal: 'rice', bags: 0 },
    ])
    expect(read(await put([other, me]))).toEqual([
      { meal: 'fish', bags: 1 },
      { meal: 'rice', bags: 0 },
    ])
    expect(
      read(
        await put([
          { ...me, customFields: {} },
          { ...other, customFields: { bags: null } },
        ]),
      ),
    ).toEqual([{ meal: 'fish', bags: 1 }, { meal: 'rice' }])
    expect(faultsOf(await put([{ ...me, customFields: { meal: '' } }, other]))).toEqual([
      'custom passengers.0.customFields.meal',
    ])
    expect(read(await put())).toEqual([{ meal: 'fish', bags: 1 }, { meal: 'rice' }])
  })
})
