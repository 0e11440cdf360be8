import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { notFound } from '../../lib/errors.ts'
import type { Frame, PageContext } from './context.ts'
import { csrfField, requireCsrf } from './csrf.ts'
import { pageFormats } from './formats.ts'
import { cookieOf, requireCaller } from './session.ts'

export type IdRequest = { Params: { id: string } }

/** Ids of rows count from 1; anything else names nothing. */
export function idIn(text: unknown, what: string): number {
  if (typeof text !== 'string' || !/^[1-9]\d{0,14}$/.test(text)) throw notFound(what)
  return Number(text)
}

export const idOf = ({ params }: FastifyRequest<IdRequest>, what: string): number => idIn(params.id, what)

/** The page of one thing below a list, for forms that lead back to it. */
export const pageBelow = (path: string, { params }: FastifyRequest<IdRequest>): string =>
  `${path}/${encodeURIComponent(params.id)}`

/** One part of a long list: the one asked for, or the nearest that there is. */
export function partOf(asked: number, count: number, size: number) {
  const pages = Math.max(1, Math.ceil(count / size))
  const page = Number.isSafeInteger(asked) ? Math.min(Math.max(asked, 1), pages) : 1
  return { page, pages, limit: size, offset: (page - 1) * size }
}

/** What the pages behind the sign-in do alike. */
export function signedInPages({ basePath, preferences, notices }: PageContext) {
  return {
    frame: (request: FastifyRequest, caller: Caller): Frame => ({
      basePath,
      viewer: { name: caller.displayName, csrf: csrfField(request), permissions: caller.permissions },
      formats: pageFormats(preferences.of(caller.userId), request.headers['accept-language']),
      notice: notices.take(cookieOf(request, 'session')!),
    }),

    /** Every form: signed in first, with a way back to the page that holds it, then the CSRF token of the form. */
    requireForm(request: FastifyRequest, page: string): Caller {
      const caller = requireCaller(request, basePath + page)
      requireCsrf(request)
      return caller
    },

    /** After a form: to a page that tells what was done. */
    back(
      request: FastifyRequest,
      reply: FastifyReply,
      page: string,
      notice: string,
      session = cookieOf(request, 'session'),
    ) {
      notices.leave(session!, notice)
      return reply.redirect(basePath + page, 303)
    },
  }
}
