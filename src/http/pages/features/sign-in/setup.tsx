import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UserWrite } from '../../../../domain/users/contract.ts'
import type { PageContext } from '../../framework/context.ts'
import { requireSignInCsrf, signInCsrfField } from '../../framework/csrf.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { fieldOf, formOf } from '../../framework/form.ts'
import { type Faults, readForm, submit, type Typed } from '../../framework/forms.ts'
import { sendPage } from '../../framework/layout.tsx'
import { withNext } from '../../framework/routes.ts'
import { rememberSession, viaOf } from '../../framework/session.ts'
import { SetupPage, setupSpecs } from './setup-page.tsx'

/** Per minute and address. */
const MAX_CODE_ATTEMPTS = 10

const OwnerForm = UserWrite.omit({ roleId: true })

interface Shown {
  status: number
  next: string | undefined
  typed?: Typed<typeof setupSpecs>
  faults?: Faults
}

/** Creates the owner of a new instance. */
export async function setup(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, users, sessions, routes, setupCode, isLocal, addressOf, memory, now } = context
  const tries = memory.limiter('/setup', { limit: MAX_CODE_ATTEMPTS, windowMs: 60_000, capacity: 10_000, now })
  const toSignIn = (reply: FastifyReply, next: string | undefined) =>
    reply.redirect(withNext(`${basePath}/login`, next), 303)

  const show = (request: FastifyRequest, reply: FastifyReply, { status, ...shown }: Shown) =>
    sendPage(
      reply,
      status,
      <SetupPage basePath={basePath} csrf={signInCsrfField(request)} asksCode={!isLocal(request)} {...shown} />,
    )

  app.get<{ Querystring: { next?: unknown } }>('/setup', async (request, reply) => {
    const next = routes.nextPage(request.query.next)
    return users.owner() ? toSignIn(reply, next) : show(request, reply, { status: 200, next })
  })

  app.post('/setup', async (request, reply) => {
    const form = formOf(request)
    const next = routes.nextPage(fieldOf(form, 'next'))
    if (users.owner()) return toSignIn(reply, next)
    requireSignInCsrf(request)
    const sent = readForm(setupSpecs, form)
    const typed = { ...sent, username: sent.username.trim() }
    const again = (faults: Faults, status = 422) => show(request, reply, { status, next, typed, faults })
    if (!isLocal(request)) {
      const wait = tries.take(addressOf(request))
      if (wait > 0) throw new TooManyAttempts(wait)
      if (!setupCode.matches(typed.code))
        return again(
          { code: 'This is not the setup code. Look for it in the server log, or use the value of SETUP_CODE.' },
          403,
        )
    }
    const { username, displayName, password } = typed
    return submit({
      schema: OwnerForm,
      body: { username, password, ...(displayName.trim() !== '' && { displayName }) },
      work: (body) => users.createOwner(body, viaOf(request)),
      // A taken name can be corrected, a second owner cannot.
      unique(error) {
        if (users.owner()) throw error
        return 'username'
      },
      again: ({ faults }) => again(faults),
      async done(owner) {
        rememberSession(request, await sessions.startAndRecord(owner, viaOf(request)))
        return reply.redirect(next ?? routes.home, 303)
      },
    })
  })
}
