import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { PageContext } from '../../framework/context.ts'
import { requireSignInCsrf } from '../../framework/csrf.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { acceptOnlyJson, jsonOf } from '../../framework/json-endpoints.ts'
import { useScriptTexts, useTexts } from '../../framework/localization.ts'
import { cookieOf, csrfCookie, rememberSession, viaOf } from '../../framework/session.ts'

const MAX_OPTIONS_PER_MINUTE = 10

const SignInBody = z.object({ response: z.unknown(), next: z.unknown().optional() })

interface ButtonProps {
  basePath: string
  csrf: string
  next: string | undefined
}

/** Shown by its script, which also offers passkeys in the username field. */
export function PasskeySignIn({ basePath, csrf, next }: ButtonProps) {
  return (
    <div
      class="passkey-sign-in"
      data-passkey-sign-in={`${basePath}/login/passkey`}
      data-next={next}
      data-texts={useScriptTexts('passkeys')}
      hidden
    >
      <input type="hidden" name="csrf" value={csrf} />
      <button class="wide" type="button">
        {useTexts().signIn.withPasskey}
      </button>
      <p class="script-error" role="status" />
    </div>
  )
}

interface Options {
  context: PageContext
  /** The limit of the sign-in form. */
  countAddress: (address: string) => void
}

export async function passkeySignIn(app: FastifyInstance, { context, countAddress }: Options): Promise<void> {
  const { passkeys, addressOf, memory, now, routes } = context
  const limiter = memory.limiter('/login/passkey/options', {
    limit: MAX_OPTIONS_PER_MINUTE,
    windowMs: 60_000,
    capacity: 10_000,
    now,
  })
  const config = { keepsOpener: true } as const
  acceptOnlyJson(app)

  app.post('/login/passkey/options', { config }, async (request) => {
    requireSignInCsrf(request)
    const wait = limiter.take(addressOf(request))
    if (wait > 0) throw new TooManyAttempts(wait)
    return passkeys.signInOptions(csrfCookie(request))
  })

  app.post('/login/passkey', { config }, async (request) => {
    requireSignInCsrf(request)
    countAddress(addressOf(request))
    const { response, next } = jsonOf(request, SignInBody)
    const session = cookieOf(request, 'session')
    const id = await passkeys.signIn(response, { secret: cookieOf(request, 'csrf'), session, via: viaOf(request) })
    rememberSession(request, id)
    return { next: routes.nextPage(next) ?? routes.home }
  })
}
