import { useScriptTexts, useTexts } from '../framework/localization.ts'
import type { PageTexts } from '../texts/languages.ts'
import { type FieldProps, Labelled } from './fields.tsx'
import { detailOf, type LookupKind, type Option } from './lookup.ts'

const searchPaths: Record<LookupKind, string> = { airport: 'airports', airline: 'airlines', aircraft: 'aircraft' }

type OptionsProps = Pick<FieldProps, 'name' | 'label'> & { options: readonly Option[]; chosen: string }

const noteOf = ({ note, until = '' }: Option, { lookup }: PageTexts['scripts']) =>
  note === 'until' ? lookup.until({ year: until }) : note && lookup[note]

function Options({ name, label, options, chosen }: OptionsProps) {
  const texts = useTexts()
  const { forms, scripts } = texts
  return (
    <fieldset class="options">
      <legend class="unseen">{forms.matches({ label })}</legend>
      {options.map((option) => (
        <label key={option.id} class="choice">
          <input type="radio" name={`${name}.id`} value={String(option.id)} checked={String(option.id) === chosen} />
          <span>
            {option.label}{' '}
            <span class="quiet">{[detailOf(option, texts), noteOf(option, scripts)].filter(Boolean).join(', ')}</span>
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
  /** The candidates for an ambiguous text. */
  options: readonly Option[] | undefined
  required?: boolean
  zone?: string | undefined
  makeable?: boolean
}

/** A text that names a record. The server resolves it; a script suggests records while one types. */
export function LookupField({ basePath, kind, form, options, required = false, zone, makeable, ...field }: Props) {
  const t = useTexts().forms
  const { name, label } = field
  const chosen = form.get(`${name}.id`) ?? ''
  return (
    <div
      class="lookup"
      data-search={`${basePath}/search/${searchPaths[kind]}`}
      data-zone={zone}
      data-texts={useScriptTexts('lookup')}
    >
      <Labelled {...field} id={name}>
        {(control) => (
          <input
            type="text"
            value={form.get(name) ?? ''}
            required={required}
            autocomplete="off"
            maxLength={300}
            {...control}
          />
        )}
      </Labelled>
      {options ? (
        <Options name={name} label={label} options={options} chosen={chosen} />
      ) : (
        <input type="hidden" name={`${name}.id`} value={chosen} />
      )}
      {makeable && field.fieldError && !options && form.get(name) && (
        <p class="make">
          <button type="submit" name="make" value={name}>
            {t.addNew[kind]}
          </button>
        </p>
      )}
      <input type="hidden" name={`${name}.asked`} value={form.get(`${name}.asked`) ?? ''} />
    </div>
  )
}
