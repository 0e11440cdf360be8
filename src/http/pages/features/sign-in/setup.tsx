import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UserWrite } from '../../../../domain/users/contract.ts'
import { ErrorSummary } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import type { PageContext } from '../../framework/context.ts'
import { requireSignInCsrf, signInCsrfField } from '../../framework/csrf.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { fieldOf, formOf } from '../../framework/form.ts'
import { emptyForm, type FieldErrors, type FormValues, formSpecs, readForm, submit } from '../../framework/forms.ts'
import { Layout, sendPage } from '../../framework/layout.tsx'
import { localizationOf, useTexts } from '../../framework/localization.ts'
import { withNext } from '../../framework/routes.ts'
import { rememberSession, viaOf } from '../../framework/session.ts'
import type { PageTexts } from '../../texts/languages.ts'

/** Per minute and address. */
const MAX_CODE_ATTEMPTS = 10

const OwnerForm = UserWrite.omit({ roleId: true })

const setupSpecs = (t: PageTexts['signIn']['setup']) =>
  formSpecs({
    code: {
      id: 'code',
      label: t.code,
      hint: t.codeHint,
      required: true,
      verbatim: true,
    },
    username: {
      id: 'username',
      label: t.username,
      hint: t.usernameHint,
      required: true,
      verbatim: true,
      autocomplete: 'username',
    },
    displayName: {
      id: 'display-name',
      label: t.displayName,
      hint: t.displayNameHint,
      autocomplete: 'name',
    },
    password: {
      id: 'password',
      label: t.password,
      hint: t.passwordHint,
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
  typed?: FormValues<ReturnType<typeof setupSpecs>>
  fieldErrors?: FieldErrors
}

function SetupPage({ basePath, csrf, asksCode, next, fieldErrors = {}, ...props }: Props) {
  const t = useTexts().signIn.setup
  const specs = setupSpecs(t)
  const { typed = emptyForm(specs) } = props
  // Only a correct code is filled in again.
  const code = 'code' in fieldErrors ? '' : typed.code
  const field = formFields(specs, { ...typed, code }, fieldErrors)
  return (
    <Layout
      title={t.title}
      fieldErrors={fieldErrors}
      basePath={basePath}
      address={withNext(`${basePath}/setup`, next)}
      narrow
    >
      <div class="card">
        <h1>{t.heading}</h1>
        <p class="quiet">{t.introduction}</p>
        <ErrorSummary fieldErrors={fieldErrors} fields={specs} />
        <PostForm action={`${basePath}/setup`} csrf={csrf} next={next} submit={t.submit} plain>
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

  const pageFor = (request: FastifyRequest, shown: Pick<Props, 'next' | 'typed' | 'fieldErrors'>) => (
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
    const t = localizationOf(request).texts.signIn.setup
    const sent = readForm(setupSpecs(t), form)
    const typed = { ...sent, username: sent.username.trim() }
    const again = (fieldErrors: FieldErrors, status = 422) =>
      sendPage(reply, status, pageFor(request, { next, typed, fieldErrors }))
    if (!isLocal(request)) {
      const wait = limiter.take(addressOf(request))
      if (wait > 0) throw new TooManyAttempts(wait)
      if (!setupCode.matches(typed.code)) return again({ code: t.wrongCode }, 403)
    }
    const { username, displayName, password } = typed
    return submit({
      texts: localizationOf(request).texts,
      schema: OwnerForm,
      body: { username, password, ...(displayName.trim() !== '' && { displayName }) },
      work: (body) => users.createOwner(body, viaOf(request)),
      // A taken name can be corrected, a second owner cannot.
      unique(error) {
        if (users.owner()) throw error
        return 'username'
      },
      again: ({ fieldErrors }) => again(fieldErrors),
      async done(owner) {
        rememberSession(request, await sessions.startAndRecord(owner, 'password', viaOf(request)))
        return reply.redirect(next ?? routes.home, 303)
      },
    })
  })
}
