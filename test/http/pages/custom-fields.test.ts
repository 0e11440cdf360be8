import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { CustomFieldWrite } from '../../../src/domain/custom-fields/contract.ts'
import { booleanIn } from '../../../src/http/pages/features/admin/custom-field-form.ts'
import { noticeIn, signInWith, summaryIn } from '../../support/administration.ts'
import { signedIn } from '../../support/pages.ts'
import { places } from '../../support/travel.ts'

const PAGE = '/admin/custom-fields'

/** Fields of a valid form. */
const validForm = {
  entityType: 'flight',
  key: 'mood',
  fieldType: 'text',
  label: 'Mood',
  description: '',
  order: '0',
  options: '',
  defaultValue: '',
  regex: '',
  min: '',
  max: '',
  minLength: '',
  maxLength: '',
  active: 'true',
}

async function setUp() {
  const instance = await signedIn()
  const { customFields } = instance.services
  const all = () => customFields.list(operator, true)
  const add = (field: object) => customFields.create(operator, CustomFieldWrite.parse({ ...validField, ...field }))
  return { ...instance, all, add }
}

const validField = { entityType: 'flight', key: 'mood', fieldType: 'text', label: 'Mood' }

describe('custom fields page', () => {
  test('groups the fields by entity, including inactive ones', async () => {
    const { browser, add } = await setUp()
    expect((await browser.get(PAGE)).html).toContain('No custom fields yet.')
    await add({ required: true })
    await add({
      entityType: 'flight_passenger',
      key: 'meal',
      label: 'Meal',
      fieldType: 'select',
      options: ['Soup'],
      active: false,
    })
    const { html } = await browser.get(PAGE)
    const [flights, passengers] = [html.indexOf('>Flights</h2>'), html.indexOf('>Passengers</h2>')]
    expect([flights > 0, passengers > flights]).toEqual([true, true])
    expect(html.slice(flights, passengers)).toMatch(/>Mood<\/a><span class="tag">Required<\/span>/)
    expect(html.slice(passengers)).toMatch(/>Meal<\/a><span class="tag">Not in use<\/span>.*Single choice/s)
  })

  test('adds a field of each type with options, default, limits and order', async () => {
    const { browser, all, db } = await setUp()
    const { ZRH } = places(db).airports
    const addField = async (fields: object) => {
      const answer = await browser.submit(PAGE, PAGE, { ...validForm, ...fields })
      expect([summaryIn(answer.html), answer.status]).toEqual([[], 303])
      return all().at(-1)
    }
    const limits = { regex: '^[a-z]+$', minLength: '2', maxLength: '20' }
    expect(
      await addField({ ...limits, defaultValue: 'calm', description: 'How it was', required: 'true' }),
    ).toMatchObject({
      validation: { regex: '^[a-z]+$', minLength: 2, maxLength: 20 },
      defaultValue: 'calm',
      description: 'How it was',
      required: true,
      active: true,
    })
    expect(noticeIn((await browser.get(PAGE)).html)).toBe('The field Mood was added.')
    const number = {
      key: 'price',
      label: 'Price',
      fieldType: 'number',
      order: '1',
      min: '0',
      max: '9,5',
      defaultValue: '7.25',
    }
    expect(await addField(number)).toMatchObject({ validation: { min: 0, max: 9.5 }, defaultValue: 7.25, order: 1 })
    const checkbox = { key: 'late', label: 'Late', fieldType: 'boolean', order: '2', defaultValue: 'No', active: [] }
    expect(await addField(checkbox)).toMatchObject({ defaultValue: false, active: false, validation: null })
    const multiSelect = { key: 'meals', label: 'Meals', fieldType: 'multi-select', order: '3' }
    expect(
      await addField({ ...multiSelect, options: 'Soup\r\n\r\n Bread \r\n', defaultValue: 'Soup\r\nBread' }),
    ).toMatchObject({
      options: ['Soup', 'Bread'],
      defaultValue: ['Soup', 'Bread'],
    })
    const home = { key: 'home', label: 'Home', fieldType: 'airport', order: '4', defaultValue: 'zrh' }
    expect(await addField(home)).toMatchObject({ defaultValue: ZRH })
    const date = { key: 'booked', label: 'Booked', fieldType: 'date', order: '5', defaultValue: '2025-05-03' }
    expect(await addField(date)).toMatchObject({ defaultValue: '2025-05-03' })
  })

  test.each([
    [
      'no label and a bad key',
      { label: ' ', key: 'Bad Key' },
      422,
      ['Key: Must be 2 to 50 letters a–z, digits or underscores.', 'Label: Must have at least 1 character.'],
    ],
    ['an invalid order', { order: 'first' }, 422, ['Order: Must be a number.']],
    [
      'limits in the wrong order',
      { fieldType: 'number', min: '5', max: '1' },
      422,
      ['Maximum: Must not be less than min.'],
    ],
    ['an invalid length', { minLength: 'ten' }, 422, ['Minimum length: Must be a number.']],
    ['a select without options', { fieldType: 'select' }, 422, ['Options: A select field needs options.']],
    ['options for another type', { options: 'a' }, 422, ['Options: Only select fields have options.']],
    ['a repeated option', { fieldType: 'select', options: 'a\na' }, 422, ['Options: Must not name an option twice.']],
    [
      'an invalid pattern',
      { regex: '(' },
      422,
      ['Pattern: Must be a regular expression without look-around, back-references and very large repetitions.'],
    ],
    [
      'a default that is not a number',
      { fieldType: 'number', defaultValue: 'much' },
      422,
      ['Default: Must be a number.'],
    ],
    [
      'a default that is not yes or no',
      { fieldType: 'boolean', defaultValue: 'maybe' },
      422,
      ['Default: Must be yes or no.'],
    ],
    [
      'an unknown airport',
      { fieldType: 'airport', defaultValue: 'QQQ' },
      422,
      ['Default: There is no airport with the code QQQ.'],
    ],
    ['a taken key', { key: 'taken' }, 409, ['Key: The key taken is taken by another field of this entity type.']],
  ])('rejects %s and keeps the entries', async (_what, wrong, status, messages) => {
    const { browser, all, add } = await setUp()
    await add({ key: 'taken' })
    const answer = await browser.submit(PAGE, PAGE, { ...validForm, ...wrong, description: 'Typed before' })
    expect([answer.status, summaryIn(answer.html)]).toEqual([status, messages])
    expect(answer.html).toContain('value="Typed before"')
    expect(answer.html).toContain('<title>Error: Custom fields – Paxlog</title>')
    expect(all()).toHaveLength(1)
  })

  test('returns 403 without custom_fields.manage and changes nothing', async () => {
    const instance = await setUp()
    const { all, add } = instance
    const { id } = await add({})
    const reader = await signInWith(instance, 'role-user', 'reader')
    for (const page of [PAGE, `${PAGE}/${id}`]) expect((await reader.browser.get(page)).status).toBe(403)
    for (const action of [PAGE, `${PAGE}/${id}`, `${PAGE}/${id}/delete`]) {
      const answer = await reader.browser.submit('/', action, { ...validForm, key: 'mine', label: 'Mine' })
      expect([action, answer.status]).toEqual([action, 403])
    }
    expect(all()).toMatchObject([{ label: 'Mood' }])
  })

  test('C2: rejects forms without a CSRF token', async () => {
    const { browser, all, add } = await setUp()
    const { id } = await add({})
    for (const action of [PAGE, `${PAGE}/${id}`, `${PAGE}/${id}/delete`]) {
      expect([action, (await browser.post(action, { ...validForm, key: 'mine' })).status]).toEqual([action, 403])
    }
    expect(all()).toMatchObject([{ label: 'Mood' }])
  })
})

