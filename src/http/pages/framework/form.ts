import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'

const MAX_FORM_BYTES = 64 * 1024

/** For the form of a flight: a percent-encoded character takes up to twelve bytes. */
export const MAX_LONG_FORM_BYTES = 2 * 1024 * 1024

/** Parsing time grows with the square of the number of fields. */
const MAX_FIELDS = 20_000

export class RepeatedField extends AppError {
  readonly field: string

  constructor(field: string) {
    super('bad_request', `Repeated field: ${field}`)
    this.field = field
  }
}

class TooManyFields extends Error {
  readonly statusCode = 413
}

const hasTooManyFields = (text: string) => text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS

/** URLSearchParams keeps repeated fields and has no prototype to pollute. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  // A parser must not throw, so formOf throws the error.
  const parse = (text: string): unknown => (hasTooManyFields(text) ? new TooManyFields() : new URLSearchParams(text))
  await app.register(formbody, {
    bodyLimit: MAX_FORM_BYTES,
    parser: parse as (text: string) => Record<string, unknown>,
  })
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  if (body instanceof TooManyFields) throw body
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

export const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URLSearchParams(url.split(/\?(.*)/s)[1] ?? '')

/** The value of a single field; an absent field is empty. */
export function fieldOf(form: URLSearchParams, name: string): string {
  const [value = '', ...more] = form.getAll(name)
  if (more.length > 0) throw new RepeatedField(name)
  return value
}

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
