import { useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { Labelled, SelectField } from '../fields.tsx'
import { Form } from '../forms.tsx'
import { addressOf, type FilterName, queryWith } from './filter.ts'
import type { ShownFilter } from './read-filter.ts'

interface Props {
  basePath: string
  action: string
  shown: ShownFilter
  keep?: Readonly<Record<string, string>>
}

const VISIBLE_YEARS = 6

const fields: readonly (keyof PageTexts['filter']['fields'])[] = [
  'fromId',
  'toId',
  'airlineId',
  'aircraftId',
  'seatClass',
  'seat',
  'flightReason',
  'tripId',
  'companion',
  'hasTrack',
  'completed',
]
const shownFields = new Set<string>(['text', ...fields])

function Years({ basePath, action, shown, keep }: Props) {
  const t = useTexts().filter
  const { years, values } = shown
  const link = (year: string | undefined, label = year) => (
    <a
      key={label}
      class="chip"
      href={basePath + addressOf(action, queryWith(shown, { year }), keep)}
      aria-current={year === values.year ? 'true' : undefined}
    >
      {label}
    </a>
  )
  const earlier = years.slice(VISIBLE_YEARS)
  const chosen = earlier.find((year) => year === values.year)
  return (
    <nav class="chips" aria-label={t.years}>
      {link(undefined, t.allYears)}
      {years.slice(0, VISIBLE_YEARS).map((year) => link(year))}
      {earlier.length > 0 && (
        <details class="menu">
          <summary class="chip" aria-current={chosen ? 'true' : undefined}>
            {chosen ?? t.earlierYears}
          </summary>
          <div class="card">{earlier.map((year) => link(year))}</div>
        </details>
      )}
    </nav>
  )
}

/** Keeps a list of several values, which only links can create. */
function Choice({ name, label, shown }: { name: FilterName; label: string; shown: ShownFilter }) {
  const t = useTexts().filter
  const value = shown.values[name] ?? ''
  const options = shown.choices[name] ?? []
  const isOffered = value === '' || options.some((option) => option.value === value)
  const own = { value, label: value.includes(',') ? t.several : t.currentValue }
  return (
    <SelectField
      id={`filter-${name}`}
      name={name}
      label={label}
      value={value}
      options={[{ value: '', label: t.any }, ...(isOffered ? [] : [own]), ...options]}
    />
  )
}

const unseen = (text: string) => <span class="unseen">{text}</span>

function FilterForm({ basePath, action, shown, keep = {} }: Props) {
  const t = useTexts().filter
  const { values, choices } = shown
  const hidden = [...Object.entries(values).filter(([name]) => !shownFields.has(name)), ...Object.entries(keep)]
  const offered = fields.filter((name) => choices[name]?.length || values[name] !== undefined)
  const count = offered.filter((name) => values[name] !== undefined).length
  return (
    <Form method="get" action={basePath + action} hidden={Object.fromEntries(hidden)}>
      <Labelled id="filter-text" name="text" label={t.search} unlabelled class="words">
        {(control) => (
          <input
            type="search"
            {...control}
            dir="auto"
            placeholder={t.searchExample}
            value={values.text ?? ''}
            maxLength={100}
            autocomplete="off"
          />
        )}
      </Labelled>
      <details class="more">
        <summary class="button">
          <span class="closed">
            {count > 0 ? t.moreActive({ count, number: (text) => <span class="count">{text}</span>, unseen }) : t.more}
          </span>
          <span class="opened">{t.fewer}</span>
        </summary>
        <div class="card columns">
          {offered.map((name) => (
            <Choice key={name} name={name} label={t.fields[name]} shown={shown} />
          ))}
        </div>
      </details>
      <button class="primary" type="submit">
        {t.apply}
      </button>
    </Form>
  )
}

const ClearAll = ({ basePath, action, keep }: Props) => (
  <a class="standalone" href={basePath + addressOf(action, '', keep)}>
    {useTexts().filter.clearAll}
  </a>
)

function Chips(props: Props) {
  const { basePath, action, shown, keep } = props
  const t = useTexts().filter
  if (shown.chips.length === 0) return null
  return (
    <ul class="chips" aria-label={t.activeFilters}>
      {shown.chips.map(({ label, without }) => (
        <li key={label}>
          <a class="chip active" href={basePath + addressOf(action, without, keep)} dir="auto">
            {t.remove({ filter: label, unseen })}
          </a>
        </li>
      ))}
      {shown.chips.length > 1 && (
        <li>
          <ClearAll {...props} />
        </li>
      )}
    </ul>
  )
}

/** A form with GET: the address of the page holds the filter. */
export function FilterBar(props: Props) {
  const t = useTexts().filter
  const { fieldErrors, years, query } = props.shown
  if (years.length === 0 && query === '') return null
  return (
    <search class="filter" aria-label={t.filter}>
      <Years {...props} />
      <FilterForm {...props} />
      <Chips {...props} />
      {fieldErrors.map((fieldError) => (
        <p key={fieldError} class="warning">
          {t.fieldErrors[fieldError]}
        </p>
      ))}
    </search>
  )
}

export function NothingFound(props: Props) {
  const t = useTexts().filter
  const { basePath, action, shown, keep } = props
  return (
    <div class="card empty">
      <p>
        <strong>{t.noMatches}</strong>
      </p>
      <ul class="chips">
        {shown.chips.map(({ label, without }) => (
          <li key={label}>
            <a class="button" href={basePath + addressOf(action, without, keep)} dir="auto">
              {t.clear({ filter: label })}
            </a>
          </li>
        ))}
      </ul>
      {shown.chips.length > 1 && (
        <p>
          <ClearAll {...props} />
        </p>
      )}
    </div>
  )
}
