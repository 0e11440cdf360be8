import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Caller } from '../../access/caller.ts'
import { grantableScopes, presetScopes } from '../../access/scopes.ts'
import { trimmedText } from '../../contract/common.ts'
import { detailsOf } from '../../contract/issues.ts'
import { Password } from '../../domain/users/contract.ts'
import { forbidden } from '../../lib/errors.ts'
import { createLimiter } from '../shared/rate-limit.ts'
import type { PageContext } from './context.ts'
import { TooManyAttempts } from './errors.tsx'
import { fieldOf, formOf } from './form.ts'
import { endSession, rememberSession, requireCaller } from './session.ts'
import { type IdRequest, idOf, shownFaults, signedInPages } from './signed-in.ts'
import { AccountDeletedPage } from './views/delete-account.tsx'
import { type Faults, faultsOf } from './views/fields.tsx'
import { KeyCreatedPage } from './views/key-created.tsx'
import type { NewKey } from './views/keys.tsx'
import { sendPage } from './views/layout.tsx'
import { SecurityPage } from './views/security.tsx'

const PATH = '/settings/security'

/** As for one name at the sign-in: whoever found an open browser must not find out the password in it. */
const PASSWORD_ATTEMPTS = { limit: 5, windowMs: 60_000, capacity: 10_000 }

const KeyForm = z.object({
  name: trimmedText({ min: 1, max: 100 }),
  scope: z.array(z.string()).min(1, 'Choose at least one thing that the key may do.'),
})
const PasswordForm = z.object({ current: z.string().min(1, 'Is required.'), password: Password })

interface Shown {
  status?: number
  key?: NewKey
  passwordFaults?: Faults
  deletionFaults?: Faults
}

export async function security(app: FastifyInstance, context: PageContext): Promise<void> {
  const { baseUrl, basePath, keys, sessions, users } = context
  const applications = context.oauth.connections
  const { frame, requireForm, back } = signedInPages(context)
  const attempts = createLimiter({ ...PASSWORD_ATTEMPTS, ...(context.now && { now: context.now }) })

  function show(request: FastifyRequest, reply: FastifyReply, caller: Caller, shown: Shown) {
    const { userId, permissions } = caller
    return sendPage(
      reply,
      shown.status ?? 200,
      <SecurityPage
        {...frame(request, caller)}
        username={caller.username}
        keys={keys.listOf(userId)}
        grantable={grantableScopes(permissions)}
        presets={{ read: presetScopes('read', permissions), all: presetScopes('all', permissions) }}
        newKey={shown.key}
        passwordFaults={shown.passwordFaults}
        deletionFaults={shown.deletionFaults}
        isOwner={caller.isOwner}
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
    const caller = requireForm(request, PATH)
    const form = formOf(request)
    const [name, scope] = [fieldOf(form, 'name'), form.getAll('scope')]
    const legacyObjects = fieldOf(form, 'airtrail') === 'on'
    const again = (faults: Faults) =>
      show(request, reply, caller, { status: 422, key: { name, scopes: new Set(scope), legacyObjects, faults } })
    const parsed = KeyForm.safeParse({ name, scope })
    if (!parsed.success) return again(faultsOf(detailsOf(parsed.error)))
    const owner = { id: caller.userId, permissions: caller.permissions }
    try {
      const key = keys.create(owner, { name: parsed.data.name, scopes: parsed.data.scope, legacyObjects })
      return sendPage(reply, 200, <KeyCreatedPage {...frame(request, caller)} baseUrl={baseUrl} created={key} />)
    } catch (error) {
      return again(shownFaults(error))
    }
  })

  app.post<IdRequest>(`${PATH}/keys/:id/delete`, async (request, reply) => {
    const { userId } = requireForm(request, PATH)
    keys.removeOf(userId, idOf(request, 'API key'))
    return back(request, reply, PATH, 'The API key was deleted. It no longer opens anything.')
  })

  app.post(`${PATH}/password`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const form = formOf(request)
    const again = (passwordFaults: Faults) => show(request, reply, caller, { status: 422, passwordFaults })
    const parsed = PasswordForm.safeParse({ current: fieldOf(form, 'current'), password: fieldOf(form, 'password') })
    if (!parsed.success) return again(faultsOf(detailsOf(parsed.error)))
    const wait = attempts.take(caller.userId)
    if (wait > 0) throw new TooManyAttempts(wait)
    try {
      const { current, password } = parsed.data
      const session = await sessions.changePassword(caller.userId, current, password)
      rememberSession(request, session)
      return back(request, reply, PATH, 'Your password was changed. You are signed out everywhere else.', session)
    } catch (error) {
      return again(shownFaults(error))
    }
  })

  app.post(`${PATH}/delete`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    if (caller.isOwner) throw forbidden('The owner cannot be deleted.')
    const form = formOf(request)
    const again = (deletionFaults: Faults) => show(request, reply, caller, { status: 422, deletionFaults })
    if (fieldOf(form, 'confirm').trim().toLowerCase() !== caller.username.toLowerCase()) {
      return again({ confirm: `Must be your user name, ${caller.username}.` })
    }
    const wait = attempts.take(caller.userId)
    if (wait > 0) throw new TooManyAttempts(wait)
    try {
      await users.deleteOwnAccount(caller.userId, fieldOf(form, 'password'))
    } catch (error) {
      return again(shownFaults(error))
    }
    endSession(request)
    return sendPage(reply, 200, <AccountDeletedPage basePath={basePath} username={caller.username} />)
  })

  app.post<IdRequest>(`${PATH}/apps/:id/revoke`, async (request, reply) => {
    const { userId } = requireForm(request, PATH)
    applications.revoke(userId, idOf(request, 'application'))
    return back(request, reply, PATH, 'The application was disconnected. Its access has ended.')
  })
}
