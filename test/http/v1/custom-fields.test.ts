import { describe, expect, test } from 'vitest'
import { faultsOf, flightLog } from '../../support/flight-log.ts'

const EMOJI = '🛫'
const text = { entityType: 'flight', key: 'ref', label: 'Reference', fieldType: 'text' }
const select = { ...text, fieldType: 'select', options: ['a', 'b'] }

async function openFields() {
  const log = await flightLog()
  const { as, admin } = log
  return {
    ...log,
    post: (body: unknown) => as(admin).post('/custom-fields', body),
    put: (id: number, body: unknown) => as(admin).put(`/custom-fields/${id}`, body),
    get: (id: number) => as(admin).get(`/custom-fields/${id}`),
    list: async (query = '') => (await as(admin).get(`/custom-fields${query}`)).body.data,
  }
}

describe('POST /api/v1/custom-fields', () => {
  test('creates the definition of the contract example, and Location points to it', async () => {
    const { post, as, admin } = await openFields()
    const answer = await post({
      ...text,
      key: 'booking_ref',
      label: ' Booking reference ',
      validation: { maxLength: 6 },
    })
    expect(answer.status).toBe(201)
    const { id, createdAt } = answer.body.data
    expect(answer.headers.location).toBe(`/api/v1/custom-fields/${id}`)
    expect(answer.text).toBe(
      `{"data":{"id":${id},"entityType":"flight","key":"booking_ref","label":"Booking reference","description":null,"fieldType":"text","required":false,"order":0,"defaultValue":null,"options":null,"active":true,"validation":{"maxLength":6},"createdAt":"${createdAt}","updatedAt":"${createdAt}"}}`,
    )
    expect((await as(admin).get(`/custom-fields/${id}`)).text).toBe(answer.text)
  })

  test('stores every member as sent', async () => {
    const { post } = await openFields()
    for (const body of [
      {
        ...text,
        label: EMOJI.repeat(80),
        description: EMOJI.repeat(200),
        required: true,
        order: 10_000,
        active: false,
      },
      { ...text, key: 'a0', defaultValue: EMOJI, validation: { regex: '^.{1,2}$', minLength: 1, maxLength: 1000 } },
      { ...text, key: 'x'.repeat(50), fieldType: 'textarea', defaultValue: 'a\nb', validation: {} },
      { ...text, key: 'n1', fieldType: 'number', defaultValue: 0, validation: { min: 0, max: 0 } },
      { ...text, key: 'n2', fieldType: 'number', defaultValue: -1.5, validation: { min: -1.5 } },
      { ...text, key: 'bo', fieldType: 'boolean', defaultValue: false },
      { ...text, key: 'da', fieldType: 'date', defaultValue: '2024-02-29' },
      { ...select, key: 'se', defaultValue: 'b' },
      { ...select, key: 'mu', fieldType: 'multi-select', defaultValue: ['b', 'a'] },
      { ...select, key: 's2', options: Array.from({ length: 100 }, (_, index) => `${index}`.padStart(100, 'x')) },
      { ...text, entityType: 'flight_passenger' },
      { ...text, key: 'constructor' },
      { ...text, key: '__proto__' },
      { ...text, key: '12' },
    ]) {
      const answer = await post(body)
      expect(answer.status, answer.text).toBe(201)
      expect(answer.body.data).toMatchObject(body)
    }
  })

  const invalidBodies: [body: object, faults: string[]][] = [
    [{}, ['invalid_type entityType', 'invalid_type key', 'invalid_type fieldType', 'invalid_type label']],
    [{ ...text, entityType: 'user' }, ['invalid_value entityType']],
    [{ ...text, fieldType: 'json' }, ['invalid_value fieldType']],
    [{ ...text, fieldType: null }, ['invalid_type fieldType']],
    ...['a', 'x'.repeat(51), 'Ref', 'a b', 'é1', 'a-b', '', 'toString', 'ref\n'].map((key): [object, string[]] => [
      { ...text, key },
      ['invalid_format key'],
    ]),
    [{ ...text, key: 5 }, ['invalid_type key']],
    [{ ...text, label: ' ' }, ['too_small label']],
    [{ ...text, label: EMOJI.repeat(81) }, ['too_big label']],
    [{ ...text, label: null }, ['invalid_type label']],
    [{ ...text, label: 'a\0' }, ['custom label']],
    [{ ...text, description: EMOJI.repeat(201) }, ['too_big description']],
    [{ ...text, description: 5 }, ['invalid_type description']],
    [{ ...text, required: null }, ['invalid_type required']],
    [{ ...text, required: 'true' }, ['invalid_type required']],
    [{ ...text, active: 1 }, ['invalid_type active']],
    [{ ...text, order: -1 }, ['too_small order']],
    [{ ...text, order: 10_001 }, ['too_big order']],
    [{ ...text, order: 1.5 }, ['invalid_type order']],
    [{ ...text, order: null }, ['invalid_type order']],
    [{ ...text, options: ['a'] }, ['custom options']],
    [{ ...text, options: {} }, ['invalid_type options']],
    [{ ...select, options: null }, ['custom options']],
    [{ ...select, options: undefined }, ['custom options']],
    [{ ...select, fieldType: 'multi-select', options: null }, ['custom options']],
    [{ ...select, options: [] }, ['too_small options']],
    [{ ...select, options: Array.from({ length: 101 }, (_, index) => `${index}`) }, ['too_big options']],
    [{ ...select, options: ['a', 'a'] }, ['custom options']],
    [{ ...select, options: ['a', ''] }, ['too_small options.1']],
    [{ ...select, options: ['a', EMOJI.repeat(101)] }, ['too_big options.1']],
    [{ ...select, options: ['a', 5] }, ['invalid_type options.1']],
    [{ ...text, validation: [] }, ['invalid_type validation']],
    [{ ...text, validation: { regex: 5 } }, ['invalid_type validation.regex']],
    [{ ...text, validation: { regex: 'a'.repeat(201) } }, ['too_big validation.regex']],
    ...[
      '(',
      '[',
      '*',
      'a{2,1}',
      '\\',
      '(?=a)',
      '(?!a)',
      '(?<=a)',
      '(?<!a)',
      '(a)\\1',
      '(?<n>a)\\k<n>',
      '(.*){1,32000}[bc]',
      '.{1000}.{1000}',
      '((((a{100}){100}){100}){100})',
    ].map((regex): [object, string[]] => [{ ...text, validation: { regex } }, ['invalid_format validation.regex']]),
    [{ ...text, validation: { min: 2, max: 1 } }, ['custom validation.max']],
    [{ ...text, validation: { min: '2', max: 1 } }, ['invalid_type validation.min']],
    [{ ...text, validation: { min: null } }, ['invalid_type validation.min']],
    [{ ...text, validation: { minLength: 2, maxLength: 1 } }, ['custom validation.maxLength']],
    [{ ...text, validation: { minLength: -1 } }, ['too_small validation.minLength']],
    [{ ...text, validation: { maxLength: 1.5 } }, ['invalid_type validation.maxLength']],
    [
      { ...text, validation: { min: 2, max: 1, minLength: 2, maxLength: 1, regex: 5 } },
      ['invalid_type validation.regex', 'custom validation.max', 'custom validation.maxLength'],
    ],
    ...['', []].map((defaultValue): [object, string[]] => [{ ...text, defaultValue }, ['custom defaultValue']]),
    [{ ...text, defaultValue: 5 }, ['invalid_type defaultValue']],
    [{ ...text, defaultValue: 'x'.repeat(1001) }, ['too_big defaultValue']],
    [{ ...text, defaultValue: 'abc', validation: { maxLength: 2 } }, ['too_big defaultValue']],
    [{ ...text, defaultValue: 'abc', validation: { regex: '^b' } }, ['invalid_format defaultValue']],
    [{ ...text, fieldType: 'number', defaultValue: 5, validation: { max: 4 } }, ['too_big defaultValue']],
    [{ ...text, fieldType: 'boolean', defaultValue: 'no' }, ['invalid_type defaultValue']],
    [{ ...text, fieldType: 'date', defaultValue: '2025-02-30' }, ['invalid_format defaultValue']],
    [{ ...select, defaultValue: 'c' }, ['invalid_value defaultValue']],
    [{ ...select, fieldType: 'multi-select', defaultValue: ['a', 'a'] }, ['custom defaultValue']],
    [{ ...text, fieldType: 'airport', defaultValue: 99_999 }, ['custom defaultValue']],
    [{ ...text, options: ['a'], validation: { regex: '(' } }, ['custom options', 'invalid_format validation.regex']],
  ]

  test('rejects invalid members with code and path', async () => {
    const { post, list } = await openFields()
    for (const [body, faults] of invalidBodies) {
      const answer = await post(body)
      expect([answer.status, ...faultsOf(answer)], JSON.stringify(body).slice(0, 200)).toEqual([422, ...faults])
    }
    expect(await list('?includeInactive=true')).toEqual([])
  })

  test('accepts a key once per entity type, even if the other definition is inactive', async () => {
    const { post } = await openFields()
    expect((await post({ ...text, active: false })).status).toBe(201)
    const answer = await post(text)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
    expect((await post({ ...text, entityType: 'flight_passenger' })).status).toBe(201)
  })
})

