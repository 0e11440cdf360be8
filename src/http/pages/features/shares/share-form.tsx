import type { ShareFlag } from '../../../../domain/shares/contract.ts'
import { ChoiceGroups, formFields, PostForm } from '../../components/forms.tsx'
import { type Faults, formSpecs, type Typed } from '../../framework/forms.ts'

export const shareSpecs = formSpecs({
  slug: { id: 'slug', label: 'Address', maxLength: 200, verbatim: true },
  shown: { id: 'shown', label: 'What visitors see', kind: 'boxes', sent: 'show' },
  dateFrom: { id: 'date-from', label: 'First day', type: 'date' },
  dateTo: { id: 'date-to', label: 'Last day', type: 'date' },
  expires: {
    id: 'expires',
    label: 'Open until',
    hint: 'The last day on which the page can be seen, by UTC. Left empty, it stays open until you delete it.',
    type: 'date',
  },
})

/** What was typed into the form of a share. */
export type ShareEntries = Typed<typeof shareSpecs>

const groups: { title: string; flags: readonly [ShareFlag, string][] }[] = [
  {
    title: 'Parts of the page',
    flags: [
      ['showMap', 'A map of the routes'],
      ['showTracks', 'On the map, the tracks as they were flown'],
      [
        'showStats',
        'Figures: flights, distance, time in the air, what was flown most; with the map also the countries',
      ],
      ['showFlightList', 'A list of the flights, with distance and duration'],
    ],
  },
  {
    title: 'With each flight',
    flags: [
      ['showDates', 'The date'],
      ['showTimes', 'The times, where the date is shown too'],
      ['showFlightNumbers', 'The flight number'],
      ['showAirlines', 'The airline, also in the figures'],
      ['showAircraft', 'Aircraft type and registration, the type also in the figures'],
      ['showSeat', 'My seat and class'],
    ],
  },
]

const choices = groups.map(({ title, flags }) => ({
  title,
  choices: flags.map(([value, words]) => ({ value, words })),
}))

interface Props {
  action: string
  csrf: string
  /** Where the pages of shares are. */
  prefix: string
  entries: ShareEntries
  faults: Faults
  /** Without an address a new share gets a random one; an existing share keeps its own. */
  isNew: boolean
  submit: string
}

export function ShareForm({ action, csrf, prefix, entries, faults, isNew, submit }: Props) {
  const field = formFields(shareSpecs, entries, faults)
  const address = (
    <>
      What follows <code>{prefix}</code>: letters A–Z, digits, <code>-</code> and <code>_</code>.{' '}
      {isNew ? 'Left empty, a random one is made that nobody can guess.' : 'Left empty, it stays as it is.'}
    </>
  )
  return (
    <PostForm action={action} csrf={csrf} submit={submit}>
      {field('slug', { hint: address })}
      <fieldset>
        <legend>What visitors see</legend>
        <p class="hint">
          Airports are always shown where flights are. Names of people, notes, reasons, terminals, gates and custom
          fields never are.
        </p>
        <ChoiceGroups name="show" groups={choices} chosen={new Set(entries.shown)} />
      </fieldset>
      <fieldset>
        <legend>Which flights</legend>
        <p class="hint">Those that you are on. Left empty, there is no limit.</p>
        <div class="columns">
          {field('dateFrom')}
          {field('dateTo')}
        </div>
      </fieldset>
      {field('expires')}
    </PostForm>
  )
}
