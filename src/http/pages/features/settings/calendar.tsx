import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../../lib/errors.ts'
import { isListed } from '../../../shared/etag.ts'
import { startStream } from '../../../shared/large-answers.ts'
import type { PageContext } from '../../framework/context.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { readForm } from '../../framework/forms.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import { CalendarMadePage, CalendarPage, calendarSpecs } from './calendar-page.tsx'

const PATH = '/settings/calendar'
const MAX_PER_MINUTE = 10

/** The calendar feed, and the settings page for its address. */
export async function calendar(app: FastifyInstance, context: PageContext): Promise<void> {
  const { calendars, memory, now } = context
  // Writing a large log takes a second; calendars poll a few times a day.
  const limiter = memory.limiter('/calendar', { limit: MAX_PER_MINUTE, windowMs: 60_000, capacity: 10_000, now })
  const pages = signedInPages(app, context)

  app.get<{ Params: { secret: string } }>('/calendar/:secret.ics', async (request, reply) => {
    const found = calendars.find(request.params.secret)
    if (!found) throw notFound('calendar')
    const wait = limiter.take(found.userId)
    if (wait > 0) throw new TooManyAttempts(wait)
    const written = await calendars.whole(found)
    const isKnown = isListed(request.headers['if-none-match'], written.tag)
    const text = isKnown ? undefined : await startStream(calendars.text(found, written))
    reply.header('cache-control', 'private, no-cache').header('etag', written.tag)
    if (!text) return reply.code(304).send()
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'inline; filename="flights.ics"')
      .send(text)
  })

  pages.get(PATH, ({ caller, frame, send }) => send(<CalendarPage {...frame} calendar={calendars.of(caller)} />))

  pages.post(PATH, async ({ caller, form, frame, send }) => {
    const { notes } = readForm(calendarSpecs, form)
    return send(<CalendarMadePage {...frame} address={await calendars.make(caller, notes)} />)
  })

  pages.post(`${PATH}/notes`, async ({ caller, form, back }) => {
    const { notes } = readForm(calendarSpecs, form)
    await calendars.setNotes(caller, notes)
    return back(PATH, notes ? 'Notes are in the calendar now.' : 'Notes are not in the calendar.')
  })

  pages.post(`${PATH}/delete`, async ({ caller, back }) => {
    await calendars.remove(caller)
    return back(PATH, 'The address was removed. Calendars that use it find nothing any more.')
  })
}
