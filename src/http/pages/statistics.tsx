import type { FastifyInstance } from 'fastify'
import { dayOf } from '../../lib/dates.ts'
import { logLinks } from './charts/links.ts'
import type { PageContext } from './context.ts'
import { filterBar } from './filter-bar.ts'
import { requireAny } from './forms.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { sendPage } from './views/layout.tsx'
import { StatisticsPage } from './views/statistics.tsx'

export async function statisticsPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, stats, now = Date.now } = context
  const { frame } = signedInPages(context)
  const readFilter = filterBar(context)

  app.get('/statistics', async (request, reply) => {
    const caller = requireAny(requireCaller(request), 'flight.read.own')
    const shell = frame(request, caller)
    const shown = await readFilter(caller, request.query, shell.formats, { onlyFlown: true })
    return sendPage(
      reply,
      200,
      <StatisticsPage
        {...shell}
        shown={shown}
        overview={await stats.getOverview(caller, shown.filter)}
        links={logLinks(shown, basePath, dayOf(now()))}
        weekStartsOnSunday={shell.formats.weekStartsOnSunday}
      />,
    )
  })
}
