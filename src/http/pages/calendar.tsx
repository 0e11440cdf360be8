import type { FastifyInstance } from 'fastify'
import { notFound } from '../../lib/errors.ts'
import { isListed } from '../shared/etag.ts'
import { begun } from '../shared/large-answers.ts'
import type { PageContext } from './context.ts'
import { formOf } from './form.ts'
import { readForm } from './forms.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { CalendarMadePage, CalendarPage, calendarSpecs } from './views/calendar.tsx'
import { sendPage } from './views/layout.tsx'

const PATH = '/settings/calendar'

/** The flights for calendars that subscribe to them, and the page where their address is made. */
export async function calendar(app: FastifyInstance, context: PageContext): Promise<void> {
  const { calendars } = context
  const { frame, requireForm, back } = signedInPages(context)

  app.get<{ Params: { secret: string } }>('/calendar/:secret.ics', async (request, reply) => {
    const found = calendars.find(request.params.secret)
    if (!found) throw notFound('calendar')
    const tag = await calendars.tagOf(found)
    const isKnown = isListed(request.headers['if-none-match'], tag)
    const text = isKnown ? undefined : await begun(calendars.text(found, tag))
    reply.header('cache-control', 'private, no-cache').header('etag', tag)
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
    const address = calendars.make(caller, notes)
    return sendPage(reply, 200, <CalendarMadePage {...frame(request, caller)} address={address} />)
  })

  app.post(`${PATH}/notes`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const { notes } = readForm(calendarSpecs, formOf(request))
    calendars.setNotes(caller, notes)
    return back(request, reply, PATH, notes ? 'Notes are in the calendar now.' : 'Notes are not in the calendar.')
  })

  app.post(`${PATH}/delete`, async (request, reply) => {
    calendars.remove(requireForm(request, PATH))
    return back(request, reply, PATH, 'The address was removed. Calendars that use it find nothing any more.')
  })
}
