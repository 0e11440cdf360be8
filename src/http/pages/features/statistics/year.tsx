import type { FastifyInstance } from 'fastify'
import { dayOf } from '../../../../lib/dates.ts'
import { notFound } from '../../../../lib/errors.ts'
import { readPageFilter } from '../../components/filter-bar/filter.ts'
import type { PageContext } from '../../framework/context.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import { drawingOf } from '../../maps/maps.ts'
import { mapPlace } from '../../maps/plan.ts'
import { logLinks } from './charts/links.ts'
import { YearPage, type YearReview, yearFigures } from './year-page.tsx'

type YearRequest = { Params: { year: string } }

const PATH = '/statistics/:year'

export async function yearPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, flights, stats, now = Date.now } = context
  const pages = signedInPages(app, context, 'flight.read.own')

  function reviewOf({ caller, request }: Visit<YearRequest>): Promise<YearReview> {
    const { year } = request.params
    if (!/^\d{4}$/.test(year) || year === '0000') throw notFound('year')
    return stats.getYear(caller, Number(year))
  }

  function* routesOf({ routes }: YearReview) {
    for (const { from, to, count } of routes) yield { from: mapPlace(from), to: mapPlace(to), count }
  }

  pages.get<YearRequest>(PATH, async (visit) => {
    const review = await reviewOf(visit)
    const { year } = visit.request.params
    const { years } = await flights.filterChoices(visit.caller)
    const today = dayOf(now())
    return visit.send(
      <YearPage
        {...visit.frame}
        year={year}
        review={review}
        map={await drawingOf(review.routes, () => ({ routes: routesOf(review) }))}
        links={logLinks(readPageFilter({ year }), basePath, today)}
        years={years}
        present={today.slice(0, 4)}
      />,
    )
  })

  for (const format of ['story', 'card'] as const) {
    pages.get<YearRequest>(`${PATH}/${format}.png`, async (visit) => {
      const review = await reviewOf(visit)
      const { posterOf } = await import('../../maps/picture.tsx')
      const picture = await posterOf({
        format,
        title: visit.request.params.year,
        subtitle: 'In flights',
        figures: yearFigures(review.figures, visit.formats),
        routes: routesOf(review),
      })
      if (!picture) throw notFound('picture')
      return visit.reply.type('image/png').send(picture)
    })
  }
}
