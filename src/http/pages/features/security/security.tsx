import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Caller } from '../../../../access/caller.ts'
import { presetScopes, scopePresets } from '../../../../access/scopes.ts'
import { trimmedText } from '../../../../contract/common.ts'
import { Password } from '../../../../domain/users/contract.ts'
import { forbidden } from '../../../../lib/errors.ts'
import { digestText, newId } from '../../../../lib/secret.ts'
import type { PageContext } from '../../framework/context.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { fieldOf } from '../../framework/form.ts'
import { FORM_STORE_OPTIONS } from '../../framework/form-idempotency.ts'
import { readForm, submit } from '../../framework/forms.ts'
import { endSession, rememberSession } from '../../framework/session.ts'
import { type IdRequest, idOf, signedInPages, type Visit } from '../../framework/signed-in.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { AccountDeletedPage, deletionSpecs } from './delete-account.tsx'
import { KeyCreatedPage, keySpecs } from './keys.tsx'
import { allowProvider, redirectToProvider } from './oidc.tsx'
import { passkeyConfirmation, passkeyPages, sentPasskey } from './passkeys.ts'
import { ownPasswordSpecs, type SecurityForms, SecurityPage } from './security-page.tsx'

const PATH = '/settings/security'

/** The limit of the sign-in form for one username. */
const PASSWORD_ATTEMPTS = { limit: 5, windowMs: 60_000, capacity: 10_000 }

type SecurityTexts = PageTexts['security']

const keyForm = (t: SecurityTexts) =>
  z.object({ name: trimmedText({ min: 1, max: 100 }), scope: z.array(z.string()).min(1, t.noPermission) })
const passwordForm = (t: SecurityTexts) => z.object({ current: z.string().min(1, t.required), password: Password })
const deletionForm = (t: SecurityTexts) => z.object({ password: z.string().min(1, t.wrongPassword) })

export async function security(app: FastifyInstance, context: PageContext): Promise<void> {
  const { baseUrl, basePath, keys, sessions, users, identities, passkeys } = context
  const applications = context.oauth.connections
  const pages = signedInPages(app, context)
  const attempts = context.memory.limiter('own password', { ...PASSWORD_ATTEMPTS, now: context.now })

  function countAttempt({ userId }: Caller): void {
    const wait = attempts.take(userId)
    if (wait > 0) throw new TooManyAttempts(wait)
  }

  // Reloading the page that shows a new key sends its form again.
  const sentForms = context.memory.store<true>('sent key forms', FORM_STORE_OPTIONS)
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
        passkeys={passkeys.listOf(userId)}
        isOffered={passkeys.isOffered}
        confirmation={passkeyConfirmation(context, userId, session)}
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

  await app.register(passkeyPages, { context, countAttempt })

  pages.get(PATH, (visit) => show(visit))

  pages.post(`${PATH}/keys`, (visit) => {
    const { caller, form, back } = visit
    const t = visit.texts.security
    const entries = readForm(keySpecs(t), form)
    if (sentForms.get(formKey(caller, form))) return back(PATH, t.keyAlreadyCreated)
    const owner = { id: caller.userId, permissions: caller.permissions }
    // The boxes apply only without a preset.
    const preset = scopePresets.find((name) => name === entries.preset)
    return submit({
      texts: visit.texts,
      schema: keyForm(t),
      body: preset ? { ...entries, scope: presetScopes(preset, caller.permissions) } : entries,
      work: ({ name, scope }) => keys.create(owner, { name, scopes: scope, legacyObjects: entries.airtrail }, caller),
      again: ({ status, fieldErrors }) => show(visit, { newKey: { entries, fieldErrors } }, status),
      done: (key) => {
        if (form.has('once')) sentForms.set(formKey(caller, form), true)
        return visit.send(<KeyCreatedPage {...visit.frame} baseUrl={baseUrl} created={key} />)
      },
    })
  })

  pages.post(`${PATH}/sessions/end`, async ({ caller, session, texts, back }) => {
    await sessions.endOthers(caller, session)
    return back(PATH, texts.security.signedOutElsewhere)
  })

  pages.post<{ Params: { handle: string } }>(
    `${PATH}/sessions/:handle/end`,
    async ({ caller, session, request: { params }, texts, back }) => {
      await sessions.endDevice(caller, params.handle, session)
      return back(PATH, texts.security.signedOut)
    },
  )

  pages.post<IdRequest>(`${PATH}/keys/:id/delete`, async ({ caller, request, texts, back }) => {
    await keys.removeOf(caller, idOf(request, 'API key'))
    return back(PATH, texts.security.keyDeleted)
  })

  pages.post(`${PATH}/password`, (visit) => {
    const { caller, form, request, back } = visit
    const t = visit.texts.security
    if (!sessions.canUsePassword(caller.userId)) throw forbidden(t.noPassword)
    const entries = readForm(ownPasswordSpecs(t), form)
    return submit({
      texts: visit.texts,
      schema: passwordForm(t),
      body: entries,
      work: ({ current, password }) => {
        countAttempt(caller)
        return sessions.changePassword(caller.userId, current, password, caller)
      },
      again: ({ status, fieldErrors }) => show(visit, { passwordErrors: fieldErrors }, status),
      done: async (session) => {
        rememberSession(request, session)
        const count = await deleteKeys(caller, entries.keys)
        return back(PATH, count === 0 ? t.passwordChanged : t.passwordChangedKeysDeleted({ count }), session)
      },
    })
  })

  pages.post(`${PATH}/delete`, (visit) => {
    const { caller, form, request, reply, session } = visit
    const t = visit.texts.security
    if (caller.isOwner) throw forbidden(t.ownerNotDeletable)
    allowProvider(reply, context)
    const { confirm, password } = readForm(deletionSpecs(t), form)
    const { userId, username } = caller
    const isConfirmed = confirm.trim().toLowerCase() === username.toLowerCase()
    const passkey = sentPasskey(fieldOf(form, 'passkey'))
    const byPassword = !passkey && sessions.canUsePassword(userId)
    if (isConfirmed && !byPassword && !passkey) {
      if (!identities.linkOf(userId)) throw forbidden(t.notVerifiable)
      return redirectToProvider(request, reply, context, { purpose: 'delete', userId })
    }
    return submit({
      texts: visit.texts,
      schema: byPassword ? deletionForm(t) : z.object({}),
      body: { password },
      fieldErrors: isConfirmed ? {} : { confirm: t.notConfirmed({ username }) },
      work: async () => {
        countAttempt(caller)
        if (!passkey) return users.deleteOwnAccount(userId, password, caller)
        await passkeys.confirm(caller, passkey.response, session)
        return users.deleteAfterConfirmation(caller)
      },
      again: ({ status, fieldErrors }) => show(visit, { deletion: { typed: confirm, fieldErrors } }, status),
      done: async () => {
        await endSession(request)
        return visit.send(<AccountDeletedPage basePath={basePath} username={username} />)
      },
    })
  })

  pages.post<IdRequest>(`${PATH}/apps/:id/revoke`, async ({ caller, request, texts, back }) => {
    await applications.revoke(caller.userId, idOf(request, 'application'), caller)
    return back(PATH, texts.security.disconnected)
  })
}
