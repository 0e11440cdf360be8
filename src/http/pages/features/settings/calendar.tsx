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
import { useTexts } from '../../framework/localization.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import type { PageTexts } from '../../texts/languages.ts'

const PATH = '/settings/calendar'
const MAX_PER_MINUTE = 10

const calendarSpecs = (t: PageTexts['settings']['calendar']) =>
  formSpecs({ notes: { id: 'notes', label: t.notes, kind: 'box' } })

function CalendarPage({ calendar, ...frame }: Frame & { calendar: ReturnType<PageContext['calendars']['of']> }) {
  const { basePath, viewer, formats } = frame
  const t = useTexts().settings.calendar
  const action = basePath + PATH
  const notes = formFields(calendarSpecs(t), { notes: calendar?.withNotes ?? false }, {})('notes')
  return (
    <Layout {...frame} title={t.title} place="calendar">
      <h1>{t.title}</h1>
      <p>{t.introduction}</p>
      {calendar ? (
        <>
          <p>{t.createdOn({ day: formats.day(dayOf(calendar.createdAt)) })}</p>
          <PostForm action={`${action}/notes`} csrf={viewer.csrf} submit={t.save}>
            {notes}
          </PostForm>
          <DangerForm
            action={action}
            csrf={viewer.csrf}
            hidden={{ notes: calendar.withNotes ? 'on' : null }}
            summary={t.newLink}
            button={t.replaceLink}
          >
            <p>{t.newLinkWarning}</p>
          </DangerForm>
          <DangerForm action={`${action}/delete`} csrf={viewer.csrf} summary={t.removal} button={t.removeLink}>
            <p>{t.removalWarning}</p>
          </DangerForm>
        </>
      ) : (
        <PostForm action={action} csrf={viewer.csrf} submit={t.createLink}>
          <p>{t.linkHint}</p>
          {notes}
        </PostForm>
      )}
    </Layout>
  )
}

/** The only page that ever shows the address. */
function CalendarCreatedPage({ address, ...frame }: Frame & { address: string }) {
  const t = useTexts().settings.calendar
  return (
    <Layout {...frame} title={t.created} place="calendar" below narrow>
      <div class="card">
        <h1>{t.created}</h1>
        <p>{t.copyNow}</p>
        <CopiedLine id="address" text={address} />
        <p class="quiet" role="status" id="copied" />
        <ul>
          <li>{t.google}</li>
          <li>{t.apple}</li>
          <li>{t.outlook}</li>
        </ul>
        <p>
          <a class="button primary" href={frame.basePath + PATH}>
            {t.copied}
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

  pages.post(PATH, async ({ caller, form, frame, texts, send }) => {
    const { notes } = readForm(calendarSpecs(texts.settings.calendar), form)
    return send(<CalendarCreatedPage {...frame} address={await calendars.make(caller, notes)} />)
  })

  pages.post(`${PATH}/notes`, async ({ caller, form, texts, back }) => {
    const t = texts.settings.calendar
    const { notes } = readForm(calendarSpecs(t), form)
    await calendars.setNotes(caller, notes)
    return back(PATH, notes ? t.notesIncluded : t.notesLeftOut)
  })

  pages.post(`${PATH}/delete`, async ({ caller, texts, back }) => {
    await calendars.remove(caller)
    return back(PATH, texts.settings.calendar.removed)
  })
}
