import { type FieldProps, Labelled } from './fields.tsx'
import type { LookupKind, Option } from './lookup.ts'

const searches: Record<LookupKind, string> = {
  airport: '/search/airports',
  airline: '/search/airlines',
  aircraft: '/search/aircraft',
}

export const nouns: Record<LookupKind, string> = { airport: 'airport', airline: 'airline', aircraft: 'aircraft type' }

interface OptionsProps {
  name: string
  label: string
  options: readonly Option[]
  chosen: string
}

function Options({ name, label, options, chosen }: OptionsProps) {
  return (
    <fieldset class="options">
      <legend class="unseen">{label}: what was found</legend>
      {options.map((option) => (
        <label key={option.id} class="choice">
          <input type="radio" name={`${name}.id`} value={String(option.id)} checked={String(option.id) === chosen} />
          <span>
            {option.label} <span class="quiet">{option.detail}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface Props extends Omit<FieldProps, 'id'> {
  basePath: string
  kind: LookupKind
  form: URLSearchParams
  /** What the text may mean, when it was not plain. */
  options: readonly Option[] | undefined
  required?: boolean
  /** The time zone of the airport that is chosen, for the script. */
  zone?: string | undefined
  /** Offers to make what is not known. */
  makeable?: boolean
}

/** A text that stands for a record: resolved when the form is sent, and with script while it is typed. */
export function LookupField({ basePath, kind, form, options, required = false, zone, makeable, ...field }: Props) {
  const { name, label } = field
  const chosen = form.get(`${name}.id`) ?? ''
  return (
    <div class="lookup" data-search={basePath + searches[kind]} data-zone={zone}>
      <Labelled {...field} id={name}>
        {(ties) => (
          <input
            type="text"
            value={form.get(name) ?? ''}
            required={required}
            autocomplete="off"
            maxLength={300}
            {...ties}
          />
        )}
      </Labelled>
      {options && <Options name={name} label={label} options={options} chosen={chosen} />}
      {!options && <input type="hidden" name={`${name}.id`} value={chosen} />}
      {makeable && field.fault && !options && form.get(name) && (
        <p class="make">
          <button type="submit" name="make" value={name}>
            Add it as a new {nouns[kind]}
          </button>
        </p>
      )}
      <input type="hidden" name={`${name}.asked`} value={form.get(`${name}.asked`) ?? ''} />
    </div>
  )
}
