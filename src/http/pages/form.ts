import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'

const MOST_BYTES = 64 * 1024

/**
 * For the form of a flight: room for every text that a flight may have, and several long ones of custom fields, in letters
 * that take twelve bytes each on their way.
 */
export const LONG_FORM_BYTES = 2 * 1024 * 1024

/** Reading takes time by the square of the fields, and no page has nearly as many. */
const MOST_FIELDS = 20_000

/** Answered like a body that has too many bytes. */
class TooManyFields extends Error {
  readonly statusCode = 413
}

function hasTooManyFields(text: string): boolean {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0 && fields <= MOST_FIELDS; at = text.indexOf('&', at + 1)) fields++
  return fields > MOST_FIELDS
}

/** Forms are the only bodies of pages: `application/x-www-form-urlencoded`, small, and never turned into an object. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  // URLSearchParams has no prototype to reach and keeps repeated fields apart.
  const read = (text: string) => (hasTooManyFields(text) ? new TooManyFields() : new URLSearchParams(text))
  // A parser must not throw; whoever reads the form learns of it.
  const parser = (text: string) => read(text) as unknown as Record<string, unknown>
  await app.register(formbody, { bodyLimit: MOST_BYTES, parser })
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  if (body instanceof TooManyFields) throw body
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/** What an address asks for, as it was sent: repeated members stay apart. */
export const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URLSearchParams(url.split(/\?(.*)/s)[1] ?? '')

/** A field that a form has once; absent counts as empty, since browsers send empty fields. */
export function fieldOf(form: URLSearchParams, name: string): string {
  const [value = '', ...more] = form.getAll(name)
  if (more.length > 0) throw new AppError('bad_request', `The field ${name} was sent more than once.`)
  return value
}

/** What was typed one a line. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
