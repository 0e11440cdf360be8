import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UserWrite } from '../../../../domain/users/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import type { PageContext } from '../../framework/context.ts'
import { requireSignInCsrf, signInCsrfField } from '../../framework/csrf.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { fieldOf, formOf } from '../../framework/form.ts'
import { emptyForm, type Faults, formSpecs, readForm, submit, type Typed } from '../../framework/forms.ts'
import { Layout, sendPage } from '../../framework/layout.tsx'
import { withNext } from '../../framework/routes.ts'
import { rememberSession, viaOf } from '../../framework/session.ts'

/** Per minute and address. */
const MAX_CODE_ATTEMPTS = 10

const OwnerForm = UserWrite.omit({ roleId: true })

const setupSpecs = formSpecs({
  code: {
    id: 'code',
    label: 'Setup code',
    hint: 'Written to the server log at startup, or the value of SETUP_CODE if the operator set one.',
    required: true,
    verbatim: true,
  },
  username: {
    id: 'username',
    label: 'User name',
    hint: '3 to 20 letters, digits, dots, underscores or hyphens. You sign in with it.',
    required: true,
    verbatim: true,
    autocomplete: 'username',
  },
  displayName: {
    id: 'display-name',
    label: 'Your name',
    hint: 'Shown to other users. Defaults to your user name.',
    autocomplete: 'name',
  },
  password: {
    id: 'password',
    label: 'Password',
    hint: '8 characters or more. A few words in a row are easy to remember.',
    type: 'password',
    required: true,
    autocomplete: 'new-password',
  },
})

interface Props {
  basePath: string
  csrf: string
  asksCode: boolean
  next: string | undefined
  typed?: Typed<typeof setupSpecs>
  faults?: Faults
}

function SetupPage({ basePath, csrf, asksCode, next, typed = emptyForm(setupSpecs), faults = {} }: Props) {
  // Only a correct code is filled in again.
  const code = 'code' in faults ? '' : typed.code
  const field = formFields(setupSpecs, { ...typed, code }, faults)
  return (
    <Layout title="Welcome – Paxlog" faults={faults} basePath={basePath} narrow>
      <div class="card">
        <h1>Welcome to Paxlog</h1>
        <p class="quiet">This instance is new. Create the account that owns it. You can add other users later.</p>
        <FaultSummary faults={faults} fields={setupSpecs} />
        <PostForm action={`${basePath}/setup`} csrf={csrf} next={next} submit="Create account" plain>
          {asksCode && field('code')}
          {field('username')}
          {field('displayName')}
          {field('password')}
        </PostForm>
      </div>
    </Layout>
  )
}

/** Creates the owner of a new instance. */
export async function setup(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, users, sessions, routes, setupCode, isLocal, addressOf, memory, now } = context
  const limiter = memory.limiter('/setup', { limit: MAX_CODE_ATTEMPTS, windowMs: 60_000, capacity: 10_000, now })
  const toSignIn = (reply: FastifyReply, next: string | undefined) =>
    reply.redirect(withNext(`${basePath}/login`, next), 303)

  const pageFor = (request: FastifyRequest, shown: Pick<Props, 'next' | 'typed' | 'faults'>) => (
    <SetupPage basePath={basePath} csrf={signInCsrfField(request)} asksCode={!isLocal(request)} {...shown} />
  )

  app.get<{ Querystring: { next?: unknown } }>('/setup', async (request, reply) => {
    const next = routes.nextPage(request.query.next)
    return users.owner() ? toSignIn(reply, next) : sendPage(reply, 200, pageFor(request, { next }))
  })

  app.post('/setup', async (request, reply) => {
    const form = formOf(request)
    const next = routes.nextPage(fieldOf(form, 'next'))
    if (users.owner()) return toSignIn(reply, next)
    requireSignInCsrf(request)
    const sent = readForm(setupSpecs, form)
    const typed = { ...sent, username: sent.username.trim() }
    const again = (faults: Faults, status = 422) => sendPage(reply, status, pageFor(request, { next, typed, faults }))
    if (!isLocal(request)) {
      const wait = limiter.take(addressOf(request))
      if (wait > 0) throw new TooManyAttempts(wait)
      if (!setupCode.matches(typed.code))
        return again({ code: 'Wrong setup code. Look for it in the server log, or use the value of SETUP_CODE.' }, 403)
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
