import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { decodeCursor } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import type { PageContext } from './context.ts'
import type { PageFilter } from './filter.ts'
import { filterBar } from './filter-bar.ts'
import { mapPlace } from './map/plan.ts'
import { drawingOf } from './maps.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { HomePage } from './views/home.tsx'
import { sendPage } from './views/layout.tsx'

const PAGE = 20

export async function home(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, stats } = context
  const { frame } = signedInPages(context)
  const readFilter = filterBar(context)

  /** The cursor of an older page; whatever else stands there cannot be shown. */
  function cursorIn(after: unknown): string | undefined {
    if (after === undefined) return undefined
    try {
      decodeCursor(String(after))
    } catch (cause) {
      const sentence = 'This address does not lead to a page of your log. Begin again at the newest flights.'
      throw new AppError('bad_request', sentence, { cause })
    }
    return String(after)
  }

  function newerPage(caller: Caller, cursor: string, { query }: PageFilter) {
    // Only the whole log can be gone back through.
    const before = query !== '' ? null : flights.cursorBefore(caller, cursor, PAGE)
    return before === null ? ('first' as const) : { cursor: before }
  }

  /** What the role does not permit is not asked for at all. */
  async function logOf(caller: Caller, cursor: string | undefined, shown: PageFilter) {
    const query = { scope: 'mine', ...shown.filter } as const
    const { data, page } = await flights.list(caller, { ...query, limit: PAGE, ...(cursor && { cursor }) })
    return {
      stats: cursor === undefined ? await stats.get(caller, query) : undefined,
      flights: data,
      newer: cursor === undefined ? undefined : newerPage(caller, cursor, shown),
      older: page.nextCursor ?? undefined,
    }
  }

  async function mapOf(caller: Caller, { filter }: PageFilter) {
    const { routes } = await flights.selected(caller, filter)
    return drawingOf(routes, () => ({
      routes: routes.map(({ from, to, count }) => ({ from: mapPlace(from), to: mapPlace(to), count })),
    }))
  }

  app.get<{ Querystring: { after?: unknown } }>('/', async (request, reply) => {
    const caller = requireCaller(request)
    const cursor = cursorIn(request.query.after)
    const page = { ...frame(request, caller), caller }
    if (!caller.permissions.has('flight.read.own')) return sendPage(reply, 200, <HomePage {...page} />)
    const shown = await readFilter(caller, request.query, page.formats)
    const log = await logOf(caller, cursor, shown)
    // An older page is about its flights alone.
    const map = cursor === undefined ? await mapOf(caller, shown) : undefined
    return sendPage(reply, 200, <HomePage {...page} shown={shown} log={log} map={map} />)
  })
}
