import type { FastifyInstance } from 'fastify'
import { Preferences } from '../../../../domain/preferences/contract.ts'
import type { PageContext } from '../../framework/context.ts'
import { type Faults, readForm, submit } from '../../framework/forms.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import { PreferencesPage, preferenceSpecs } from './preferences-page.tsx'

const PATH = '/settings/preferences'

export async function preferencesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { preferences } = context
  const pages = signedInPages(app, context)

  const page = ({ caller, frame }: Visit, chosen: Record<string, string>, faults: Faults = {}) => (
    <PreferencesPage {...frame} caller={caller} chosen={chosen} faults={faults} />
  )

  pages.get(PATH, (visit) => visit.send(page(visit, preferences.of(visit.caller.userId))))

  pages.post(PATH, (visit) => {
    const chosen = readForm(preferenceSpecs, visit.form) as Record<string, string>
    return submit({
      schema: Preferences,
      body: chosen,
      work: (body) => preferences.update(visit.caller, body),
      again: ({ status, faults }) => visit.send(page(visit, chosen, faults), status),
      done: () => visit.back(PATH, 'Your preferences were saved.'),
    })
  })
}
