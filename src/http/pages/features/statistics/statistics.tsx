import type { FastifyInstance } from 'fastify'
import { dayOf } from '../../../../lib/dates.ts'
import { filterBar } from '../../components/filter-bar/read-filter.ts'
import type { PageContext } from '../../framework/context.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import { logLinks } from './charts/links.ts'
import { StatisticsPage } from './statistics-page.tsx'

export async function statisticsPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, stats, now = Date.now } = context
  const readFilter = filterBar(context)

  signedInPages(app, context, 'flight.read.own').get('/statistics', async (visit) => {
    const shown = await readFilter(visit, { onlyFlown: true })
    return visit.send(
      <StatisticsPage
        {...visit.frame}
        shown={shown}
        overview={await stats.getOverview(visit.caller, shown.filter)}
        links={logLinks(shown, basePath, dayOf(now()))}
        weekStartsOnSunday={visit.formats.weekStartsOnSunday}
      />,
    )
  })
}
