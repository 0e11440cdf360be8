import type { ShareFlag } from '../../../domain/shares/contract.ts'
import { Choice, type Faults, Field, Hidden } from './fields.tsx'

/** What the form holds, as it was typed. */
export interface ShareFields {
  slug: string
  expires: string
  dateFrom: string
  dateTo: string
  shown: ReadonlySet<ShareFlag>
}

export const shareFields = {
  slug: { id: 'slug', label: 'Address' },
  dateFrom: { id: 'date-from', label: 'First day' },
  dateTo: { id: 'date-to', label: 'Last day' },
  expires: { id: 'expires', label: 'Open until' },
}

const groups: { title: string; flags: readonly [ShareFlag, string][] }[] = [
  {
    title: 'Parts of the page',
    flags: [
      ['showMap', 'A map of the routes'],
      ['showTracks', 'On the map, the tracks as they were flown'],
      ['showStats', 'Figures: flights, distance, time in the air, what was flown most'],
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

interface Props {
  action: string
  csrf: string
  /** Where the pages of shares are. */
  prefix: string
  fields: ShareFields
  faults: Faults
  /** Without an address a new share gets a random one; an existing share keeps its own. */
  isNew: boolean
  button: string
}

export function ShareForm({ action, csrf, prefix, fields, faults, isNew, button }: Props) {
  const { slug, expires, dateFrom, dateTo, shown } = fields
  const day = (value: string) => ({ type: 'date', value, autocomplete: 'off' }) as const
  return (
    <form method="post" action={action} noValidate class="card">
      <Hidden csrf={csrf} />
      <Field
        {...shareFields.slug}
        name="slug"
        fault={faults.slug}
        hint={
          <>
            What follows <code>{prefix}</code>: letters A–Z, digits, <code>-</code> and <code>_</code>.{' '}
            {isNew ? 'Left empty, a random one is made that nobody can guess.' : 'Left empty, it stays as it is.'}
          </>
        }
        input={{ type: 'text', value: slug, maxLength: 200, autocomplete: 'off', autocapitalize: 'none' }}
      />
      <fieldset>
        <legend>What visitors see</legend>
        <p class="hint">
          Airports are always shown where flights are. Names of people, notes, reasons, terminals, gates and custom
          fields never are.
        </p>
        <div class="groups">
          {groups.map(({ title, flags }) => (
            <fieldset key={title}>
              <legend>{title}</legend>
              {flags.map(([flag, words]) => (
                <Choice key={flag} name="show" value={flag} checked={shown.has(flag)}>
                  {words}
                </Choice>
              ))}
            </fieldset>
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>Which flights</legend>
        <p class="hint">Those that you are on. Left empty, there is no limit.</p>
        <div class="columns">
          <Field {...shareFields.dateFrom} name="dateFrom" fault={faults.dateFrom} input={day(dateFrom)} />
          <Field {...shareFields.dateTo} name="dateTo" fault={faults.dateTo} input={day(dateTo)} />
        </div>
      </fieldset>
      <Field
        {...shareFields.expires}
        name="expires"
        fault={faults.expires}
        hint="The last day on which the page can be seen, by UTC. Left empty, it stays open until you delete it."
        input={day(expires)}
      />
      <button class="primary" type="submit">
        {button}
      </button>
    </form>
  )
}
