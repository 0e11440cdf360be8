import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Caller } from '../../../../access/caller.ts'
import { PasskeyName } from '../../../../domain/passkeys/contract.ts'
import { forbidden, invalid } from '../../../../lib/errors.ts'
import { english } from '../../../../messages/english.ts'
import type { PageContext } from '../../framework/context.ts'
import { requireCsrf } from '../../framework/csrf.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { acceptOnlyJson, jsonOf } from '../../framework/json-endpoints.ts'
import { localizationOf } from '../../framework/localization.ts'
import { cookieOf, requireCaller } from '../../framework/session.ts'
import { type IdRequest, idOf, signedInPages } from '../../framework/signed-in.ts'
import type { PasskeyConfirmation } from './passkeys-section.tsx'

const PAGE = '/settings/security'
const PATH = `${PAGE}/passkeys`
const MAX_PER_MINUTE = 10

const OptionsBody = z.object({
  purpose: z.enum(['add', 'delete']).default('add'),
  password: z.string().optional(),
})
const NewPasskey = z.object({ name: PasskeyName, response: z.unknown() })

export function passkeyConfirmation({ sessions }: PageContext, userId: string, session: string): PasskeyConfirmation {
  if (sessions.isRecent(session)) return 'none'
  return sessions.canUsePassword(userId) ? 'password' : 'sign-in'
}

interface Options {
  context: PageContext
  /** The limit of wrong passwords. */
  countAttempt: (caller: Caller) => void
}

export async function passkeyPages(app: FastifyInstance, { context, countAttempt }: Options): Promise<void> {
  const { passkeys } = context
  const pages = signedInPages(app, context)
  pages.post<IdRequest>(`${PATH}/:id/delete`, async ({ caller, request, texts, back }) => {
    await passkeys.remove(caller, idOf(request, 'passkey'))
    return back(PAGE, texts.security.passkeyRemoved)
  })
  await app.register(passkeyEndpoints, { context, countAttempt })
}

async function passkeyEndpoints(app: FastifyInstance, { context, countAttempt }: Options): Promise<void> {
  const { basePath, passkeys, users, notices, memory, now } = context
  const limiter = memory.limiter('passkeys', { limit: MAX_PER_MINUTE, windowMs: 60_000, capacity: 10_000, now })
  acceptOnlyJson(app)

  function visit(request: FastifyRequest) {
    const caller = requireCaller(request)
    requireCsrf(request)
    const wait = limiter.take(caller.userId)
    if (wait > 0) throw new TooManyAttempts(wait)
    return { caller, session: cookieOf(request, 'session')!, t: localizationOf(request).texts.security }
  }

  async function requireConfirmation({ caller, session, t }: ReturnType<typeof visit>, password = ''): Promise<void> {
    const confirmation = passkeyConfirmation(context, caller.userId, session)
    if (confirmation === 'none') return
    if (confirmation === 'sign-in') throw forbidden(t.passkeyNeedsSignIn)
    const passwordError = (reason: string) => invalid(english.passkeys.notAdded, ['password'], reason)
    if (password === '') throw passwordError(t.passkeyNeedsPassword)
    countAttempt(caller)
    if (!(await users.withPassword(caller.username, password, ({ id }) => id === caller.userId))) {
      throw passwordError(t.wrongPassword)
    }
  }

  app.post(`${PATH}/options`, async (request) => {
    const visited = visit(request)
    const { purpose, password } = jsonOf(request, OptionsBody)
    const { caller, session } = visited
    if (purpose === 'delete') return passkeys.confirmationOptions(caller, session)
    await requireConfirmation(visited, password)
    return passkeys.creationOptions(caller, session)
  })

  app.post(PATH, async (request) => {
    const { caller, session, t } = visit(request)
    const { name, response } = jsonOf(request, NewPasskey)
    await passkeys.add(caller, name, response, session)
    notices.leave(session, { text: t.passkeyAdded })
    return { next: basePath + PAGE }
  })
}

/** The response of a passkey in a form field, or undefined if the user chose another way. */
export function sentPasskey(text: string): { response: unknown } | undefined {
  if (text === '') return undefined
  try {
    return { response: JSON.parse(text) }
  } catch {
    return { response: undefined }
  }
}
