import type { MissingAirport } from '../../../../domain/transfer/preview.ts'
import type { Option } from '../../components/lookup.ts'
import { LookupField } from '../../components/lookup-field.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Faults } from '../../framework/forms.ts'
import { type ImportNote, placeField } from './import-steps.ts'

export interface MissingProps {
  note: ImportNote
  form: URLSearchParams
  faults: Faults
  /** What was found for a text that means several. */
  options: Record<string, readonly Option[]>
  nameOf: (airportId: number) => string
  may: { restore: boolean; make: boolean }
}

type Props = MissingProps & Pick<Frame, 'basePath' | 'formats'>

/** The form of a new airport, filled with what the file tells of it, and the way back here. */
function makeAddress(basePath: string, { code, by, record }: MissingAirport): string {
  const facts = record ?? { [by === 'icao' || code.length > 3 ? 'icao' : 'iata']: code }
  const query = new URLSearchParams({ next: `${basePath}/import/check` })
  for (const [name, value] of Object.entries(facts)) if (value !== null) query.set(name, String(value))
  return `${basePath}/admin/reference/airports/new?${query}`
}

/** How the flights that lack an airport can still come in. */
function Word({ note, may, describes }: Pick<Props, 'note' | 'may'> & { describes: number }) {
  const isBackup = note.seen?.preview.format === 'backup' && note.choices.mode === ''
  if (!isBackup || describes === 0) return null
  return (
    <p class="warning">
      {may.make
        ? 'The file describes these airports: make them below, and their flights come in too.'
        : 'The file describes these airports. Whoever administers this instance can make them, or restore the whole backup, which makes them by itself.'}
      {may.make && may.restore && ' Restoring the whole backup makes them by itself.'}
    </p>
  )
}

/** Flights that fail for want of an airport: make it, or name the one that is meant. */
export function MissingAirports({ basePath, note, form, faults, options, nameOf, may, formats }: Props) {
  const { missing, moreMissing } = note.seen!.preview
  const chosen = Object.entries(note.airports)
  const describes = missing.filter(({ record }) => record !== null).length
  if (missing.length === 0 && chosen.length === 0) return null
  return (
    <fieldset class="missing" id="missing">
      <legend>Airports that are not known here</legend>
      {chosen.length > 0 && (
        <p>
          {chosen.map(([code, id]) => `${code} is taken for ${nameOf(id)}. `)}
          <button class="plain" type="submit" name="do" value="forget">
            Undo
          </button>
        </p>
      )}
      <Word note={note} may={may} describes={describes} />
      {missing.map((airport) => {
        const { code, rows, record } = airport
        const name = placeField(code)
        return (
          <div key={code} class="place">
            <LookupField
              basePath={basePath}
              kind="airport"
              name={name}
              label={`${code}: another airport in its place`}
              hint={
                <span dir="auto">
                  {formats.flights(rows)} {rows === 1 ? 'needs' : 'need'} it.
                  {record && ` The file calls it ${record.name}.`}
                </span>
              }
              form={form}
              fault={faults[name]}
              options={options[name]}
            />
            {may.make && <a href={makeAddress(basePath, airport)}>Make the airport {code}</a>}
          </div>
        )
      })}
      {moreMissing > 0 && <p class="quiet">And {formats.count(moreMissing)} more airports.</p>}
      {missing.length > 0 && (
        <p class="actions">
          <button type="submit" name="do" value="check">
            Check again
          </button>{' '}
          {may.make && describes > 0 && (
            <button type="submit" name="do" value="make">
              Make {describes === 1 ? 'the airport' : `the ${describes} airports`} that the file describes
            </button>
          )}
        </p>
      )}
    </fieldset>
  )
}
