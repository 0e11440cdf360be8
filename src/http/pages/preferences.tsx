import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { Preferences } from '../../domain/preferences/contract.ts'
import type { PageContext } from './context.ts'
import { formOf } from './form.ts'
import { type Refused, readForm, submit } from './forms.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { sendPage } from './views/layout.tsx'
import { PreferencesPage, preferenceSpecs } from './views/preferences.tsx'

const PATH = '/settings/preferences'

export async function preferencesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { preferences } = context
  const { frame, requireForm, back } = signedInPages(context)

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    chosen: Record<string, string>,
    { status, faults }: Refused = { status: 200, faults: {} },
  ) {
    const page = { ...frame(request, caller), caller, chosen, faults }
    return sendPage(reply, status, <PreferencesPage {...page} />)
  }

  app.get(PATH, async (request, reply) => {
    const caller = requireCaller(request)
    return show(request, reply, caller, preferences.of(caller.userId))
  })

  app.post(PATH, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const chosen = readForm(preferenceSpecs, formOf(request)) as Record<string, string>
    return submit({
      schema: Preferences,
      body: chosen,
      work: (body) => preferences.update(caller, body),
      again: (refused) => show(request, reply, caller, chosen, refused),
      done: () => back(request, reply, PATH, 'Your preferences were saved.'),
    })
  })
}
