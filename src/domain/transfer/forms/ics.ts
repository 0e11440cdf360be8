import { flightEvent } from '../../calendar/flight-event.ts'
import { CALENDAR_END, calendarStart, eventText } from '../../calendar/icalendar.ts'
import type { FileForm } from './form.ts'

/** The events of the calendar that one can subscribe to, once and with the notes: the file is for its owner. */
export const icsForm: FileForm = {
  extension: 'ics',
  type: 'text/calendar; charset=utf-8',
  draws: false,
  open: calendarStart,
  flight: ({ flight, userId, baseUrl }) => {
    const event = flightEvent(flight, { userId, baseUrl, withNotes: true })
    return event ? [eventText(event)] : []
  },
  between: '',
  close: CALENDAR_END,
}
