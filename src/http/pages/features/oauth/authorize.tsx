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
import { localizationOf, useTexts } from '../../framework/localization.ts'
import { MessagePage } from '../../framework/message.tsx'
import { withNext } from '../../framework/routes.ts'
import { messageText } from '../../framework/service-messages.ts'
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
  const t = useTexts().oauth
  const offered = grantableScopes(user.permissions)
  const { pending, client, verifiedHost } = consent
  const refused = pending.scopes.filter((scope) => !(offered as readonly string[]).includes(scope))
  const kept = previous.filter((scope) => offered.includes(scope))
  const first = [...selected, ...kept]
  return (
    <Layout title={t.title({ client: client.name })} basePath={basePath}>
      <h1>{t.heading({ client: client.name, name: (text) => <bdi>{text}</bdi> })}</h1>
      <p>
        {(verifiedHost ? t.introductionWithHost : t.introduction)({
          client: client.name,
          name: (text) => <strong dir="auto">{text}</strong>,
          strong: (text) => <strong>{text}</strong>,
        })}
      </p>
      <Pairs
        class="facts"
        pairs={[
          ...(verifiedHost ? [[t.verifiedHost, <strong>{verifiedHost}</strong>] as const] : []),
          ...(client.website ? [[t.website, client.website] as const] : []),
          [t.redirectsTo, <strong>{redirectHost(pending.redirectUri)}</strong>],
          [t.uses, <code>{pending.resource}</code>],
          [t.signedInAs, `${user.displayName} (${user.username})`],
        ]}
      />
      {isLoopback(pending.redirectUri) && <p class="warning">{verifiedHost ? t.loopbackWithHost : t.loopback}</p>}
      {baseUrl.startsWith('http:') && <p class="warning">{t.plainHttp}</p>}
      <PostForm
        action={`${basePath}/oauth/consent`}
        csrf={csrf}
        hidden={{ id: pending.id }}
        submit={
          <>
            <button class="primary" type="submit" name="decision" value="approve">
              {t.approve}
            </button>
            <button type="submit" name="decision" value="deny">
              {t.deny}
            </button>
          </>
        }
      >
        <h2>{t.permissions}</h2>
        <p class="quiet">
          {t.choose}
          {kept.length > 0 && ` ${t.revokes}`}
        </p>
        {refused.length > 0 && <p class="warning">{t.notGrantable({ scopes: refused.join(', ') })}</p>}
        <ScopeChoices
          offered={offered.filter((scope) => first.includes(scope))}
          chosen={new Set(selected)}
          marked={{ scopes: kept, word: t.grantedBefore }}
        />
        <details class="more">
          <summary class="fold">{t.grantMore}</summary>
          <ScopeChoices offered={offered.filter((scope) => !first.includes(scope))} chosen={new Set()} />
        </details>
      </PostForm>
      <ButtonForm action={`${basePath}/logout`} csrf={signOutCsrf} next={here} class="plain">
        {t.switchUser({ name: user.displayName })}
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
    const t = localizationOf(reply.request).texts.oauth
    const way = link ? { href: link, rel: 'noreferrer', text: t.returnTo({ host: redirectHost(link) }) } : undefined
    const page = (
      <MessagePage basePath={basePath} title={t.failed} heading={t.failedHeading} code={code} way={way}>
        <p>{reason}</p>
      </MessagePage>
    )
    return sendPage(reply, status, page)
  }

  /** A page instead of a redirect, because the redirect URI is not trusted. */
  function refuse(reply: FastifyReply, error: unknown) {
    if (!(error instanceof OAuthError)) throw error
    const reason = messageText(error.message, localizationOf(reply.request).texts)
    return sendError(reply, 400, error.code, reason, error instanceof LinkableError ? error.link : undefined)
  }

  function tooMany(request: FastifyRequest, reply: FastifyReply, wait: number) {
    reply.header('retry-after', wait)
    if (request.headers.accept?.includes('text/html')) {
      const reason = localizationOf(request).texts.oauth.tooManyRequests({ count: wait })
      return sendError(reply, 429, 'temporarily_unavailable', reason)
    }
    const description = `Too many requests; try again in ${wait} seconds.`
    return reply.code(429).send({ error: 'temporarily_unavailable', error_description: description })
  }

  app.get('/oauth/authorize', { config }, async (request, reply) => {
    const wait = limiter.take(addressOf(request))
    if (wait > 0) return tooMany(request, reply, wait)
    const browser = cookieOf(request, 'oauth') ?? newToken()
    const query = queryOf(request)
    try {
      const isRequired = oauth.authorize.needsSignIn(query)
      const user = isRequired ? requireCaller(request, `${basePath}/oauth/authorize?${query}`) : undefined
      const { id } = await oauth.authorize.begin(query, browser, user?.userId)
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