describe('PUT /api/v1/custom-fields/{id}', () => {
  test('replaces the definition if fixed members are absent or equal', async () => {
    const { post, put, get } = await openFields()
    const { id, createdAt, updatedAt } = (
      await post({
        ...text,
        description: 'Old',
        required: true,
        order: 5,
        active: false,
        defaultValue: 'x',
        validation: { maxLength: 5 },
      })
    ).body.data
    const answer = await put(id, { label: 'New' })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      ...text,
      id,
      label: 'New',
      description: null,
      required: false,
      order: 0,
      defaultValue: null,
      options: null,
      active: true,
      validation: null,
      createdAt,
      updatedAt: answer.body.data.updatedAt,
    })
    expect(answer.body.data.updatedAt > updatedAt).toBe(true)
    expect((await put(id, { ...text, label: 'Newer' })).status).toBe(200)
    expect((await get(id)).body.data.label).toBe('Newer')
  })

  test('rejects changes of fixed members together with every other error', async () => {
    const { post, put, get } = await openFields()
    const { data } = (await post(text)).body
    const answer = await put(data.id, {
      entityType: 'flight_passenger',
      key: 'other',
      fieldType: 'select',
      label: 'x',
      options: ['a'],
    })
    expect([answer.status, ...faultsOf(answer)]).toEqual([
      422,
      'custom entityType',
      'custom key',
      'custom fieldType',
      'custom options',
    ])
    for (const [body, faults] of [
      [{}, ['invalid_type label']],
      [{ label: 'x', key: null }, ['invalid_type key']],
      [{ label: 'x', key: 'NO' }, ['invalid_format key']],
      [{ label: 'x', entityType: 'user' }, ['invalid_value entityType']],
      [{ label: 'x', defaultValue: 5 }, ['invalid_type defaultValue']],
      [{ label: 'x', key: 'other', defaultValue: 5 }, ['custom key', 'invalid_type defaultValue']],
    ] as [object, string[]][]) {
      const error = await put(data.id, body)
      expect([error.status, ...faultsOf(error)]).toEqual([422, ...faults])
    }
    expect((await get(data.id)).body.data).toEqual(data)
  })
})

