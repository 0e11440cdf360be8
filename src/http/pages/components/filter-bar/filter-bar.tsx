import { Labelled, SelectField } from '../fields.tsx'
import { Form } from '../forms.tsx'
import { addressOf, type FilterName, queryWith } from './filter.ts'
import type { ShownFilter } from './read-filter.ts'

interface Props {
  basePath: string
  /** The page that the filter is for, such as `/statistics`. */
  action: string
  shown: ShownFilter
  /** What else the address of the page says and the form must keep. */
  keep?: Readonly<Record<string, string>>
}

const NEWEST_YEARS = 6

/** The fields under "More", in their order. */
const fields: readonly [FilterName, string][] = [
  ['fromId', 'From'],
  ['toId', 'To'],
  ['airlineId', 'Airline'],
  ['aircraftId', 'Aircraft type'],
  ['seatClass', 'Class'],
  ['seat', 'Seat'],
  ['flightReason', 'Reason'],
  ['companion', 'Together with'],
  ['hasTrack', 'Track'],
  ['completed', 'Planned or flown'],
]
const shownFields = new Set<string>(['text', ...fields.map(([name]) => name)])

function Years({ basePath, action, shown, keep }: Props) {
  const { years } = shown
  const chosen = shown.values.year
  const link = (year: string | undefined, label = year) => (
    <a
      key={label}
      class="chip"
      href={basePath + addressOf(action, queryWith(shown, { year }), keep)}
      {...(year === chosen && { 'aria-current': 'true' as const })}
    >
      {label}
    </a>
  )
  const newest = years.slice(0, NEWEST_YEARS)
  const rest = years.slice(NEWEST_YEARS)
  return (
    <nav class="chips" aria-label="Years">
      {link(undefined, 'All')}
      {newest.map((year) => link(year))}
      {rest.length > 0 && (
        <details class="menu">
          <summary class="chip" {...(chosen && rest.includes(chosen) && { 'aria-current': 'true' as const })}>
            {chosen && rest.includes(chosen) ? chosen : 'Earlier'}
          </summary>
          <div class="card">{rest.map((year) => link(year))}</div>
        </details>
      )}
    </nav>
  )
}

/** A list of several cannot be made here, only kept: it comes as a link from elsewhere. */
function Choice({ name, label, shown }: { name: FilterName; label: string; shown: ShownFilter }) {
  const value = shown.values[name] ?? ''
  const options = shown.choices[name] ?? []
  const isOffered = value === '' || options.some((option) => option.value === value)
  const own = { value, label: value.includes(',') ? 'Several' : 'As chosen' }
  return (
    <SelectField
      id={`filter-${name}`}
      name={name}
      label={label}
      value={value}
      options={[{ value: '', label: 'Any' }, ...(isOffered ? [] : [own]), ...options]}
    />
  )
}

function FilterForm({ basePath, action, shown, keep = {} }: Props) {
  const { values, choices } = shown
  const hidden = [...Object.entries(values).filter(([name]) => !shownFields.has(name)), ...Object.entries(keep)]
  const offered = fields.filter(([name]) => choices[name]?.length || values[name] !== undefined)
  const isMore = offered.some(([name]) => values[name] !== undefined)
  return (
    <Form method="get" action={basePath + action} hidden={Object.fromEntries(hidden)}>
      <Labelled id="filter-text" name="text" label="Airport, airline, number or note" unlabelled class="words">
        {(ties) => (
          <input
            type="search"
            {...ties}
            dir="auto"
            placeholder="Airport, airline, number, note …"
            value={values.text ?? ''}
            maxLength={100}
            autocomplete="off"
          />
        )}
      </Labelled>
      <button type="submit">Show</button>
      <details class="more">
        <summary class="fold">More{isMore && <span class="unseen"> (some are active)</span>}</summary>
        <div class="columns">
          {offered.map(([name, label]) => (
            <Choice key={name} name={name} label={label} shown={shown} />
          ))}
        </div>
        <button class="primary" type="submit">
          Show
        </button>
      </details>
    </Form>
  )
}

const Clear = ({ basePath, action, keep }: Pick<Props, 'basePath' | 'action' | 'keep'>) => (
  <a href={basePath + addressOf(action, '', keep)}>Remove all</a>
)

/** What is active; each is a link to the page without it. */
function Chips({ basePath, action, shown, keep }: Props) {
  if (shown.chips.length === 0) return null
  return (
    <ul class="chips" aria-label="Active filters">
      {shown.chips.map(({ label, without }) => (
        <li key={label}>
          <a class="chip active" href={basePath + addressOf(action, without, keep)} dir="auto">
            <span class="unseen">Remove the filter: </span>
            {label}
          </a>
        </li>
      ))}
      {shown.chips.length > 1 && (
        <li>
          <Clear basePath={basePath} action={action} keep={keep} />
        </li>
      )}
    </ul>
  )
}

/** Years, words and the rest, above everything that follows it. A plain form: the address holds the filter. */
export function FilterBar(props: Props) {
  const { faults, years, query } = props.shown
  // There is nothing to choose from an empty log.
  if (years.length === 0 && query === '') return null
  return (
    <search class="filter" aria-label="Filter">
      <Years {...props} />
      <FilterForm {...props} />
      <Chips {...props} />
      {faults.map((sentence) => (
        <p key={sentence} class="warning">
          {sentence}
        </p>
      ))}
    </search>
  )
}

/** Where the filter lets nothing through: what to remove. */
export function NothingFound({ basePath, action, shown, keep }: Props) {
  const { chips } = shown
  return (
    <div class="card empty">
      <p>
        <strong>No flight fits {chips.length === 1 ? 'this filter' : 'all of these filters'}.</strong>
      </p>
      <ul class="chips">
        {chips.map(({ label, without }) => (
          <li key={label}>
            <a class="button" href={basePath + addressOf(action, without, keep)} dir="auto">
              Without {label}
            </a>
          </li>
        ))}
      </ul>
      {chips.length > 1 && (
        <p>
          <Clear basePath={basePath} action={action} keep={keep} />
        </p>
      )}
    </div>
  )
}
