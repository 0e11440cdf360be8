import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { grantableScopes } from '../../../../access/scopes.ts'
import { type ConsentRequest, LinkableError } from '../../../../domain/oauth/authorize.ts'
import { lifetimes, OAuthError } from '../../../../domain/oauth/contract.ts'
import { newToken } from '../../../../lib/secret.ts'
import type { PageContext } from '../../framework/context.ts'
import { csrfField, requireCsrf } from '../../framework/csrf.ts'
import { fieldOf, formOf, queryOf } from '../../framework/form.ts'
import { allowFormTarget, formTarget } from '../../framework/headers.ts'
import { sendPage } from '../../framework/layout.tsx'
import { withNext } from '../../framework/routes.ts'
import { callerOf, cookieOf, requireCaller, setCookie } from '../../framework/session.ts'
import { AuthorizationErrorPage } from './authorization-error.tsx'
import { ConsentPage } from './consent.tsx'

const PER_MINUTE = 60

/** The authorization endpoint and the consent page. */
export async function authorize(app: FastifyInstance, context: PageContext): Promise<void> {
  const { oauth, baseUrl, basePath, addressOf, memory, now } = context
  const limiter = memory.limiter('/oauth/authorize', { limit: PER_MINUTE, windowMs: 60_000, capacity: 10_000, now })
  const config = { keepsOpener: true } as const
  const consentPath = (id: string) => `${basePath}/oauth/consent?id=${id}`

  /** A page instead of a redirect, because the redirect URI is not trusted. */
  function refuse(reply: FastifyReply, error: OAuthError) {
    const link = error instanceof LinkableError ? error.link : undefined
    return sendPage(
      reply,
      400,
      <AuthorizationErrorPage basePath={basePath} code={error.code} reason={error.message} link={link} />,
    )
  }

  function tooMany(request: FastifyRequest, reply: FastifyReply, wait: number) {
    reply.header('retry-after', wait)
    const reason = `Too many requests; try again in ${wait} seconds.`
    if (!request.headers.accept?.includes('text/html')) {
      return reply.code(429).send({ error: 'temporarily_unavailable', error_description: reason })
    }
    const page = (
      <AuthorizationErrorPage basePath={basePath} code="temporarily_unavailable" reason={reason} link={undefined} />
    )
    return sendPage(reply, 429, page)
  }

  app.get('/oauth/authorize', { config }, async (request, reply) => {
    const wait = limiter.take(addressOf(request))
    if (wait > 0) return tooMany(request, reply, wait)
    const browser = cookieOf(request, 'oauth') ?? newToken()
    try {
      const { id } = await oauth.authorize.begin(queryOf(request), browser)
      setCookie(request, 'oauth', browser, lifetimes.pendingRequest)
      const consent = consentPath(id)
      return reply.redirect(callerOf(request) ? consent : withNext(`${basePath}/login`, consent), 303)
    } catch (error) {
      const caller = error instanceof LinkableError ? callerOf(request) : undefined
      // Redirect with the error only to applications that the user has approved.
      if (error instanceof LinkableError && caller && oauth.authorize.isApproved(error.clientId, caller.userId)) {
        return reply.redirect(error.link, 303)
      }
      if (error instanceof OAuthError) return refuse(reply, error)
      throw error
    }
  })

  const pendingOf = (request: FastifyRequest, id: string, caller: Caller): Promise<ConsentRequest> =>
    oauth.authorize.pendingFor(id, cookieOf(request, 'oauth'), caller.userId)

  app.get('/oauth/consent', { config }, async (request, reply) => {
    const caller = requireCaller(request)
    const id = queryOf(request).get('id') ?? ''
    try {
      const consent = await pendingOf(request, id, caller)
      allowFormTarget(reply, formTarget(consent.pending.redirectUri))
      return sendPage(
        reply,
        200,
        <ConsentPage
          basePath={basePath}
          baseUrl={baseUrl}
          user={caller}
          consent={consent}
          offered={grantableScopes(caller.permissions)}
          {...oauth.authorize.choices(consent, caller.userId)}
          csrf={csrfField(request, id)}
          signOutCsrf={csrfField(request)}
          here={consentPath(id)}
        />,
      )
    } catch (error) {
      if (error instanceof OAuthError) return refuse(reply, error)
      throw error
    }
  })

  app.post('/oauth/consent', { config }, async (request, reply) => {
    const form = formOf(request)
    const id = fieldOf(form, 'id')
    const caller = requireCaller(request, consentPath(encodeURIComponent(id)))
    try {
      const consent = await pendingOf(request, id, caller)
      requireCsrf(request, id)
      const decision = { approve: fieldOf(form, 'decision') === 'approve', scopes: form.getAll('scope') }
      const user = { id: caller.userId, permissions: caller.permissions }
      allowFormTarget(reply, formTarget(consent.pending.redirectUri))
      return reply.redirect(await oauth.authorize.decide(consent, user, decision, caller), 303)
    } catch (error) {
      if (error instanceof OAuthError) return refuse(reply, error)
      throw error
    }
  })
}
