import type { FastifyInstance } from 'fastify'
import { detailsOf } from '../../contract/issues.ts'
import { Preferences } from '../../domain/preferences/contract.ts'
import type { PageContext } from './context.ts'
import { fieldOf, formOf } from './form.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { type Faults, faultsOf } from './views/fields.tsx'
import { sendPage } from './views/layout.tsx'
import { PreferencesPage } from './views/preferences.tsx'

const PATH = '/settings/preferences'

const names = Object.keys(Preferences.shape)

export async function preferencesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { preferences } = context
  const { frame, requireForm, back } = signedInPages(context)

  app.get(PATH, async (request, reply) => {
    const caller = requireCaller(request)
    const chosen = preferences.of(caller.userId)
    return sendPage(reply, 200, <PreferencesPage {...frame(request, caller)} chosen={chosen} faults={{}} />)
  })

  app.post(PATH, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const form = formOf(request)
    const chosen = Object.fromEntries(names.map((name) => [name, fieldOf(form, name)]))
    const parsed = Preferences.safeParse(chosen)
    if (!parsed.success) {
      const faults: Faults = faultsOf(detailsOf(parsed.error))
      return sendPage(reply, 422, <PreferencesPage {...frame(request, caller)} chosen={chosen} faults={faults} />)
    }
    preferences.update(caller, parsed.data)
    return back(request, reply, PATH, 'Your preferences were saved.')
  })
}
