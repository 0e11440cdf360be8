import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { type ActivityEntry, isActivityKind } from '../../../../domain/activity/contract.ts'
import type { PageContext } from '../../framework/context.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import { ActivityPage, OwnActivityPage } from './activity-page.tsx'

const [PATH, OWN_PATH] = ['/admin/activity', '/settings/activity']
const PAGE_SIZE = 50
/** Longer than any user name. */
const MAX_NAME_LENGTH = 100

type ListRequest = { Querystring: { person?: unknown; kind?: unknown; before?: unknown } }

/** Anything but an id starts with the newest entry. */
const beforeOf = (text: unknown) =>
  typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? { before: Number(text) } : {}

export async function activityPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, activity, flights, users } = context

  /** Adds the flights that the page may link to. */
  const linked = <Page extends { entries: readonly ActivityEntry[] }>(caller: Caller, page: Page) => ({
    ...page,
    flights: flights.readable(
      caller,
      page.entries.flatMap(({ subject }) => (subject?.kind === 'flight' ? Number(subject.id) : [])),
    ),
  })

  signedInPages(app, context, 'users.update').get<ListRequest>(PATH, ({ caller, request: { query }, frame, send }) => {
    const name = typeof query.person === 'string' ? query.person.trim().slice(0, MAX_NAME_LENGTH) : ''
    const kind = isActivityKind(query.kind) ? query.kind : undefined
    const account = name === '' ? undefined : users.findByName(name)
    const isKnown = name === '' || account !== undefined
    const person = isKnown ? account : activity.formerly(name)
    const where = { ...beforeOf(query.before), limit: PAGE_SIZE }
    return send(
      <ActivityPage
        {...frame}
        path={basePath + PATH}
        {...linked(caller, activity.list(caller, { ...where, kind, person }))}
        isFirst={where.before === undefined}
        person={name}
        isKnown={isKnown}
        kind={kind}
      />,
    )
  })

  signedInPages(app, context).get<ListRequest>(OWN_PATH, ({ caller, request: { query }, frame, send }) => {
    const where = { ...beforeOf(query.before), limit: PAGE_SIZE }
    return send(
      <OwnActivityPage
        {...frame}
        path={basePath + OWN_PATH}
        {...linked(caller, activity.listOwn(caller, where))}
        isFirst={where.before === undefined}
      />,
    )
  })
}
