import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { FlightFilter } from '../../domain/flights/filter-contract.ts'
import type { LogPage } from '../../domain/flights/own.ts'
import type { Frame, PageContext } from './context.ts'
import { filterBar } from './filter-bar.ts'
import { pageFormats } from './formats.ts'
import { alsoAllow } from './headers.ts'
import { ownDrawing, warmUpMaps } from './maps.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { HomePage } from './views/home.tsx'
import { sendPage, toHtml } from './views/layout.tsx'

/** The first requests come before the warm-up, which nobody waits for. */
const WARM_UP_AFTER_MS = 500

type Query = { page?: unknown }

export async function home(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, stats, mapOf, sessions, preferences, basePath } = context
  const { frame } = signedInPages(context)
  const readFilter = filterBar(context)

  /** Figures and map stand on the first page; the others are about their flights alone. */
  async function overview(caller: Caller, { page }: LogPage, filter: FlightFilter) {
    if (page > 1) return {}
    const map = await ownDrawing(await mapOf(caller, filter))
    return { stats: await stats.get(caller, { scope: 'mine', ...filter }), map }
  }

  /** The page, and whether it has a map. */
  async function pageOf(caller: Caller, frame: Frame, query: Query) {
    const page = { ...frame, caller }
    // What the role does not permit is not asked for at all.
    if (!caller.permissions.has('flight.read.own')) return { hasMap: false, view: <HomePage {...page} /> }
    const shown = await readFilter(caller, query, frame.formats)
    const log = await flights.logPage(caller, shown.filter, Number(query.page))
    const more = await overview(caller, log, shown.filter)
    const yearPages = flights.pagesOfYears(log)
    const view = <HomePage {...page} shown={shown} log={log} yearPages={yearPages} {...more} />
    return { hasMap: more.map !== undefined, view }
  }

  app.get<{ Querystring: Query }>('/', async (request, reply) => {
    const caller = requireCaller(request)
    const { hasMap, view } = await pageOf(caller, frame(request, caller), request.query)
    if (hasMap) alsoAllow(reply, 'manifest', 'worker')
    else alsoAllow(reply, 'manifest')
    return sendPage(reply, 200, view)
  })

  /** The first page of a process takes five times as long as all others: here nobody waits for it. */
  async function warmUp(): Promise<void> {
    await warmUpMaps()
    const caller = sessions.lastSeen()
    if (!caller || flights.isLong(caller)) return
    const viewer = { name: caller.displayName, csrf: '', permissions: caller.permissions }
    const formats = pageFormats(preferences.of(caller.userId))
    toHtml((await pageOf(caller, { basePath, viewer, formats, notice: undefined }, {})).view)
  }

  let isClosing = false
  app.addHook('onListen', async () => {
    setTimeout(async () => {
      try {
        if (!isClosing) await warmUp()
      } catch (error) {
        // The database may have been closed meanwhile.
        if (!isClosing) app.log.warn(error)
      }
    }, WARM_UP_AFTER_MS).unref()
  })
  app.addHook('preClose', async () => {
    isClosing = true
  })
}
