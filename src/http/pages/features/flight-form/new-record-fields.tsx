import { formFields } from '../../components/forms.tsx'
import { nouns } from '../../components/lookup-field.tsx'
import { countryOptions } from '../../components/reference-form.ts'
import { type Faults, type FieldSpecs, readForm } from '../../framework/forms.ts'
import { type Making, newRecordSpecs, zoneOptions } from './new-record.ts'

/** What is wrong with a new record, by fields that no flight has. */
export function newRecordFaults(making: Making | undefined) {
  const specs: FieldSpecs = making ? newRecordSpecs[making.kind] : {}
  const found = Object.entries(making?.faults ?? {})
  const named = (name: string) => specs[name]?.id ?? name
  return {
    faults: Object.fromEntries(found.map(([name, message]) => [named(name), message])) as Faults,
    fields: Object.fromEntries(Object.values(specs).map(({ id, label }) => [id, { id, label }])),
  }
}

/** An airport, an airline or an aircraft type that nobody knows yet, made on the way to the flight. */
export function NewRecord({ form, making }: { form: URLSearchParams; making: Making }) {
  const { field: name, kind, faults } = making
  const specs: FieldSpecs = newRecordSpecs[kind]
  const field = formFields(specs, readForm(specs, form), faults)
  const options = (each: string) =>
    each === 'country' ? { options: countryOptions() } : each === 'timezone' ? { options: zoneOptions() } : {}
  return (
    <fieldset class="card">
      <legend class="unseen">New {nouns[kind]}</legend>
      <h2>New {nouns[kind]}</h2>
      <p class="hint">Everybody on this instance can use it. The flight below stays as you typed it.</p>
      <div class="columns">{Object.keys(specs).map((each) => field(each, options(each)))}</div>
      <p class="actions">
        <button class="primary" type="submit" name="made" value={name}>
          Add the {nouns[kind]}
        </button>
      </p>
    </fieldset>
  )
}
