import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'

const MOST_BYTES = 64 * 1024

/** Forms are the only bodies of pages: `application/x-www-form-urlencoded`, small, and never turned into an object. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  // URLSearchParams has no prototype to reach and keeps repeated fields apart.
  const parser = (text: string) => new URLSearchParams(text) as unknown as Record<string, unknown>
  await app.register(formbody, { bodyLimit: MOST_BYTES, parser })
}

export const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams()

/** A field that a form has once; absent counts as empty, since browsers send empty fields. */
export function fieldOf(form: URLSearchParams, name: string): string {
  const [value = '', ...more] = form.getAll(name)
  if (more.length > 0) throw new AppError('bad_request', `The field ${name} was sent more than once.`)
  return value
}
