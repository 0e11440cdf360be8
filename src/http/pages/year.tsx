import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { dayOf } from '../../lib/dates.ts'
import { notFound } from '../../lib/errors.ts'
import { logLinks } from './charts/links.ts'
import type { PageContext } from './context.ts'
import { readPageFilter } from './filter.ts'
import { requireAny } from './forms.ts'
import { mapPlace } from './map/plan.ts'
import { drawingOf } from './maps.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { sendPage } from './views/layout.tsx'
import { YearPage, type YearReview, yearFigures } from './views/year.tsx'

type YearRequest = { Params: { year: string } }

const PATH = '/statistics/:year'

/** A year in review, to be shown around. */
export async function yearPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, flights, stats, now = Date.now } = context
  const { frame } = signedInPages(context)

  async function reviewOf(
    request: FastifyRequest<YearRequest>,
  ): Promise<{ caller: Caller; year: string; review: YearReview }> {
    const caller = requireAny(requireCaller(request), 'flight.read.own')
    const { year } = request.params
    if (!/^\d{4}$/.test(year) || year === '0000') throw notFound('year')
    return { caller, year, review: await stats.getYear(caller, Number(year)) }
  }

  function* routesOf({ routes }: YearReview) {
    for (const { from, to, count } of routes) yield { from: mapPlace(from), to: mapPlace(to), count }
  }

  app.get<YearRequest>(PATH, async (request, reply) => {
    const { caller, year, review } = await reviewOf(request)
    const { years } = await flights.filterChoices(caller)
    const today = dayOf(now())
    return sendPage(
      reply,
      200,
      <YearPage
        {...frame(request, caller)}
        year={year}
        review={review}
        map={await drawingOf(review.routes, () => ({ routes: routesOf(review) }))}
        links={logLinks(readPageFilter({ year }), basePath, today)}
        years={years}
        present={today.slice(0, 4)}
      />,
    )
  })

  async function sendPicture(request: FastifyRequest<YearRequest>, reply: FastifyReply, format: 'story' | 'card') {
    const { caller, year, review } = await reviewOf(request)
    const { formats } = frame(request, caller)
    const { posterOf } = await import('./map/poster.tsx')
    const picture = await posterOf({
      format,
      title: year,
      subtitle: 'In flights',
      figures: yearFigures(review.figures, formats),
      routes: routesOf(review),
    })
    if (!picture) throw notFound('picture')
    return reply.type('image/png').send(picture)
  }

  for (const format of ['story', 'card'] as const) {
    const path = `${PATH}/${format}.png`
    app.get<YearRequest>(path, (request, reply) => sendPicture(request, reply, format))
  }
}
