import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Caller } from '../../../../access/caller.ts'
import { presetScopes } from '../../../../access/scopes.ts'
import { trimmedText } from '../../../../contract/common.ts'
import { Password } from '../../../../domain/users/contract.ts'
import { pluralize } from '../../../../lib/english.ts'
import { forbidden } from '../../../../lib/errors.ts'
import { digestText, newId } from '../../../../lib/secret.ts'
import type { PageContext } from '../../framework/context.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { fieldOf } from '../../framework/form.ts'
import { SENT_FORMS } from '../../framework/form-idempotency.ts'
import { readForm, submit } from '../../framework/forms.ts'
import { endSession, rememberSession } from '../../framework/session.ts'
import { type IdRequest, idOf, signedInPages, type Visit } from '../../framework/signed-in.ts'
import { AccountDeletedPage, deletionSpecs } from './delete-account.tsx'
import { KeyCreatedPage, keySpecs } from './keys.tsx'
import { allowProvider, redirectToProvider } from './oidc.tsx'
import { ownPasswordSpecs, type SecurityForms, SecurityPage } from './security-page.tsx'

const PATH = '/settings/security'

/** The limit of the sign-in form for one user name. */
const PASSWORD_ATTEMPTS = { limit: 5, windowMs: 60_000, capacity: 10_000 }

const KeyForm = z.object({
  name: trimmedText({ min: 1, max: 100 }),
  scope: z.array(z.string()).min(1, 'Choose at least one permission.'),
})
const PasswordForm = z.object({ current: z.string().min(1, 'Is required.'), password: Password })
const DeletionForm = z.object({ password: z.string().min(1, 'This is not your password.') })

export async function security(app: FastifyInstance, context: PageContext): Promise<void> {
  const { baseUrl, basePath, keys, sessions, users, identities } = context
  const applications = context.oauth.connections
  const pages = signedInPages(app, context)
  const attempts = context.memory.limiter('own password', { ...PASSWORD_ATTEMPTS, now: context.now })

  function countAttempt({ userId }: Caller): void {
    const wait = attempts.take(userId)
    if (wait > 0) throw new TooManyAttempts(wait)
  }

  // Reloading the page that shows a new key sends its form again.
  const sentForms = context.memory.store<true>('sent key forms', SENT_FORMS)
  const formKey = ({ userId }: Caller, form: URLSearchParams) => digestText(`${userId} ${fieldOf(form, 'once')}`)

  function show({ caller, reply, session, frame, send }: Visit, forms: SecurityForms = {}, status = 200) {
    const { userId, username, isOwner } = caller
    allowProvider(reply, context)
    return send(
      <SecurityPage
        {...frame}
        {...forms}
        username={username}
        isOwner={isOwner}
        keys={keys.listOf(userId)}
        connections={applications.list(userId)}
        sessions={sessions.listOf(userId, session)}
        canUsePassword={sessions.canUsePassword(userId)}
        provider={identities.provider}
        link={identities.linkOf(userId)}
        once={newId()}
      />,
      status,
    )
  }

  /** Ignores keys of other users. Returns the number of deleted keys. */
  async function deleteKeys(caller: Caller, ids: readonly string[]): Promise<number> {
    const own = keys.listOf(caller.userId).filter(({ id }) => ids.includes(String(id)))
    for (const { id } of own) await keys.removeOf(caller, id)
    return own.length
  }

  pages.get<{ Querystring: { preset?: unknown } }>(PATH, (visit) => {
    const { preset } = visit.request.query
    if (preset !== 'read' && preset !== 'all') return show(visit)
    const entries = { name: '', scope: presetScopes(preset, visit.caller.permissions), airtrail: false }
    return show(visit, { newKey: { entries } })
  })

  pages.post(`${PATH}/keys`, (visit) => {
    const { caller, form, back } = visit
    const entries = readForm(keySpecs, form)
    if (sentForms.get(formKey(caller, form))) {
      return back(PATH, 'This key was already created. A key is shown only once.')
    }
    const owner = { id: caller.userId, permissions: caller.permissions }
    return submit({
      schema: KeyForm,
      body: entries,
      work: ({ name, scope }) => keys.create(owner, { name, scopes: scope, legacyObjects: entries.airtrail }, caller),
      again: ({ status, faults }) => show(visit, { newKey: { entries, faults } }, status),
      done: (key) => {
        if (form.has('once')) sentForms.set(formKey(caller, form), true)
        return visit.send(<KeyCreatedPage {...visit.frame} baseUrl={baseUrl} created={key} />)
      },
    })
  })

  pages.post(`${PATH}/sessions/end`, async ({ caller, session, back }) => {
    await sessions.endOthers(caller, session)
    return back(PATH, 'You are signed out everywhere else.')
  })

  pages.post<{ Params: { handle: string } }>(
    `${PATH}/sessions/:handle/end`,
    async ({ caller, request: { params }, back }) => {
      await sessions.endByHandle(caller, params.handle)
      return back(PATH, 'The session was signed out.')
    },
  )

  pages.post<IdRequest>(`${PATH}/keys/:id/delete`, async ({ caller, request, back }) => {
    await keys.removeOf(caller, idOf(request, 'API key'))
    return back(PATH, 'The API key was deleted and no longer works.')
  })

  pages.post(`${PATH}/password`, (visit) => {
    const { caller, form, request, back } = visit
    if (!sessions.canUsePassword(caller.userId)) throw forbidden('Your account has no password.')
    const entries = readForm(ownPasswordSpecs, form)
    return submit({
      schema: PasswordForm,
      body: entries,
      work: ({ current, password }) => {
        countAttempt(caller)
        return sessions.changePassword(caller.userId, current, password, caller)
      },
      again: ({ status, faults }) => show(visit, { passwordFaults: faults }, status),
      done: async (session) => {
        rememberSession(request, session)
        const deleted = await deleteKeys(caller, entries.keys)
        const note = deleted === 0 ? '' : ` Deleted ${pluralize(deleted, 'API key')}.`
        return back(PATH, `Your password was changed. You are signed out everywhere else.${note}`, session)
      },
    })
  })

  pages.post(`${PATH}/delete`, (visit) => {
    const { caller, form, request, reply } = visit
    if (caller.isOwner) throw forbidden('The owner cannot be deleted.')
    allowProvider(reply, context)
    const { confirm, password } = readForm(deletionSpecs, form)
    const { userId, username } = caller
    const isConfirmed = confirm.trim().toLowerCase() === username.toLowerCase()
    const byPassword = sessions.canUsePassword(userId)
    if (isConfirmed && !byPassword) {
      if (!identities.linkOf(userId))
        throw forbidden('Your identity cannot be verified. Ask an administrator to delete your account.')
      return redirectToProvider(request, reply, context, { purpose: 'delete', userId })
    }
    return submit({
      schema: byPassword ? DeletionForm : z.object({}),
      body: { password },
      faults: isConfirmed ? {} : { confirm: `Must be your user name, ${username}.` },
      work: async () => {
        countAttempt(caller)
        await users.deleteOwnAccount(userId, password, caller)
      },
      again: ({ status, faults }) => show(visit, { deletion: { typed: confirm, faults } }, status),
      done: async () => {
        await endSession(request)
        return visit.send(<AccountDeletedPage basePath={basePath} username={username} />)
      },
    })
  })

  pages.post<IdRequest>(`${PATH}/apps/:id/revoke`, async ({ caller, request, back }) => {
    await applications.revoke(caller.userId, idOf(request, 'application'), caller)
    return back(PATH, 'The application was disconnected. Its access has ended.')
  })
}
