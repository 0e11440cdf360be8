import type { FastifyInstance } from 'fastify'
import { notFound } from '../../lib/errors.ts'
import { isListed } from '../shared/etag.ts'
import { begun } from '../shared/large-answers.ts'
import type { PageContext } from './context.ts'
import { TooManyAttempts } from './errors.tsx'
import { formOf } from './form.ts'
import { readForm } from './forms.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { CalendarMadePage, CalendarPage, calendarSpecs } from './views/calendar.tsx'
import { sendPage } from './views/layout.tsx'

const PATH = '/settings/calendar'
const MAX_PER_MINUTE = 10

/** The flights for calendars that subscribe to them, and the page where their address is made. */
export async function calendar(app: FastifyInstance, context: PageContext): Promise<void> {
  const { calendars, memory, now } = context
  // Calendars ask a few times a day; a long log takes a second to write after each change.
  const limiter = memory.limiter('/calendar', { limit: MAX_PER_MINUTE, windowMs: 60_000, capacity: 10_000, now })
  const { frame, requireForm, back } = signedInPages(context)

  app.get<{ Params: { secret: string } }>('/calendar/:secret.ics', async (request, reply) => {
    const found = calendars.find(request.params.secret)
    if (!found) throw notFound('calendar')
    const wait = limiter.take(found.userId)
    if (wait > 0) throw new TooManyAttempts(wait)
    const written = await calendars.whole(found)
    const isKnown = isListed(request.headers['if-none-match'], written.tag)
    const text = isKnown ? undefined : await begun(calendars.text(found, written))
    reply.header('cache-control', 'private, no-cache').header('etag', written.tag)
    if (!text) return reply.code(304).send()
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'inline; filename="flights.ics"')
      .send(text)
  })

  app.get(PATH, async (request, reply) => {
    const caller = requireCaller(request)
    return sendPage(reply, 200, <CalendarPage {...frame(request, caller)} calendar={calendars.of(caller)} />)
  })

  app.post(PATH, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const { notes } = readForm(calendarSpecs, formOf(request))
    const address = await calendars.make(caller, notes)
    return sendPage(reply, 200, <CalendarMadePage {...frame(request, caller)} address={address} />)
  })

  app.post(`${PATH}/notes`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const { notes } = readForm(calendarSpecs, formOf(request))
    await calendars.setNotes(caller, notes)
    return back(request, reply, PATH, notes ? 'Notes are in the calendar now.' : 'Notes are not in the calendar.')
  })

  app.post(`${PATH}/delete`, async (request, reply) => {
    await calendars.remove(requireForm(request, PATH))
    return back(request, reply, PATH, 'The address was removed. Calendars that use it find nothing any more.')
  })
}
