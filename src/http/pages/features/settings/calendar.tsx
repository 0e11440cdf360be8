import type { FastifyInstance } from 'fastify'
import { dayOf } from '../../../../lib/dates.ts'
import { notFound } from '../../../../lib/errors.ts'
import { isListed } from '../../../shared/etag.ts'
import { startStream } from '../../../shared/large-answers.ts'
import { CopiedLine } from '../../components/copyable.tsx'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { TooManyAttempts } from '../../framework/errors.tsx'
import { formSpecs, readForm } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { signedInPages } from '../../framework/signed-in.ts'

const PATH = '/settings/calendar'
const MAX_PER_MINUTE = 10

const calendarSpecs = formSpecs({
  notes: { id: 'notes', label: 'Include my notes', kind: 'box' },
})

function CalendarPage({ calendar, ...frame }: Frame & { calendar: ReturnType<PageContext['calendars']['of']> }) {
  const { basePath, viewer, formats } = frame
  const action = basePath + PATH
  const notes = formFields(calendarSpecs, { notes: calendar?.withNotes ?? false }, {})('notes')
  return (
    <Layout {...frame} title="Calendar – Paxlog" place="calendar">
      <h1>Calendar</h1>
      <p>
        Subscribe to your flights in your calendar. Each event has the times, airports, terminal, gate, seat and a link
        to the flight. Your calendar updates itself when flights change.
      </p>
      {calendar ? (
        <>
          <p>You created a calendar link on {formats.day(dayOf(calendar.createdAt))}. It cannot be shown again.</p>
          <PostForm action={`${action}/notes`} csrf={viewer.csrf} submit="Save">
            {notes}
          </PostForm>
          <DangerForm
            action={action}
            csrf={viewer.csrf}
            hidden={{ notes: calendar.withNotes ? 'on' : null }}
            summary="Create a new link"
            button="Replace link"
          >
            <p>The current link stops working immediately. Subscribe to the new one in every calendar.</p>
          </DangerForm>
          <DangerForm action={`${action}/delete`} csrf={viewer.csrf} summary="Remove the link" button="Remove link">
            <p>Calendars that use the link stop updating.</p>
          </DangerForm>
        </>
      ) : (
        <PostForm action={action} csrf={viewer.csrf} submit="Create calendar link">
          <p>Anyone who has the link can read your flights, and nothing else. You can remove it at any time.</p>
          {notes}
        </PostForm>
      )}
    </Layout>
  )
}

/** The only page that ever shows the address. */
function CalendarCreatedPage({ address, ...frame }: Frame & { address: string }) {
  return (
    <Layout {...frame} title="Your calendar – Paxlog" place="calendar" below narrow>
      <div class="card">
        <h1>Your calendar</h1>
        <p>Copy the link now. It is shown only once.</p>
        <CopiedLine id="address" text={address} />
        <p class="quiet" role="status" id="copied" />
        <ul>
          <li>Google Calendar: Other calendars, From URL.</li>
          <li>Apple Calendar: File, New Calendar Subscription.</li>
          <li>Outlook: Add calendar, Subscribe from web.</li>
        </ul>
        <p>
          <a class="button primary" href={frame.basePath + PATH}>
            I have copied it
          </a>
        </p>
      </div>
    </Layout>
  )
}

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
    return send(<CalendarCreatedPage {...frame} address={await calendars.make(caller, notes)} />)
  })

  pages.post(`${PATH}/notes`, async ({ caller, form, back }) => {
    const { notes } = readForm(calendarSpecs, form)
    await calendars.setNotes(caller, notes)
    return back(PATH, notes ? 'The calendar now includes your notes.' : 'The calendar no longer includes your notes.')
  })

  pages.post(`${PATH}/delete`, async ({ caller, back }) => {
    await calendars.remove(caller)
    return back(PATH, 'The link was removed. Calendars that use it stop updating.')
  })
}
