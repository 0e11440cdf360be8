import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { digestText } from '../../../../lib/secret.ts'
import { formFields, PostForm } from '../../components/forms.tsx'
import { assets } from '../../framework/assets.ts'
import type { PageContext } from '../../framework/context.ts'
import { requireCsrf, requireSignInCsrf, signInCsrfField } from '../../framework/csrf.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { fieldOf, formOf } from '../../framework/form.ts'
import { emptyForm, formSpecs, readForm } from '../../framework/forms.ts'
import { Layout, sendPage } from '../../framework/layout.tsx'
import { localizationOf, useTexts } from '../../framework/localization.ts'
import { withNext } from '../../framework/routes.ts'
import { callerOf, cookieOf, endSession, rememberSession, sessionEnded, viaOf } from '../../framework/session.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { PasskeySignIn, passkeySignIn } from './passkey.tsx'

const MAX_PER_ADDRESS = 10
const MAX_PER_NAME = 5
/** Longer than any username. */
const MAX_NAME_LENGTH = 100

const signInSpecs = (t: PageTexts['signIn'], withPasskeys: boolean) =>
  formSpecs({
    username: {
      id: 'username',
      label: t.username,
      required: true,
      verbatim: true,
      autocomplete: withPasskeys ? 'username webauthn' : 'username',
    },
    password: {
      id: 'password',
      label: t.password,
      type: 'password',
      required: true,
      autocomplete: 'current-password',
    },
  })

interface Props {
  basePath: string
  csrf: string
  next: string | undefined
  /** The username of a rejected sign-in. */
  refusedName: string | undefined
  hasExpiredSession: boolean
  provider: { name: string } | undefined
  withPassword: boolean
  withPasskeys: boolean
}

/** The error does not reveal whether the username exists. */
function SignInPage({ basePath, csrf, next, refusedName, hasExpiredSession, provider, ...props }: Props) {
  const { withPassword, withPasskeys } = props
  const t = useTexts().signIn
  const specs = signInSpecs(t, withPasskeys)
  const refused = refusedName !== undefined
  const username = refusedName?.slice(0, MAX_NAME_LENGTH) ?? ''
  const field = formFields(specs, { ...emptyForm(specs), username }, {})
  const hasDraft = /[?&]kept=1$/.test(next ?? '')
  return (
    <Layout
      title={t.title}
      fieldErrors={refused ? { form: t.refused } : {}}
      basePath={basePath}
      scripts={withPasskeys ? [assets.passkeys] : []}
      address={withNext(`${basePath}/login`, next)}
      narrow
    >
      <div class="card">
        <h1>{t.title}</h1>
        {refused && (
          <div class="summary" role="alert" id="refused">
            <p>
              <strong>{t.refused}</strong>
            </p>
          </div>
        )}
        {(hasExpiredSession || hasDraft) && !refused && (
          <p class="notice" role="status">
            {hasDraft ? t.sessionEndedWithDraft : t.sessionEnded}
          </p>
        )}
        {provider && (
          <a class="button wide" href={withNext(`${basePath}/login/oidc`, next)}>
            {t.withProvider({ provider: provider.name })}
          </a>
        )}
        {provider && withPassword && <p class="quiet">{t.orWithPassword}</p>}
        {withPassword && (
          <PostForm
            action={`${basePath}/login`}
            csrf={csrf}
            next={next}
            submit={t.submit}
            plain
            noValidate={false}
            aria-describedby={refused ? 'refused' : undefined}
          >
            {field('username', { autofocus: username === '' })}
            {field('password', { autofocus: username !== '' })}
          </PostForm>
        )}
        {withPasskeys && <PasskeySignIn basePath={basePath} csrf={csrf} next={next} />}
      </div>
    </Layout>
  )
}

/** Limits attempts per address, and per address and username. */
function attemptLimits({ memory, now }: PageContext) {
  const options = { windowMs: 60_000, capacity: 10_000, now }
  const byAddress = memory.limiter('/login', { limit: MAX_PER_ADDRESS, ...options })
  const byName = memory.limiter('/login by name', { limit: MAX_PER_NAME, ...options })
  const requireAllowed = (wait: number): void => {
    if (wait > 0) throw new TooManyAttempts(wait)
  }
  return {
    countAddress: (address: string): void => requireAllowed(byAddress.take(address)),
    countAttempt(address: string, username: string): void {
      // The typed name may be long.
      const name = digestText(username.toLowerCase())
      requireAllowed(Math.max(byAddress.take(address), byName.take(`${address} ${name}`)))
    },
  }
}

export async function signIn(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, users, sessions, routes, addressOf, oauth, passwordSignIn } = context
  const { provider } = context.identities
  const { isOffered: withPasskeys } = context.passkeys
  const { countAddress, countAttempt } = attemptLimits(context)
  const config = { keepsOpener: true } as const

  const redirect = (reply: FastifyReply, page: string, next: string | undefined) =>
    reply.redirect(withNext(basePath + page, next), 303)

  const pageFor = (request: FastifyRequest, shown: Pick<Props, 'next' | 'refusedName' | 'withPassword'>) => (
    <SignInPage
      basePath={basePath}
      csrf={signInCsrfField(request)}
      hasExpiredSession={sessionEnded(request)}
      provider={provider}
      withPasskeys={withPasskeys}
      {...shown}
    />
  )

  await app.register(passkeySignIn, { context, countAddress })

  app.get<{ Querystring: { next?: unknown; password?: unknown } }>('/login', { config }, async (request, reply) => {
    const next = routes.nextPage(request.query.next)
    if (!users.owner()) return redirect(reply, '/setup', next)
    if (callerOf(request)) return reply.redirect(next ?? routes.home, 303)
    // The owner can ask for the password form even if other users have to use the provider.
    const withPassword = passwordSignIn || request.query.password === '1' || !provider
    return sendPage(reply, 200, pageFor(request, { next, refusedName: undefined, withPassword }))
  })

  app.post('/login', { config }, async (request, reply) => {
    const form = formOf(request)
    const next = routes.nextPage(fieldOf(form, 'next'))
    if (!users.owner()) return redirect(reply, '/setup', next)
    requireSignInCsrf(request)
    const { password, ...entries } = readForm(signInSpecs(localizationOf(request).texts.signIn, withPasskeys), form)
    const username = entries.username.trim()
    countAttempt(addressOf(request), username)
    const replaced = cookieOf(request, 'session')
    const session = await sessions.signIn(username, password, replaced, viaOf(request))
    if (session === undefined) {
      return sendPage(reply, 400, pageFor(request, { next, refusedName: username, withPassword: true }))
    }
    rememberSession(request, session)
    return reply.redirect(next ?? routes.home, 303)
  })

  app.post('/logout', async (request, reply) => {
    const next = routes.nextPage(fieldOf(formOf(request), 'next'))
    const caller = callerOf(request)
    if (caller) {
      requireCsrf(request)
      await endSession(request)
      // The next user may answer the pending consent request.
      const waiting = next && new URL(next, 'http://path').searchParams.get('id')
      if (waiting) await oauth.authorize.release(waiting, caller.userId)
    }
    return redirect(reply, '/login', next)
  })
}
