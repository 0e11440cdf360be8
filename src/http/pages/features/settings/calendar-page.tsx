import { dayOf } from '../../../../lib/dates.ts'
import { CopiedLine } from '../../components/copyable.tsx'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import type { Frame } from '../../framework/context.ts'
import { formSpecs } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'

export const calendarSpecs = formSpecs({
  notes: { id: 'notes', label: 'My notes are in the calendar too', kind: 'box' },
})

interface Props extends Frame {
  calendar: { withNotes: boolean; createdAt: number } | undefined
}

export function CalendarPage({ calendar, ...frame }: Props) {
  const { basePath, viewer, formats } = frame
  const action = `${basePath}/settings/calendar`
  const field = formFields(calendarSpecs, { notes: calendar?.withNotes ?? false }, {})
  return (
    <Layout {...frame} title="Calendar – Paxlog" faults={{}} place="calendar">
      <h1>Calendar</h1>
      <p>
        Your flights in the calendar that you use anyway: each as an event with its times, its airports, terminal, gate,
        seat and a link to its page here. The calendar asks again by itself, so that changes and deleted flights follow.
      </p>
      {calendar ? (
        <>
          <p>There is an address, made on {formats.day(dayOf(calendar.createdAt))}. It cannot be shown again.</p>
          <PostForm action={`${action}/notes`} csrf={viewer.csrf} submit="Save">
            {field('notes')}
          </PostForm>
          <DangerForm
            action={action}
            csrf={viewer.csrf}
            hidden={{ notes: calendar.withNotes ? 'on' : null }}
            summary="Make a new address"
            button="Replace the address"
          >
            <p>The address that there is ends at once: every calendar that uses it needs the new one.</p>
          </DangerForm>
          <DangerForm
            action={`${action}/delete`}
            csrf={viewer.csrf}
            summary="Remove the address"
            button="Remove the address"
          >
            <p>Calendars that use it find nothing any more.</p>
          </DangerForm>
        </>
      ) : (
        <PostForm action={action} csrf={viewer.csrf} submit="Make an address">
          <p>Whoever has the address can read your flights, and nothing else. You can remove it at any time.</p>
          {field('notes')}
        </PostForm>
      )}
    </Layout>
  )
}

/** The only page that ever shows the address. */
export function CalendarMadePage({ address, ...frame }: Frame & { address: string }) {
  return (
    <Layout {...frame} title="Your calendar – Paxlog" place="calendar" below narrow>
      <div class="card">
        <h1>Your calendar</h1>
        <p>Copy the address now. It is shown this once and cannot be read again.</p>
        <CopiedLine id="address" text={address} />
        <p class="quiet" role="status" id="copied" />
        <ul>
          <li>Google Calendar: Other calendars, From URL.</li>
          <li>Apple Calendar: File, New Calendar Subscription.</li>
          <li>Outlook: Add calendar, Subscribe from web.</li>
        </ul>
        <p>
          <a class="button primary" href={`${frame.basePath}/settings/calendar`}>
            I have copied it
          </a>
        </p>
      </div>
    </Layout>
  )
}
