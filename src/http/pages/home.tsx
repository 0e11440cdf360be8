import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { decodeCursor } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import type { PageContext } from './context.ts'
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

  function newerPage(caller: Caller, cursor: string) {
    const before = flights.cursorBefore(caller, cursor, PAGE)
    return before === null ? ('first' as const) : { cursor: before }
  }

  /** What the role does not permit is not asked for at all. */
  async function logOf(caller: Caller, cursor: string | undefined) {
    if (!caller.permissions.has('flight.read.own')) return undefined
    const { data, page } = await flights.list(caller, { scope: 'mine', limit: PAGE, ...(cursor && { cursor }) })
    return {
      stats: cursor === undefined ? await stats.get(caller, { scope: 'mine' }) : undefined,
      flights: data,
      newer: cursor === undefined ? undefined : newerPage(caller, cursor),
      older: page.nextCursor ?? undefined,
    }
  }

  async function mapOf(caller: Caller) {
    if (!caller.permissions.has('flight.read.own')) return undefined
    const flown = flights.routes.mine(caller)
    return drawingOf(flown, () => ({
      routes: flown.map(({ from, to, count }) => ({ from: mapPlace(from), to: mapPlace(to), count })),
    }))
  }

  app.get<{ Querystring: { after?: unknown } }>('/', async (request, reply) => {
    const caller = requireCaller(request)
    const cursor = cursorIn(request.query.after)
    // An older page is about its flights alone.
    const map = cursor === undefined ? await mapOf(caller) : undefined
    return sendPage(
      reply,
      200,
      <HomePage {...frame(request, caller)} caller={caller} log={await logOf(caller, cursor)} map={map} />,
    )
  })
}
