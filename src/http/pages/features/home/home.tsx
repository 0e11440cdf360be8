import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import type { FlightFilter } from '../../../../domain/flights/query/filter-contract.ts'
import type { LogPage } from '../../../../domain/flights/query/user-log.ts'
import { filterBar } from '../../components/filter-bar/read-filter.ts'
import type { PageContext } from '../../framework/context.ts'
import { alsoAllow } from '../../framework/headers.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import { ownDrawing } from '../../maps/maps.ts'
import { HomePage } from './home-page.tsx'

type Query = { page?: unknown }

export async function home(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, stats, mapOf } = context
  const readFilter = filterBar(context)

  /** Only the first page of the log has figures and a map. */
  async function overview(caller: Caller, { page }: LogPage, filter: FlightFilter) {
    if (page > 1) return {}
    const map = await ownDrawing(await mapOf(caller, filter))
    return { stats: await stats.get(caller, { scope: 'mine', ...filter }), map }
  }

  signedInPages(app, context).get<{ Querystring: Query }>('/', async (visit) => {
    const { caller, request, reply, send } = visit
    const page = { ...visit.frame, caller }
    alsoAllow(reply, 'manifest')
    if (!caller.permissions.has('flight.read.own')) return send(<HomePage {...page} />)
    const shown = await readFilter(visit)
    const log = await flights.logPage(caller, shown.filter, Number(request.query.page))
    const more = await overview(caller, log, shown.filter)
    if (more.map) alsoAllow(reply, 'manifest', 'worker')
    const yearPages = flights.pagesOfYears(log)
    return send(<HomePage {...page} shown={shown} log={log} yearPages={yearPages} {...more} />)
  })
}
