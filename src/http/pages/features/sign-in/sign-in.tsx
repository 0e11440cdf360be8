import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { digestText } from '../../../../lib/secret.ts'
import type { PageContext } from '../../framework/context.ts'
import { requireCsrf, requireSignInCsrf, signInCsrfField } from '../../framework/csrf.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { fieldOf, formOf } from '../../framework/form.ts'
import { emptyForm, readForm, type Typed } from '../../framework/forms.ts'
import { sendPage } from '../../framework/layout.tsx'
import { withNext } from '../../framework/routes.ts'
import { callerOf, cookieOf, endSession, rememberSession, sessionEnded, viaOf } from '../../framework/session.ts'
import { SignInPage, signInSpecs } from './sign-in-page.tsx'

const MINUTE_MS = 60_000
const PER_ADDRESS = 10
const PER_NAME = 5
const MAX_KEYS = 10_000
/** Longer than any user name. */
const MAX_NAME_LENGTH = 100
const nothingTyped = emptyForm(signInSpecs)

/** Limits attempts per address, and per address and user name. */
function attemptLimits({ memory, now }: PageContext) {
  const about = { windowMs: MINUTE_MS, capacity: MAX_KEYS, now }
  const byAddress = memory.limiter('/login', { limit: PER_ADDRESS, ...about })
  const byName = memory.limiter('/login by name', { limit: PER_NAME, ...about })
  return (address: string, username: string): void => {
    // The typed name may be long.
    const name = digestText(username.toLowerCase())
    const wait = Math.max(byAddress.take(address), byName.take(`${address} ${name}`))
    if (wait > 0) throw new TooManyAttempts(wait)
  }
}

export async function signIn(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, users, sessions, routes, addressOf, oauth, passwordSignIn } = context
  const { provider } = context.identities
  const countAttempt = attemptLimits(context)
  const config = { keepsOpener: true } as const

  const leadTo = (reply: FastifyReply, page: string, next: string | undefined) =>
    reply.redirect(withNext(basePath + page, next), 303)

  interface Shown {
    next: string | undefined
    /** The rejected entries. */
    refused?: Typed<typeof signInSpecs>
    /** Shows the password form even if only the owner can use it. */
    asked?: boolean
  }

  function show(request: FastifyRequest, reply: FastifyReply, { next, refused, asked = false }: Shown) {
    const page = (
      <SignInPage
        basePath={basePath}
        csrf={signInCsrfField(request)}
        next={next}
        refused={refused !== undefined}
        ended={sessionEnded(request)}
        typed={refused ? { ...refused, username: refused.username.slice(0, MAX_NAME_LENGTH) } : nothingTyped}
        provider={provider?.name}
        withPassword={passwordSignIn || asked || refused !== undefined || !provider}
      />
    )
    return sendPage(reply, refused === undefined ? 200 : 400, page)
  }

  app.get<{ Querystring: { next?: unknown; password?: unknown } }>('/login', { config }, async (request, reply) => {
    const next = routes.nextPage(request.query.next)
    if (!users.owner()) return leadTo(reply, '/setup', next)
    if (callerOf(request)) return reply.redirect(next ?? routes.home, 303)
    return show(request, reply, { next, asked: request.query.password === '1' })
  })

  app.post('/login', { config }, async (request, reply) => {
    const form = formOf(request)
    const next = routes.nextPage(fieldOf(form, 'next'))
    if (!users.owner()) return leadTo(reply, '/setup', next)
    requireSignInCsrf(request)
    const sent = readForm(signInSpecs, form)
    const typed = { ...sent, username: sent.username.trim() }
    countAttempt(addressOf(request), typed.username)
    const replaced = cookieOf(request, 'session')
    const session = await sessions.signIn(typed.username, typed.password, replaced, viaOf(request))
    if (session === undefined) return show(request, reply, { next, refused: typed })
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
    return leadTo(reply, '/login', next)
  })
}
