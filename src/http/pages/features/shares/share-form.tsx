import type { ShareFlag } from '../../../../domain/shares/contract.ts'
import { ChoiceGroups, formFields, PostForm } from '../../components/forms.tsx'
import type { Frame } from '../../framework/context.ts'
import { type Faults, formSpecs, type Typed } from '../../framework/forms.ts'

export const shareSpecs = formSpecs({
  slug: { id: 'slug', label: 'Address', maxLength: 200, verbatim: true },
  shown: { id: 'shown', label: 'What visitors see', kind: 'boxes', sent: 'show' },
  dateFrom: { id: 'date-from', label: 'First day', type: 'date' },
  dateTo: { id: 'date-to', label: 'Last day', type: 'date' },
  expires: {
    id: 'expires',
    label: 'Open until',
    hint: 'The last day (UTC) on which the page is available. Leave empty for no expiry.',
    type: 'date',
  },
})

export type ShareEntries = Typed<typeof shareSpecs>

const choiceGroups: { title: string; choices: { value: ShareFlag; words: string }[] }[] = [
  {
    title: 'Parts of the page',
    choices: [
      { value: 'showMap', words: 'Map of routes' },
      { value: 'showTracks', words: 'Recorded tracks, on the map' },
      { value: 'showStats', words: 'Statistics: flights, distance, time and most flown; with the map also countries' },
      { value: 'showFlightList', words: 'List of flights, with distance and duration' },
    ],
  },
  {
    title: 'With each flight',
    choices: [
      { value: 'showDates', words: 'Date' },
      { value: 'showTimes', words: 'Times, if the date is shown' },
      { value: 'showFlightNumbers', words: 'Flight number' },
      { value: 'showAirlines', words: 'Airline, also in statistics' },
      { value: 'showAircraft', words: 'Aircraft type and registration; the type also in statistics' },
      { value: 'showSeat', words: 'My seat and class' },
    ],
  },
]

interface FormProps {
  action: string
  frame: Frame
  entries: ShareEntries
  faults: Faults
  isNew: boolean
}

export function ShareForm({ action, frame, entries, faults, isNew }: FormProps) {
  const field = formFields(shareSpecs, entries, faults)
  const slugHint = (
    <>
      The part after <code>{frame.basePath}/share/</code>: letters A–Z, digits, <code>-</code> and <code>_</code>.{' '}
      {isNew ? 'Leave empty for a random one that nobody can guess.' : 'Leave empty to keep the current one.'}
    </>
  )
  return (
    <PostForm action={action} csrf={frame.viewer.csrf} submit={isNew ? 'Create share' : 'Save'}>
      {field('slug', { hint: slugHint })}
      <fieldset>
        <legend>What visitors see</legend>
        <p class="hint">
          Flights always show their airports. Names of people, notes, reasons, terminals, gates and custom fields are
          never shown.
        </p>
        <ChoiceGroups name="show" groups={choiceGroups} chosen={new Set(entries.shown)} />
      </fieldset>
      <fieldset>
        <legend>Which flights</legend>
        <p class="hint">Flights with you as a passenger. Leave empty for no limit.</p>
        <div class="columns">
          {field('dateFrom')}
          {field('dateTo')}
        </div>
      </fieldset>
      {field('expires')}
    </PostForm>
  )
}
