import type { Caller } from '../../../../access/caller.ts'
import { AircraftWrite, AirlineWrite, AirportWrite } from '../../../../domain/reference/contract.ts'
import type { ReferenceService } from '../../../../domain/reference/service.ts'
import { choose, type Lookup, type LookupKind } from '../../components/lookup.ts'
import { referenceKinds } from '../../components/reference-form.ts'
import { fieldOf } from '../../framework/form.ts'
import { type Faults, type FieldSpecs, type Refused, readForm, submit } from '../../framework/forms.ts'

/** The fields of a flight that name a record, and what kind of one. */
const recordFields = { from: 'airport', to: 'airport', airline: 'airline', aircraft: 'aircraft' } as const
type RecordField = keyof typeof recordFields

const isRecordField = (name: string): name is RecordField => Object.hasOwn(recordFields, name)

const administered = {
  airport: referenceKinds.airports,
  airline: referenceKinds.airlines,
  aircraft: referenceKinds.aircraft,
}

export const mayMake = ({ permissions }: Caller, kind: LookupKind): boolean =>
  permissions.has(administered[kind].permission)

/** As the pages of Administration ask for it, under names that no flight has. */
const renamed = <Specs extends FieldSpecs>(specs: Specs): Specs =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, { ...spec, id: `new.${name}`, sent: `new.${name}` }]),
  ) as Specs

const { continent: _continent, type: _type, ...airportFields } = administered.airport.specs

/** What has to be known of a record before a flight can name it. */
export const newRecordSpecs = {
  airport: renamed({ ...airportFields, timezone: { id: 'timezone', label: 'Time zone', kind: 'select' } }),
  airline: renamed(administered.airline.specs),
  aircraft: renamed(administered.aircraft.specs),
} as const

export const zoneOptions = () => [
  { value: '', label: 'Choose' },
  ...Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]

/** What is not asked for here is left to the contract. */
const bodies: Record<LookupKind, (form: URLSearchParams) => unknown> = {
  airport: (form) =>
    administered.airport.bodyOf({ ...readForm(newRecordSpecs.airport, form), continent: '', type: '' }),
  airline: (form) => administered.airline.bodyOf(readForm(newRecordSpecs.airline, form)),
  aircraft: (form) => administered.aircraft.bodyOf(readForm(newRecordSpecs.aircraft, form)),
}

/** The record that a field asks for, while it is made. */
export interface Making {
  field: RecordField
  kind: LookupKind
  faults: Faults
}

interface Outcome {
  form: URLSearchParams
  status?: number
  making?: Making
}

/** A code goes to where codes stand, and a name to the names. */
function begin(form: URLSearchParams, field: RecordField, kind: LookupKind): Outcome {
  const text = fieldOf(form, field).trim()
  const isCode = /^[A-Z0-9]{2,4}$/.test(text)
  if (!form.has('new.name')) form.set('new.name', isCode ? '' : text)
  if (!form.has('new.icao')) form.set('new.icao', isCode ? text : '')
  return { form, making: { field, kind, faults: {} } }
}

/** Makes records that a flight names and nobody knows, for those who may. The rest of the form stays as it was typed. */
export function recordMaker(reference: ReferenceService, lookup: Lookup) {
  async function finish(caller: Caller, form: URLSearchParams, field: RecordField, kind: LookupKind): Promise<Outcome> {
    const steps = {
      unique: 'icao',
      again: ({ status, faults }: Refused): Outcome => ({ form, status, making: { field, kind, faults } }),
      done({ id }: { id: number }): Outcome {
        for (const name of [...form.keys()]) if (name.startsWith('new.')) form.delete(name)
        choose(form, field, lookup.option(kind, id)!)
        return { form }
      },
    }
    const body = bodies[kind](form)
    const made = {
      airport: () =>
        submit({ ...steps, schema: AirportWrite, body, work: (row) => reference.airports.create(caller, row) }),
      airline: () =>
        submit({ ...steps, schema: AirlineWrite, body, work: (row) => reference.airlines.create(caller, row) }),
      aircraft: () =>
        submit({ ...steps, schema: AircraftWrite, body, work: (row) => reference.aircraft.create(caller, row) }),
    }
    return (await made[kind]()) as Outcome
  }

  /** What the buttons around a new record do; undefined where none of them was pressed. */
  return async function make(caller: Caller, form: URLSearchParams): Promise<Outcome | undefined> {
    const [asked, done] = [fieldOf(form, 'make'), fieldOf(form, 'made')]
    const field = asked || done
    if (!isRecordField(field)) return undefined
    const kind = recordFields[field]
    return asked ? begin(form, field, kind) : finish(caller, form, field, kind)
  }
}
