import type { Caller } from '../../../access/caller.ts'
import { AircraftWrite, AirlineWrite, AirportWrite } from '../../../domain/reference/contract.ts'
import type { ReferenceService } from '../../../domain/reference/service.ts'
import { fieldOf } from '../form.ts'
import { type Faults, formSpecs, type Refused, readForm, submit } from '../forms.ts'
import { referenceKinds } from '../reference-form.ts'
import { choose, type Lookup, type LookupKind } from './lookup.ts'

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

const name = { id: 'new.name', sent: 'new.name', label: 'Name', required: true } as const
const icao = { id: 'new.icao', sent: 'new.icao', label: 'ICAO code', verbatim: true } as const
const iata = { id: 'new.iata', sent: 'new.iata', label: 'IATA code', verbatim: true } as const

/** What has to be known of a record before a flight can name it. */
export const newRecordSpecs = {
  airport: formSpecs({
    name,
    icao: {
      ...icao,
      label: 'ICAO code, or one of your own',
      hint: '2 to 8 letters, digits or hyphens.',
      required: true,
    },
    iata: { ...iata, hint: '3 letters, if it has one.' },
    municipality: { id: 'new.municipality', sent: 'new.municipality', label: 'City' },
    country: { id: 'new.country', sent: 'new.country', label: 'Country', kind: 'select' },
    timezone: { id: 'new.timezone', sent: 'new.timezone', label: 'Time zone', kind: 'select' },
    latitude: { id: 'new.latitude', sent: 'new.latitude', label: 'Latitude', hint: 'Such as 47.15.', type: 'number' },
    longitude: {
      id: 'new.longitude',
      sent: 'new.longitude',
      label: 'Longitude',
      hint: 'Such as 9.14.',
      type: 'number',
    },
  }),
  airline: formSpecs({ name, icao: { ...icao, hint: '3 letters.' }, iata: { ...iata, hint: '2 letters or digits.' } }),
  aircraft: formSpecs({ name, icao: { ...icao, hint: '2 to 4 letters or digits.' } }),
}

export const zoneOptions = () => [
  { value: '', label: 'Choose' },
  ...Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]

/** As the pages of Administration read it; what is not asked for here is left to the contract. */
function airportBody(form: URLSearchParams): unknown {
  const typed = readForm(newRecordSpecs.airport, form)
  return administered.airport.bodyOf({ ...typed, continent: '', type: '' })
}

const airlineBody = (form: URLSearchParams) => administered.airline.bodyOf(readForm(newRecordSpecs.airline, form))
const aircraftBody = (form: URLSearchParams) => administered.aircraft.bodyOf(readForm(newRecordSpecs.aircraft, form))

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
    const made = {
      airport: () =>
        submit({
          ...steps,
          schema: AirportWrite,
          body: airportBody(form),
          work: (body) => reference.airports.create(caller, body),
        }),
      airline: () =>
        submit({
          ...steps,
          schema: AirlineWrite,
          body: airlineBody(form),
          work: (body) => reference.airlines.create(caller, body),
        }),
      aircraft: () =>
        submit({
          ...steps,
          schema: AircraftWrite,
          body: aircraftBody(form),
          work: (body) => reference.aircraft.create(caller, body),
        }),
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
