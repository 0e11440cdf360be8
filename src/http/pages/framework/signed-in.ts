import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import type { JSX } from 'preact'
import type { Caller } from '../../../access/caller.ts'
import type { Permission } from '../../../access/permissions.ts'
import type { Preferences } from '../../../domain/preferences/contract.ts'
import { notFound } from '../../../lib/errors.ts'
import { digestText } from '../../../lib/secret.ts'
import type { PageTexts } from '../texts/languages.ts'
import type { Frame, PageContext } from './context.ts'
import { csrfField, requireCsrf } from './csrf.ts'
import { formOf } from './form.ts'
import { type Formats, pageFormats } from './formats.ts'
import { requireAny } from './forms.ts'
import { sendPage } from './layout.tsx'
import { languageOf, localizationOf } from './localization.ts'
import type { Notice } from './notices.ts'
import { cookieOf, requireCaller } from './session.ts'

export type IdRequest = { Params: { id: string } }

export function idIn(text: unknown, what: string): number {
  if (typeof text !== 'string' || !/^[1-9]\d{0,14}$/.test(text)) throw notFound(what)
  return Number(text)
}

export const idOf = ({ params }: FastifyRequest<IdRequest>, what: string): number => idIn(params.id, what)

/** The requested page of a list, or the closest one that exists. */
export function pageOfList(asked: number, count: number, size: number) {
  const pages = Math.max(1, Math.ceil(count / size))
  const page = Number.isSafeInteger(asked) ? Math.min(Math.max(asked, 1), pages) : 1
  return { page, pages, limit: size, offset: (page - 1) * size }
}

/** One request of a signed-in user. */
export type Visit<Route extends RouteGenericInterface = RouteGenericInterface> = ReturnType<typeof visitOf<Route>>

export function visitOf<Route extends RouteGenericInterface>(
  { basePath, preferences, notices, routes }: PageContext,
  request: FastifyRequest<Route>,
  reply: FastifyReply,
  caller: Caller,
) {
  /** The secret of the session cookie. */
  const session = cookieOf(request, 'session')!
  const redirect = (path: string) => reply.redirect(basePath + path, 303)
  let formats: Formats | undefined
  let known: Preferences | undefined
  const chosen = () => {
    known ??= preferences.of(caller.userId)
    return known
  }
  return {
    request,
    reply,
    caller,
    session,
    get form(): URLSearchParams {
      return formOf(request)
    },
    get formats(): Formats {
      formats ??= pageFormats(chosen(), request)
      return formats
    },
    get preferences(): Preferences {
      return chosen()
    },
    get texts(): PageTexts {
      return localizationOf(request).texts
    },
    /** Removes the pending notice, so read it only to render a page. */
    get frame(): Frame {
      return {
        basePath,
        viewer: {
          name: caller.displayName,
          username: caller.username,
          csrf: csrfField(request),
          permissions: caller.permissions,
          theme: chosen().theme,
          language: chosen().language,
          page: request.method === 'GET' ? request.url : routes.pageOfForm(request.url),
        },
        formats: this.formats,
        notice: notices.take(session),
      }
    },
    send: (page: JSX.Element, status = 200) => sendPage(reply, status, page),
    redirect,
    /** Redirects to a page that shows the notice. */
    back(path: string, notice: string | Notice, noticeSession = session) {
      notices.leave(noticeSession, typeof notice === 'string' ? { text: notice } : notice)
      return redirect(path)
    },
  }
}

/** The service worker stores pages of one session in one language only. */
const SESSION_HEADER = 'x-paxlog-session'

const sessionLabel = (session: string, language: string) =>
  digestText(`stored pages ${session} ${language}`).slice(0, 22)

type Handler<Route extends RouteGenericInterface> = (visit: Visit<Route>) => unknown

/** Registers pages and forms for signed-in users, optionally only for holders of a permission. */
export function signedInPages(app: FastifyInstance, context: PageContext, permission?: Permission) {
  const register =
    (method: 'GET' | 'POST', check?: (request: FastifyRequest) => void) =>
    <Route extends RouteGenericInterface = RouteGenericInterface>(url: string, handler: Handler<Route>): void => {
      app.route({
        method,
        url,
        handler: async (request, reply) => {
          // After the sign-in, a form returns to its page.
          const returnTo = method === 'GET' ? request.url : context.routes.pageOfForm(request.url)
          const caller = requireCaller(request, returnTo)
          check?.(request)
          if (permission) requireAny(caller, permission)
          const visit = visitOf(context, request as FastifyRequest<Route>, reply, caller)
          reply.header(SESSION_HEADER, sessionLabel(visit.session, languageOf(request)))
          return handler(visit)
        },
      })
    }

  return {
    get: register('GET'),
    post: register('POST', requireCsrf),
    /** A form with a file: its handler checks the CSRF token before it reads the file. */
    upload: register('POST'),
  }
}