describe('custom field page', () => {
  test('shows the stored field, and saving it unchanged changes nothing', async () => {
    const { browser, add, all } = await setUp()
    const { id } = await add({
      fieldType: 'multi-select',
      options: ['Soup', 'Bread'],
      defaultValue: ['Bread'],
      order: 7,
      validation: { minLength: 3 },
    })
    const [before] = all()
    const page = `${PAGE}/${id}`
    const { html } = await browser.get(page)
    expect(html).not.toContain('name="key"')
    const shown = {
      label: 'Mood',
      description: '',
      order: /<input[^>]*value="(\d+)"[^>]*id="order"/.exec(html)![1]!,
      options: /<textarea[^>]*id="options"[^>]*>([^<]*)</.exec(html)![1]!,
      defaultValue: /<textarea[^>]*id="default"[^>]*>([^<]*)</.exec(html)![1]!,
      minLength: /<input[^>]*value="(\d+)"[^>]*id="min-length"/.exec(html)![1]!,
    }
    expect((await browser.submit(page, page, { ...shown, active: 'true' })).status).toBe(303)
    expect(all()).toEqual([{ ...before, updatedAt: expect.any(String) }])
  })

  test('changes the mutable properties and shows errors', async () => {
    const { browser, add, all } = await setUp()
    const { id } = await add({})
    const page = `${PAGE}/${id}`
    const wrong = await browser.submit(page, page, { ...validForm, label: '', regex: '(' })
    expect([wrong.status, summaryIn(wrong.html)]).toEqual([422, ['Label: Must have at least 1 character.']])
    const sent = {
      ...validForm,
      label: 'Temper',
      key: 'other',
      entityType: 'flight_passenger',
      fieldType: 'number',
      active: [],
    }
    expect((await browser.submit(page, page, sent)).status).toBe(303)
    expect(all()).toMatchObject([
      { label: 'Temper', key: 'mood', entityType: 'flight', fieldType: 'text', active: false },
    ])
  })

  test('asks for confirmation and deletes the field with its values', async () => {
    const { browser, add, all } = await setUp()
    const { id } = await add({})
    const page = `${PAGE}/${id}`
    expect((await browser.get(page)).html).toMatch(/<details class="danger"><summary[^>]*>Delete the field Mood/)
    expect((await browser.submit(page, `${page}/delete`, {})).status).toBe(303)
    expect(all()).toEqual([])
    for (const missing of [page, `${PAGE}/0`, `${PAGE}/x`]) expect((await browser.get(missing)).status).toBe(404)
  })
})

test('yes and no are read in English and in the language of the page, with or without accents', () => {
  const read = (texts: string[], t: { yes: string; no: string }) => texts.map((text) => booleanIn(text, t))
  expect(read(['sí', 'Si', 'yes', 'TRUE'], { yes: 'sí', no: 'no' })).toEqual([true, true, true, true])
  expect(read(['não', 'nao', 'no', 'false'], { yes: 'sim', no: 'não' })).toEqual([false, false, false, false])
  expect(read(['maybe', ''], { yes: 'はい', no: 'いいえ' })).toEqual([undefined, undefined])
})
