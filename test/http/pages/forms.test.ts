import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { fieldErrorsOf, submit } from '../../../src/http/pages/framework/forms.ts'
import { textsIn } from '../../../src/http/pages/texts/languages.ts'
import type { ErrorDetail } from '../../../src/lib/errors.ts'

const texts = textsIn('en')

const detail = (path: string[], message: string): ErrorDetail => ({ code: 'custom', path, message })

describe('field errors', () => {
  test('contain the first error of each field', () => {
    const details = [
      detail(['name'], 'Too short.'),
      detail(['slug'], 'Taken.'),
      detail(['name'], 'No digits.'),
      detail(['name'], 'Not this one.'),
    ]
    expect(fieldErrorsOf(details, texts)).toEqual({ name: 'Too short.', slug: 'Taken.' })
  })

  test('contain the first error of nested members and of members that share a field', () => {
    const details = [
      detail(['passengers', '1', 'seat'], 'Unknown seat.'),
      detail(['passengers', '0', 'guestName'], 'Too long.'),
      detail(['departure'], 'Not a time.'),
      detail(['date'], 'Not a day.'),
    ]
    expect(fieldErrorsOf(details, texts)).toEqual({
      passengers: 'Unknown seat.',
      departure: 'Not a time.',
      date: 'Not a day.',
    })
    const fieldAt = ([first = '']: readonly string[]) => (first === 'date' ? 'departure' : first)
    expect(fieldErrorsOf(details, texts, fieldAt)).toEqual({ passengers: 'Unknown seat.', departure: 'Not a time.' })
  })

  test('contain one error if the schema reports several for a field', async () => {
    const schema = z.object({
      name: z.string().min(5, 'Too short.').regex(/^\D*$/, 'No digits.'),
    })
    const result = await submit({
      texts,
      schema,
      body: { name: 'a1' },
      work: () => 'done',
      again: (refused) => refused,
      done: (result) => result,
    })
    expect(result).toEqual({ status: 422, fieldErrors: { name: expect.stringMatching(/5|short/i) } })
  })
})