describe('the other custom-field operations', () => {
  test('the list is sorted by entity type, order, label and id, and includes inactive fields only on request', async () => {
    const { post, list, get } = await openFields()
    const definitions = [
      { key: 'k1', entityType: 'flight_passenger', label: 'A', order: 0 },
      { key: 'k2', entityType: 'flight', label: 'b', order: 1 },
      { key: 'k3', entityType: 'flight', label: 'Z', order: 1 },
      { key: 'k4', entityType: 'flight', label: 'Z', order: 1 },
      { key: 'k5', entityType: 'flight', label: 'a', order: 0, active: false },
      { key: 'k6', entityType: 'flight', label: 'é', order: 10 },
      { key: 'k7', entityType: 'flight', label: 'z', order: 10 },
    ]
    for (const body of definitions) await post({ ...text, ...body })
    const keys = (found: { key: string }[]) => found.map(({ key }) => key)
    expect(keys(await list())).toEqual(['k3', 'k4', 'k2', 'k7', 'k6', 'k1'])
    expect(keys(await list('?includeInactive=false'))).toEqual(['k3', 'k4', 'k2', 'k7', 'k6', 'k1'])
    const all = await list('?includeInactive=true')
    expect(keys(all)).toEqual(['k5', 'k3', 'k4', 'k2', 'k7', 'k6', 'k1'])
    for (const definition of all) expect((await get(definition.id)).body.data).toEqual(definition)
  })

  test('includeInactive must be true or false and requires custom_fields.manage', async () => {
    const { as, key, admin, mira } = await openFields()
    const narrow = key(admin.id, ['custom_fields.read'])
    const answer = await as(narrow).get('/custom-fields?includeInactive=true')
    expect(answer.headers['www-authenticate']).toContain(
      'scope="custom_fields.read custom_fields.manage", error="insufficient_scope"',
    )
    const forbidden = await as(mira).get('/custom-fields?includeInactive=true')
    expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'forbidden'])
    expect((await as(narrow).get('/custom-fields')).text).toBe('{"data":[],"page":{"nextCursor":null}}')
    for (const value of ['', '1', 'TRUE', 'yes', 'true&includeInactive=true']) {
      expect((await as(narrow).get(`/custom-fields?includeInactive=${value}`)).status).toBe(400)
    }
  })

  test('writes require scope and permission, and an unknown id returns 404', async () => {
    const { as, mira, key, admin, post } = await openFields()
    const { id } = (await post(text)).body.data
    const narrow = key(admin.id, ['custom_fields.read'])
    for (const send of [
      (who: typeof mira | string) => as(who).post('/custom-fields', text),
      (who: typeof mira | string) => as(who).put(`/custom-fields/${id}`, text),
      (who: typeof mira | string) => as(who).delete(`/custom-fields/${id}`),
    ]) {
      const [scope, role] = [await send(narrow), await send(mira)]
      expect([scope.status, scope.body.error.code]).toEqual([403, 'insufficient_scope'])
      expect([role.status, role.body.error.code]).toEqual([403, 'forbidden'])
    }
    expect((await as(mira).get(`/custom-fields/${id}`)).status).toBe(200)
    expect((await as(admin).get('/custom-fields/999')).status).toBe(404)
    expect((await as(admin).put('/custom-fields/999', { label: 'x' })).status).toBe(404)
    expect((await as(admin).delete('/custom-fields/999')).status).toBe(404)
    for (const bad of ['0', 'x', '-1', '1.5', '9007199254740992', '1e3']) {
      expect((await as(admin).get(`/custom-fields/${bad}`)).status, bad).toBe(400)
    }
    expect((await as(admin).get(`/custom-fields/${'0'.repeat(30)}${id}`)).status).toBe(200)
  })

  test('DELETE removes the definition with all its values', async () => {
    const { post, as, admin, flight, db, mira, list } = await openFields()
    const { id } = (await post({ ...text, defaultValue: 'x' })).body.data
    const other = (await post({ ...text, entityType: 'flight_passenger', defaultValue: 'y' })).body.data
    const createdFlight = await flight()
    expect(createdFlight.customFields).toEqual({ ref: 'x' })
    expect((await as(admin).delete(`/custom-fields/${id}`)).status).toBe(204)
    expect((await as(admin).delete(`/custom-fields/${id}`)).status).toBe(404)
    expect(await list()).toEqual([other])
    expect((await as(mira).get(`/flights/${createdFlight.id}`)).body.data.customFields).toEqual({})
    expect(db.$client.prepare('select count(*) from flight_values').pluck().get()).toBe(0)
    expect(db.$client.prepare('select count(*) from passenger_values').pluck().get()).toBe(1)
    expect((await post(text)).body.data.id).toBeGreaterThan(other.id)
  })
})
