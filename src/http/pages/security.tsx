import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { grantableScopes, presetScopes } from '../../access/scopes.ts'
import { trimmedText } from '../../contract/common.ts'
import { detailsOf } from '../../contract/issues.ts'
import { Password } from '../../domain/users/contract.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { csrfField, requireCsrf } from './csrf.ts'
import { fieldOf, formOf } from './form.ts'
import { pageFormats } from './formats.ts'
import type { PageContext } from './plugin.tsx'
import { cookieOf, rememberSession, requireCaller } from './session.ts'
import { type Faults, faultsOf } from './views/fields.tsx'
import { KeyCreatedPage } from './views/key-created.tsx'
import { sendPage } from './views/layout.tsx'
import { SecurityPage } from './views/security.tsx'

const PATH = '/settings/security'

const KeyForm = z.object({
  name: trimmedText({ min: 1, max: 100 }),
  scope: z.array(z.string()).min(1, 'Choose at least one thing that the key may do.'),
})
const PasswordForm = z.object({ current: z.string().min(1, 'Is required.'), password: Password })

interface Shown {
  status?: number
  key?: { name: string; scopes: ReadonlySet<string>; faults?: Faults }
  passwordFaults?: Faults
}

type IdRequest = { Params: { id: string } }

/** Ids of rows count from 1; anything else names nothing. */
function idOf({ params }: FastifyRequest<IdRequest>, what: string): number {
  if (!/^[1-9]\d{0,14}$/.test(params.id)) throw notFound(what)
  return Number(params.id)
}

/** A fault that the form can show, or the error again. */
function shownFaults(error: unknown): Faults {
  if (error instanceof AppError && error.code === 'validation_failed') return faultsOf(error.details ?? [])
  throw error
}

export async function security(app: FastifyInstance, context: PageContext): Promise<void> {
  const { baseUrl, basePath, keys, sessions, preferences, notices } = context
  const applications = context.oauth.connections
  const page = `${basePath}${PATH}`

  /** Every form of this page: signed in first, then the mark of the form. */
  function requireForm(request: FastifyRequest): Caller {
    const caller = requireCaller(request, page)
    requireCsrf(request)
    return caller
  }

  const viewerOf = (request: FastifyRequest, caller: Caller) => ({ name: caller.displayName, csrf: csrfField(request) })

  function back(request: FastifyRequest, reply: FastifyReply, notice: string, session = cookieOf(request, 'session')) {
    notices.leave(session!, notice)
    return reply.redirect(page, 303)
  }

  function show(request: FastifyRequest, reply: FastifyReply, caller: Caller, shown: Shown) {
    const { userId, permissions } = caller
    return sendPage(
      reply,
      shown.status ?? 200,
      <SecurityPage
        basePath={basePath}
        viewer={viewerOf(request, caller)}
        username={caller.username}
        formats={pageFormats(preferences.of(userId), request.headers['accept-language'])}
        notice={notices.take(cookieOf(request, 'session')!)}
        keys={keys.listOf(userId)}
        grantable={grantableScopes(permissions)}
        presets={{ read: presetScopes('read', permissions), all: presetScopes('all', permissions) }}
        newKey={shown.key}
        passwordFaults={shown.passwordFaults}
        connections={applications.list(userId)}
      />,
    )
  }

  app.get<{ Querystring: { preset?: unknown } }>(PATH, async (request, reply) => {
    const caller = requireCaller(request)
    const { preset } = request.query
    if (preset !== 'read' && preset !== 'all') return show(request, reply, caller, {})
    const scopes = new Set<string>(presetScopes(preset, caller.permissions))
    return show(request, reply, caller, { key: { name: '', scopes } })
  })

  app.post(`${PATH}/keys`, async (request, reply) => {
    const caller = requireForm(request)
    const form = formOf(request)
    const [name, scope] = [fieldOf(form, 'name'), form.getAll('scope')]
    const again = (faults: Faults) =>
      show(request, reply, caller, { status: 422, key: { name, scopes: new Set(scope), faults } })
    const parsed = KeyForm.safeParse({ name, scope })
    if (!parsed.success) return again(faultsOf(detailsOf(parsed.error)))
    const owner = { id: caller.userId, permissions: caller.permissions }
    try {
      const key = keys.create(owner, { name: parsed.data.name, scopes: parsed.data.scope })
      const viewer = viewerOf(request, caller)
      return sendPage(
        reply,
        200,
        <KeyCreatedPage basePath={basePath} baseUrl={baseUrl} viewer={viewer} created={key} />,
      )
    } catch (error) {
      return again(shownFaults(error))
    }
  })

  app.post<IdRequest>(`${PATH}/keys/:id/delete`, async (request, reply) => {
    const { userId } = requireForm(request)
    keys.removeOf(userId, idOf(request, 'API key'))
    return back(request, reply, 'The API key was deleted. It no longer opens anything.')
  })

  app.post(`${PATH}/password`, async (request, reply) => {
    const caller = requireForm(request)
    const form = formOf(request)
    const again = (passwordFaults: Faults) => show(request, reply, caller, { status: 422, passwordFaults })
    const parsed = PasswordForm.safeParse({ current: fieldOf(form, 'current'), password: fieldOf(form, 'password') })
    if (!parsed.success) return again(faultsOf(detailsOf(parsed.error)))
    try {
      const { current, password } = parsed.data
      const session = await sessions.changePassword(caller.userId, current, password)
      rememberSession(request, session)
      return back(request, reply, 'Your password was changed. You are signed out everywhere else.', session)
    } catch (error) {
      return again(shownFaults(error))
    }
  })

  app.post<IdRequest>(`${PATH}/apps/:id/revoke`, async (request, reply) => {
    const { userId } = requireForm(request)
    applications.revoke(userId, idOf(request, 'application'))
    return back(request, reply, 'The application was disconnected. Its access has ended.')
  })
}
