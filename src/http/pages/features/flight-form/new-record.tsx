import type { Caller } from '../../../../access/caller.ts'
import type { ReferenceService } from '../../../../domain/reference/service.ts'
import { formFields } from '../../components/forms.tsx'
import { fillLookup, type Lookup, type LookupKind } from '../../components/lookup.ts'
import { countryOptions, type ReferenceKind, referenceKinds } from '../../components/reference-form.ts'
import { fieldOf } from '../../framework/form.ts'
import { type FieldErrors, type FieldSpecs, readForm, submit } from '../../framework/forms.ts'
import { useTexts } from '../../framework/localization.ts'
import type { Visit } from '../../framework/signed-in.ts'
import { type FormTexts, type RecordName, recordKinds } from './reading.ts'

const isRecordName = (name: string): name is RecordName => Object.hasOwn(recordKinds, name)

const kinds = {
  airport: referenceKinds.airports,
  airline: referenceKinds.airlines,
  aircraft: referenceKinds.aircraft,
}

export const canCreateRecord = ({ permissions }: Caller, kind: LookupKind): boolean =>
  permissions.has(kinds[kind].permission)

const {
  continent: _continent,
  type: _type,
  validFrom: _from,
  validUntil: _until,
  timezone,
  ...airportFields
} = kinds.airport.specs
const { validFrom: _airlineFrom, validUntil: _airlineUntil, ...airlineFields } = kinds.airline.specs

const PREFIX = 'new.'

const prefixed = (specs: FieldSpecs): FieldSpecs =>
  Object.fromEntries(Object.entries(specs).map(([name, spec]) => [PREFIX + name, { ...spec, id: PREFIX + name }]))

/** Prefixed, so that they differ from the fields of the flight. */
export const newRecordSpecs: Record<LookupKind, FieldSpecs> = {
  airport: prefixed({ ...airportFields, timezone: { id: 'timezone', label: timezone.label, kind: 'select' } }),
  airline: prefixed(airlineFields),
  aircraft: prefixed(kinds.aircraft.specs),
}

export interface PendingRecord {
  field: RecordName
  kind: LookupKind
  fieldErrors: FieldErrors
}

interface Outcome {
  form: URLSearchParams
  status?: number
  pending?: PendingRecord
}

/** Prefills the code or the name with the unknown text. */
function startRecord(form: URLSearchParams, field: RecordName): Outcome {
  const text = fieldOf(form, field).trim()
  const isCode = /^[A-Z0-9]{2,4}$/.test(text)
  if (!form.has('new.name')) form.set('new.name', isCode ? '' : text)
  if (!form.has('new.icao')) form.set('new.icao', isCode ? text : '')
  return { form, pending: { field, kind: recordKinds[field], fieldErrors: {} } }
}

/** Adds unknown airports, airlines and aircraft types from the form of a flight, which keeps its values. */
export function newRecords({ airports, airlines, aircraft }: ReferenceService, lookup: Lookup) {
  async function createRecord({ caller, form, texts }: Visit, field: RecordName): Promise<Outcome> {
    const kind = recordKinds[field]
    const names = Object.keys(newRecordSpecs[kind])
    const entries = new URLSearchParams(names.map((name) => [name.slice(PREFIX.length), fieldOf(form, name)]))
    const create = <Specs extends FieldSpecs, Row, Write>(
      { specs, schema, bodyOf }: ReferenceKind<Specs, Row, Write>,
      service: { create: (caller: Caller, write: Write) => Promise<{ id: number }> },
    ) =>
      submit({
        texts,
        schema,
        body: bodyOf(readForm(specs, entries)),
        fieldAt: ([first = '']) => (names.includes(PREFIX + first) ? PREFIX + first : first),
        unique: `${PREFIX}icao`,
        work: (body) => service.create(caller, body),
        again: ({ status, fieldErrors }): Outcome => ({ form, status, pending: { field, kind, fieldErrors } }),
        done({ id }): Outcome {
          for (const name of [...form.keys()]) if (name.startsWith(PREFIX)) form.delete(name)
          fillLookup(form, field, lookup.option(kind, id)!)
          return { form }
        },
      }) as Promise<Outcome>
    if (kind === 'airport') return create(kinds.airport, airports)
    if (kind === 'airline') return create(kinds.airline, airlines)
    return create(kinds.aircraft, aircraft)
  }

  /** Undefined if the form was sent by another button. */
  return async function handle(visit: Visit): Promise<Outcome | undefined> {
    const { form } = visit
    const [started, finished] = [fieldOf(form, 'make'), fieldOf(form, 'made')]
    const field = started || finished
    if (!isRecordName(field)) return undefined
    return started ? startRecord(form, field) : createRecord(visit, field)
  }
}

const zoneOptions = ({ choose }: FormTexts) => [
  { value: '', label: choose },
  ...Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]

export function NewRecord({ form, pending }: { form: URLSearchParams; pending: PendingRecord }) {
  const t = useTexts().flightForm
  const specs = newRecordSpecs[pending.kind]
  const field = formFields(specs, readForm(specs, form), pending.fieldErrors)
  const optionsOf = (name: string) => {
    if (name === `${PREFIX}country`) return { options: countryOptions }
    return name === `${PREFIX}timezone` ? { options: zoneOptions(t) } : {}
  }
  return (
    <fieldset class="card">
      <legend class="unseen">{t.newRecord[pending.kind]}</legend>
      <h2>{t.newRecord[pending.kind]}</h2>
      <p class="hint">{t.newRecordHint}</p>
      <div class="columns">{Object.keys(specs).map((name) => field(name, optionsOf(name)))}</div>
      <p class="actions">
        <button class="primary" type="submit" name="made" value={pending.field}>
          {t.addRecord[pending.kind]}
        </button>
      </p>
    </fieldset>
  )
}
