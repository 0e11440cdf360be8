import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { grantableScopes, type Scope } from '../../../../access/scopes.ts'
import { type ConsentRequest, LinkableError } from '../../../../domain/oauth/authorize.ts'
import { lifetimes, OAuthError } from '../../../../domain/oauth/contract.ts'
import { isLoopback, redirectHost } from '../../../../domain/oauth/parameters.ts'
import { newToken } from '../../../../lib/secret.ts'
import { ButtonForm, PostForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { ScopeChoices } from '../../components/scope-choices.tsx'
import type { PageContext } from '../../framework/context.ts'
import { csrfField, requireCsrf } from '../../framework/csrf.ts'
import { fieldOf, formOf, queryOf } from '../../framework/form.ts'
import { allowFormTarget, formTarget } from '../../framework/headers.ts'
import { Layout, sendPage } from '../../framework/layout.tsx'
import { MessagePage } from '../../framework/message.tsx'
import { withNext } from '../../framework/routes.ts'
import { callerOf, cookieOf, requireCaller, setCookie } from '../../framework/session.ts'

const MAX_PER_MINUTE = 60

interface ConsentProps {
  basePath: string
  baseUrl: string
  user: Caller
  consent: ConsentRequest
  selected: readonly Scope[]
  /** Granted before and not asked for now. */
  previous: readonly Scope[]
  csrf: string
  signOutCsrf: string
  here: string
}

function ConsentPage(props: ConsentProps) {
  const { basePath, baseUrl, user, consent, selected, previous, csrf, signOutCsrf, here } = props
  const offered = grantableScopes(user.permissions)
  const { pending, client } = consent
  const refused = pending.scopes.filter((scope) => !(offered as readonly string[]).includes(scope))
  const kept = previous.filter((scope) => offered.includes(scope))
  const first = [...selected, ...kept]
  return (
    <Layout title={`Connect ${client.name} – Paxlog`} basePath={basePath}>
      <h1>
        Connect <bdi>{client.name}</bdi>?
      </h1>
      <p>
        An application that calls itself <strong dir="auto">{client.name}</strong> wants to access your flight log. The
        name is <strong>unverified</strong>: anyone can choose it.
      </p>
      <Pairs
        class="facts"
        pairs={[
          ['Redirects to', <strong>{redirectHost(pending.redirectUri)}</strong>],
          ['Uses', <code>{pending.resource}</code>],
          ['Signed in as', `${user.displayName} (${user.username})`],
        ]}
      />
      {isLoopback(pending.redirectUri) && (
        <p class="warning">This redirects to a program on your own computer. Continue only if you started it.</p>
      )}
      {baseUrl.startsWith('http:') && (
        <p class="warning">This instance uses plain HTTP, so the connection is not encrypted.</p>
      )}
      <PostForm
        action={`${basePath}/oauth/consent`}
        csrf={csrf}
        hidden={{ id: pending.id }}
        submit={
          <>
            <button class="primary" type="submit" name="decision" value="approve">
              Approve
            </button>
            <button type="submit" name="decision" value="deny">
              Deny
            </button>
          </>
        }
      >
        <h2>Permissions</h2>
        <p class="quiet">
          Clear what you do not want to allow.
          {kept.length > 0 &&
            ' Permissions that you granted before and do not select now are revoked when you approve.'}
        </p>
        {refused.length > 0 && (
          <p class="warning">It also asked for permissions that your role cannot grant: {refused.join(', ')}.</p>
        )}
        <ScopeChoices
          offered={offered.filter((scope) => first.includes(scope))}
          chosen={new Set(selected)}
          marked={{ scopes: kept, word: 'granted before' }}
        />
        <details class="more">
          <summary class="fold">Grant more than it asked for</summary>
          <ScopeChoices offered={offered.filter((scope) => !first.includes(scope))} chosen={new Set()} />
        </details>
      </PostForm>
      <ButtonForm action={`${basePath}/logout`} csrf={signOutCsrf} next={here} class="plain">
        Not {user.displayName}? Sign in as another user
      </ButtonForm>
    </Layout>
  )
}

/** The authorization endpoint and the consent page. */
export async function authorize(app: FastifyInstance, context: PageContext): Promise<void> {
  const { oauth, baseUrl, basePath, addressOf, memory, now } = context
  const limiter = memory.limiter('/oauth/authorize', { limit: MAX_PER_MINUTE, windowMs: 60_000, capacity: 10_000, now })
  const config = { keepsOpener: true } as const
  const consentPath = (id: string) => `${basePath}/oauth/consent?id=${id}`

  function sendError(reply: FastifyReply, status: number, code: string, reason: string, link?: string) {
    const way = link ? { href: link, rel: 'noreferrer', text: `Return to ${redirectHost(link)}` } : undefined
    const page = (
      <MessagePage
        basePath={basePath}
        title="Not connected"
        heading="The application was not connected"
        code={code}
        way={way}
      >
        <p>{reason}</p>
      </MessagePage>
    )
    return sendPage(reply, status, page)
  }

  /** A page instead of a redirect, because the redirect URI is not trusted. */
  function refuse(reply: FastifyReply, error: unknown) {
    if (!(error instanceof OAuthError)) throw error
    return sendError(reply, 400, error.code, error.message, error instanceof LinkableError ? error.link : undefined)
  }

  function tooMany(request: FastifyRequest, reply: FastifyReply, wait: number) {
    reply.header('retry-after', wait)
    const reason = `Too many requests; try again in ${wait} seconds.`
    if (request.headers.accept?.includes('text/html')) {
      return sendError(reply, 429, 'temporarily_unavailable', reason)
    }
    return reply.code(429).send({ error: 'temporarily_unavailable', error_description: reason })
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
      return refuse(reply, error)
    }
  })

  const pendingOf = (request: FastifyRequest, id: string, caller: Caller) =>
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
          {...oauth.authorize.choices(consent, caller.userId)}
          csrf={csrfField(request, id)}
          signOutCsrf={csrfField(request)}
          here={consentPath(id)}
        />,
      )
    } catch (error) {
      return refuse(reply, error)
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
      return refuse(reply, error)
    }
  })
}
