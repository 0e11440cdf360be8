import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Caller } from '../../access/caller.ts'
import { grantableScopes, presetScopes } from '../../access/scopes.ts'
import { trimmedText } from '../../contract/common.ts'
import { Password } from '../../domain/users/contract.ts'
import { forbidden } from '../../lib/errors.ts'
import { digestText, newId } from '../../lib/secret.ts'
import type { PageContext } from './context.ts'
import { TooManyAttempts } from './errors.tsx'
import { fieldOf, formOf } from './form.ts'
import { type Faults, readForm, submit } from './forms.ts'
import { allowProvider, leadToProvider } from './oidc.tsx'
import { SENT_FORMS } from './sent-forms.ts'
import { cookieOf, endSession, rememberSession, requireCaller } from './session.ts'
import { type IdRequest, idOf, signedInPages } from './signed-in.ts'
import { AccountDeletedPage, deletionSpecs } from './views/delete-account.tsx'
import { KeyCreatedPage } from './views/key-created.tsx'
import { type KeyEntries, keySpecs } from './views/keys.tsx'
import { sendPage } from './views/layout.tsx'
import { ownPasswordSpecs, SecurityPage } from './views/security.tsx'

const PATH = '/settings/security'

/** As for one name at the sign-in: whoever found an open browser must not find out the password in it. */
const PASSWORD_ATTEMPTS = { limit: 5, windowMs: 60_000, capacity: 10_000 }

const KeyForm = z.object({
  name: trimmedText({ min: 1, max: 100 }),
  scope: z.array(z.string()).min(1, 'Choose at least one thing that the key may do.'),
})
const PasswordForm = z.object({ current: z.string().min(1, 'Is required.'), password: Password })
const DeletionForm = z.object({ password: z.string().min(1, 'This is not your password.') })

interface Shown {
  status?: number
  key?: { entries: KeyEntries; faults?: Faults }
  passwordFaults?: Faults
  deletion?: { typed: string; faults: Faults }
}

