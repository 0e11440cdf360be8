import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import type { Flight } from '../../../../domain/flights/contract.ts'
import { Choice, Field, SelectField } from '../../components/fields.tsx'
import { classOptions, reasonOptions, seatOptions, travellerLabels } from '../../components/seat.ts'
import { CustomInput, type FormProps } from './custom-input.tsx'
import { customName } from './custom-values.ts'
import { Fold, isFaulty } from './form-fields.tsx'
import { firstOf, MOST_ROWS, notInForm, rowPrefix, rowsOf, SHOWN_AT_ONCE } from './travellers.ts'

export interface Person {
  id: string
  displayName: string
}

interface Props extends FormProps {
  people: readonly Person[]
  /** Whether others than the person alone can be named. */
  manages: boolean
  definitions: readonly CustomField[]
  addedRow: number | undefined
  stored: Flight | undefined
}

/** What a row is called in the form and in what is said about it. */
export const rowLabel = (form: URLSearchParams, row: number): string => `Traveller ${firstOf(form) + row + 1}`

function Row({ row, ...props }: Props & { row: number }) {
  const { form, faults, people, manages, definitions, addedRow } = props
  const prefix = rowPrefix(row)
  const typed = (name: string) => form.get(prefix + name) ?? ''
  const field = (name: string) => ({
    id: prefix + name,
    name: prefix + name,
    label: travellerLabels[name]!,
    fault: faults[prefix + name],
  })
  const who = [
    ...people.map(({ id, displayName }) => ({ value: id, label: displayName })),
    { value: '', label: 'A guest' },
  ]
  return (
    <div class="traveller">
      <fieldset>
        <legend>{manages ? rowLabel(form, row) : 'You'}</legend>
        <input type="hidden" name={`${prefix}id`} value={typed('id')} />
        {!manages && <input type="hidden" name={`${prefix}who`} value={typed('who')} />}
        {manages && (
          <div class="columns">
            <div class="who">
              <SelectField
                {...field('who')}
                value={typed('who')}
                options={who}
                select={{ autofocus: row === addedRow }}
              />
            </div>
            <div class="guest">
              <Field
                {...field('guestName')}
                input={{ type: 'text', value: typed('guestName'), autocomplete: 'off', maxLength: 200 }}
              />
            </div>
          </div>
        )}
        <div class="columns four">
          <SelectField {...field('seat')} value={typed('seat')} options={seatOptions} />
          <Field {...field('seatNumber')} input={{ type: 'text', value: typed('seatNumber'), autocomplete: 'off' }} />
          <SelectField {...field('seatClass')} value={typed('seatClass')} options={classOptions} />
          <SelectField {...field('flightReason')} value={typed('flightReason')} options={reasonOptions} />
        </div>
        {definitions.length > 0 && (
          <div class="columns">
            {definitions.map((definition) => (
              <CustomInput key={definition.id} {...props} prefix={prefix} definition={definition} />
            ))}
          </div>
        )}
        {manages && rowsOf(form) > 1 && (
          <Choice name={`${prefix}remove`} value="yes" checked={form.has(`${prefix}remove`)}>
            Not on this flight
          </Choice>
        )}
      </fieldset>
    </div>
  )
}

/** The way to those who are not in this form. */
function OtherParts({ form, stored, basePath }: Pick<Props, 'form' | 'basePath'> & { stored: Flight }) {
  const others = notInForm(form, stored).length
  if (others === 0) return null
  const { id, passengers } = stored
  const parts = Array.from({ length: Math.ceil(passengers.length / SHOWN_AT_ONCE) }, (_, part) => part)
  const words = (part: number) =>
    `${part * SHOWN_AT_ONCE + 1} to ${Math.min((part + 1) * SHOWN_AT_ONCE, passengers.length)}`
  return (
    <p>
      {others === 1 ? 'One other is' : `${others} others are`} on this flight and {others === 1 ? 'stays' : 'stay'} as
      they are. Save before you go on to{' '}
      {parts.map((part) => (
        <span key={part}>
          {part > 0 && ', '}
          <a href={`${basePath}/flights/${id}/edit?part=${part + 1}#passengers`}>travellers {words(part)}</a>
        </span>
      ))}
      .
    </p>
  )
}

/** Oneself alone, without a seat or a class, needs no telling. */
function isToldOf({ form, faults, definitions, addedRow, stored }: Props): boolean {
  const told = ['guestName', 'seat', 'seatNumber', 'seatClass', 'flightReason', 'remove']
  const names = [...told, ...definitions.map((definition) => customName('', definition))]
  return (
    addedRow !== undefined ||
    rowsOf(form) !== 1 ||
    (stored?.passengers.length ?? 1) > 1 ||
    definitions.some(({ required }) => required) ||
    Object.keys(faults).some((name) => name.startsWith('passengers')) ||
    names.some((name) => form.getAll(rowPrefix(0) + name).some((text) => text !== ''))
  )
}

/** Somebody with the seat. */
function nameOf({ form, people }: Props, row: number): string {
  const typed = (name: string) => form.get(rowPrefix(row) + name) ?? ''
  const name = people.find(({ id }) => id === typed('who'))?.displayName ?? typed('guestName')
  return [name.slice(0, 40), typed('seatNumber').slice(0, 10)].filter(Boolean).join(' ')
}

/** Who is on the flight: a row for each, and a button that asks the server for one more. */
export function Travellers(props: Props) {
  const { form, faults, manages, stored, basePath } = props
  const rows = rowsOf(form)
  return (
    <Fold
      title="On board"
      open={isToldOf(props)}
      holds={Array.from({ length: Math.min(rows, SHOWN_AT_ONCE) }, (_, row) => nameOf(props, row))}
      asks={props.addedRow !== undefined || isFaulty(props, ['passengers'])}
    >
      <fieldset id="passengers" tabIndex={-1} aria-describedby={faults.passengers ? 'passengers-fault' : undefined}>
        <legend class="unseen">On board</legend>
        {faults.passengers && (
          <p class="fault" id="passengers-fault">
            {faults.passengers}
          </p>
        )}
        <input type="hidden" name="first" value={String(firstOf(form))} />
        <input type="hidden" name="rows" value={String(rows)} />
        {stored && <OtherParts form={form} stored={stored} basePath={basePath} />}
        {Array.from({ length: rows }, (_, row) => (
          <Row key={row} {...props} row={row} />
        ))}
        {manages && rows < MOST_ROWS && (
          <button type="submit" name="more" value="traveller">
            Add another person
          </button>
        )}
        {manages && rows >= MOST_ROWS && <p class="hint">To add more people, save the flight first.</p>}
      </fieldset>
    </Fold>
  )
}

/** The travellers of a flight whose list cannot be changed here. */
export function FixedTravellers({ passengers }: { passengers: Flight['passengers'] }) {
  const names = passengers.slice(0, SHOWN_AT_ONCE).map(({ user, guestName }) => user?.displayName ?? guestName)
  const more = passengers.length - names.length
  return (
    <section class="card">
      <h2>On board</h2>
      <p>
        {names.join(', ')}
        {more > 0 && ` and ${more} more`}
      </p>
      <p class="hint">Your role does not include changing who is on a flight. They stay as they are.</p>
    </section>
  )
}
