import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ATTEMPT_SECONDS, type Attempt } from '../../../../domain/identities/attempt.ts'
import { IdentityError, type IdentityErrorKind } from '../../../../domain/identities/contract.ts'
import { notFound } from '../../../../lib/errors.ts'
import { newToken } from '../../../../lib/secret.ts'
import type { PageContext } from '../../framework/context.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { queryOf } from '../../framework/form.ts'
import { allowFormTarget, formTarget } from '../../framework/headers.ts'
import { sendPage } from '../../framework/layout.tsx'
import { localizationOf } from '../../framework/localization.ts'
import { MessagePage } from '../../framework/message.tsx'
import { withNext } from '../../framework/routes.ts'
import { messageText } from '../../framework/service-messages.ts'
import { callerOf, cookieOf, endSession, rememberSession, setCookie, viaOf } from '../../framework/session.ts'
import { signedInPages, visitOf } from '../../framework/signed-in.ts'
import { AccountDeletedPage } from './delete-account.tsx'

const SECURITY = '/settings/security'
const MAX_PER_MINUTE = 60

const statuses: Record<IdentityErrorKind, number> = {
  stale: 400,
  cancelled: 400,
  unreachable: 502,
  settings: 502,
  untrusted: 502,
  unknown: 403,
  taken: 409,
}

/** Shows the reason and a link back, and logs the failure without secrets. */
function showProviderError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  basePath: string,
  attempt: Partial<Attempt> | undefined,
) {
  if (!(error instanceof IdentityError)) throw error
  request.log.warn({ reason: error.kind, ...error.detail }, `identity provider: ${error.message}`)
  const { texts } = localizationOf(request)
  const t = texts.security
  const way =
    attempt?.userId === undefined
      ? { href: withNext(`${basePath}/login`, attempt?.next), text: t.backToSignIn }
      : { href: basePath + SECURITY, text: t.backToSecurity }
  const page = (
    <MessagePage basePath={basePath} title={t.providerFailed} heading={t.providerFailedHeading} way={way}>
      <p>{messageText(error.message, texts)}</p>
    </MessagePage>
  )
  return sendPage(reply, statuses[error.kind], page)
}

/** Redirects to the provider. The cookie ties the answer to this browser. */
export async function redirectToProvider(
  request: FastifyRequest,
  reply: FastifyReply,
  { basePath, identities }: PageContext,
  attempt: Omit<Attempt, 'at'>,
) {
  // Reused, so that a second tab does not invalidate the first one.
  const secret = cookieOf(request, 'oidc') ?? newToken()
  try {
    const address = await identities.begin(secret, attempt)
    setCookie(request, 'oidc', secret, ATTEMPT_SECONDS)
    return reply.redirect(address, 303)
  } catch (error) {
    return showProviderError(request, reply, error, basePath, attempt)
  }
}

/** Forms of the security page may redirect to the provider, so the CSP must allow it. */
export function allowProvider(reply: FastifyReply, { identities }: PageContext): void {
  if (identities.provider) allowFormTarget(reply, formTarget(identities.provider.issuer))
}

/** Sign-in with an identity provider, and linking an account to it. */
export async function oidcPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, identities, users, routes, addressOf, memory, now } = context
  const pages = signedInPages(app, context)
  const limiter = memory.limiter('/login/oidc', { limit: MAX_PER_MINUTE, windowMs: 60_000, capacity: 10_000, now })
  const config = { keepsOpener: true } as const

  function requireProvider(request: FastifyRequest): { name: string } {
    if (!identities.provider) throw notFound('page')
    const wait = limiter.take(addressOf(request))
    if (wait > 0) throw new TooManyAttempts(wait)
    return identities.provider
  }

  app.get<{ Querystring: { next?: unknown } }>('/login/oidc', { config }, async (request, reply) => {
    requireProvider(request)
    const next = routes.nextPage(request.query.next)
    if (!users.owner()) return reply.redirect(`${basePath}/setup`, 303)
    if (callerOf(request)) return reply.redirect(next ?? routes.home, 303)
    return redirectToProvider(request, reply, context, { purpose: 'sign-in', next })
  })

  app.get('/login/oidc/callback', { config }, async (request, reply) => {
    const { name } = requireProvider(request)
    const answer = queryOf(request)
    const secret = cookieOf(request, 'oidc')
    const browser = { secret, caller: callerOf(request), session: cookieOf(request, 'session'), via: viaOf(request) }
    try {
      const outcome = await identities.finish(answer, browser)
      if (outcome.kind === 'signed in') {
        rememberSession(request, outcome.session)
        return reply.redirect(routes.nextPage(outcome.next) ?? routes.home, 303)
      }
      if (outcome.kind === 'linked') {
        const { back, texts } = visitOf(context, request, reply, browser.caller!)
        return back(SECURITY, texts.security.linked({ provider: name }))
      }
      await endSession(request)
      return sendPage(reply, 200, <AccountDeletedPage basePath={basePath} username={outcome.username} />)
    } catch (error) {
      const attempt = identities.purposeOf(secret, answer.get('state') ?? '')
      return showProviderError(request, reply, error, basePath, attempt)
    }
  })

  pages.post(`${SECURITY}/oidc/link`, ({ caller, request, reply }) => {
    requireProvider(request)
    allowProvider(reply, context)
    return redirectToProvider(request, reply, context, { purpose: 'link', userId: caller.userId })
  })

  pages.post(`${SECURITY}/oidc/unlink`, async ({ caller, request, texts, back }) => {
    const { name } = requireProvider(request)
    await identities.unlink(caller)
    return back(SECURITY, texts.security.unlinked({ provider: name }))
  })
}
