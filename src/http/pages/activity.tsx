import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { type ActivityEntry, isActivityKind } from '../../domain/activity/contract.ts'
import type { PageContext } from './context.ts'
import { requireAny } from './forms.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { ActivityPage, OwnActivityPage } from './views/activity.tsx'
import { sendPage } from './views/layout.tsx'

const [PATH, OWN_PATH] = ['/admin/activity', '/settings/activity']
const SHOWN_AT_ONCE = 50
/** More than any name has. */
const LONGEST_NAME = 100

type ListRequest = { Querystring: { person?: unknown; kind?: unknown; before?: unknown } }

/** Ids count from 1; whatever is none begins at the newest entry. */
const beforeOf = (text: unknown) =>
  typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? { before: Number(text) } : {}

/** Who did what: of everybody for those who look after accounts, and of oneself. */
export async function activityPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, activity, flights, users } = context
  const { frame } = signedInPages(context)

  /** With the flights that the page may lead to. */
  const linked = <Page extends { entries: readonly ActivityEntry[] }>(caller: Caller, page: Page) => ({
    ...page,
    flights: flights.readable(
      caller,
      page.entries.flatMap(({ subject }) => (subject?.kind === 'flight' ? Number(subject.id) : [])),
    ),
  })

  app.get<ListRequest>(PATH, async (request, reply) => {
    const caller = requireAny(requireCaller(request), 'users.update')
    const { query } = request
    const name = typeof query.person === 'string' ? query.person.trim().slice(0, LONGEST_NAME) : ''
    const kind = isActivityKind(query.kind) ? query.kind : undefined
    const account = name === '' ? undefined : users.findByName(name)
    const isKnown = name === '' || account !== undefined
    const person = isKnown ? account : activity.formerly(name)
    const where = { ...beforeOf(query.before), limit: SHOWN_AT_ONCE }
    const page = await activity.list(caller, { ...where, kind, person })
    return sendPage(
      reply,
      200,
      <ActivityPage
        {...frame(request, caller)}
        path={basePath + PATH}
        {...linked(caller, page)}
        isFirst={where.before === undefined}
        person={name}
        isKnown={isKnown}
        kind={kind}
      />,
    )
  })

  app.get<ListRequest>(OWN_PATH, async (request, reply) => {
    const caller = requireCaller(request)
    const where = { ...beforeOf(request.query.before), limit: SHOWN_AT_ONCE }
    return sendPage(
      reply,
      200,
      <OwnActivityPage
        {...frame(request, caller)}
        path={basePath + OWN_PATH}
        {...linked(caller, await activity.listOwn(caller, where))}
        isFirst={where.before === undefined}
      />,
    )
  })
}