export async function security(app: FastifyInstance, context: PageContext): Promise<void> {
  const { baseUrl, basePath, keys, sessions, users, identities } = context
  const applications = context.oauth.connections
  const { frame, requireForm, back } = signedInPages(context)
  const attempts = context.memory.limiter('own password', { ...PASSWORD_ATTEMPTS, now: context.now })

  function countAttempt({ userId }: Caller): void {
    const wait = attempts.take(userId)
    if (wait > 0) throw new TooManyAttempts(wait)
  }

  /** Forms that have made a key: a browser that loads that page again sends them again. */
  const sent = context.memory.store<true>('sent key forms', SENT_FORMS)
  const sentName = ({ userId }: Caller, form: URLSearchParams) => digestText(`${userId} ${fieldOf(form, 'once')}`)

  function show(request: FastifyRequest, reply: FastifyReply, caller: Caller, shown: Shown) {
    const { userId, permissions } = caller
    allowProvider(reply, context)
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
        deletion={shown.deletion}
        isOwner={caller.isOwner}
        canUsePassword={sessions.canUsePassword(userId)}
        provider={identities.provider}
        link={identities.linkOf(userId)}
        connections={applications.list(userId)}
        signIns={sessions.listOf(userId, cookieOf(request, 'session')!)}
        once={newId()}
      />,
    )
  }

  /** Those that are the caller's; how many that were. */
  async function deleteKeys(caller: Caller, ids: readonly string[]): Promise<number> {
    const own = keys.listOf(caller.userId).filter(({ id }) => ids.includes(String(id)))
    for (const { id } of own) await keys.removeOf(caller, id)
    return own.length
  }

  app.get<{ Querystring: { preset?: unknown } }>(PATH, async (request, reply) => {
    const caller = requireCaller(request)
    const { preset } = request.query
    if (preset !== 'read' && preset !== 'all') return show(request, reply, caller, {})
    const entries = { name: '', scope: presetScopes(preset, caller.permissions), airtrail: false }
    return show(request, reply, caller, { key: { entries } })
  })

  app.post(`${PATH}/keys`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const form = formOf(request)
    const entries = readForm(keySpecs, form)
    if (sent.get(sentName(caller, form))) {
      return back(request, reply, PATH, 'This key was made already, and no second one. It was shown once.')
    }
    const owner = { id: caller.userId, permissions: caller.permissions }
    return submit({
      schema: KeyForm,
      body: entries,
      work: ({ name, scope }) => keys.create(owner, { name, scopes: scope, legacyObjects: entries.airtrail }, caller),
      again: ({ status, faults }) => show(request, reply, caller, { status, key: { entries, faults } }),
      done: (key) => {
        if (form.has('once')) sent.set(sentName(caller, form), true)
        return sendPage(reply, 200, <KeyCreatedPage {...frame(request, caller)} baseUrl={baseUrl} created={key} />)
      },
    })
  })

  app.post(`${PATH}/sessions/end`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    await sessions.endOthers(caller, cookieOf(request, 'session')!)
    return back(request, reply, PATH, 'You are signed out everywhere else.')
  })

  app.post<{ Params: { handle: string } }>(`${PATH}/sessions/:handle/end`, async (request, reply) => {
    await sessions.endByHandle(requireForm(request, PATH), request.params.handle)
    return back(request, reply, PATH, 'That sign-in has ended.')
  })

  app.post<IdRequest>(`${PATH}/keys/:id/delete`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    await keys.removeOf(caller, idOf(request, 'API key'))
    return back(request, reply, PATH, 'The API key was deleted. It no longer opens anything.')
  })

  app.post(`${PATH}/password`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    if (!sessions.canUsePassword(caller.userId)) throw forbidden('Your account has no password that could be changed.')
    const entries = readForm(ownPasswordSpecs, formOf(request))
    return submit({
      schema: PasswordForm,
      body: entries,
      work: ({ current, password }) => {
        countAttempt(caller)
        return sessions.changePassword(caller.userId, current, password, caller)
      },
      again: ({ status, faults }) => show(request, reply, caller, { status, passwordFaults: faults }),
      done: async (session) => {
        rememberSession(request, session)
        const gone = await deleteKeys(caller, entries.keys)
        const keysGone = gone === 0 ? '' : ` ${gone === 1 ? 'One API key is' : `${gone} API keys are`} gone.`
        const done = `Your password was changed. You are signed out everywhere else.${keysGone}`
        return back(request, reply, PATH, done, session)
      },
    })
  })

  app.post(`${PATH}/delete`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    if (caller.isOwner) throw forbidden('The owner cannot be deleted.')
    allowProvider(reply, context)
    const { confirm, password } = readForm(deletionSpecs, formOf(request))
    const { userId } = caller
    const isConfirmed = confirm.trim().toLowerCase() === caller.username.toLowerCase()
    const byPassword = sessions.canUsePassword(userId)
    if (isConfirmed && !byPassword) {
      if (!identities.linkOf(userId)) throw forbidden('Nothing here can prove who you are: ask an administrator.')
      return leadToProvider(request, reply, context, { purpose: 'delete', userId })
    }
    return submit({
      schema: byPassword ? DeletionForm : z.object({}),
      body: { password },
      faults: isConfirmed ? {} : { confirm: `Must be your user name, ${caller.username}.` },
      work: async () => {
        countAttempt(caller)
        await users.deleteOwnAccount(userId, password, caller)
      },
      again: ({ status, faults }) => show(request, reply, caller, { status, deletion: { typed: confirm, faults } }),
      done: async () => {
        await endSession(request)
        return sendPage(reply, 200, <AccountDeletedPage basePath={basePath} username={caller.username} />)
      },
    })
  })

  app.post<IdRequest>(`${PATH}/apps/:id/revoke`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    await applications.revoke(caller.userId, idOf(request, 'application'), caller)
    return back(request, reply, PATH, 'The application was disconnected. Its access has ended.')
  })
}
