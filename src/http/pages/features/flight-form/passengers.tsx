import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import type { Flight, Passenger } from '../../../../domain/flights/contract.ts'
import { Choice, Field, SelectField } from '../../components/fields.tsx'
import type { Lookup } from '../../components/lookup.ts'
import { classOptions, reasonOptions, seatOptions } from '../../components/seat.ts'
import { fieldOf } from '../../framework/form.ts'
import type { Option } from '../../framework/forms.ts'
import { useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { CustomInput, customName, readCustomValues, showCustomValues } from './custom-fields.tsx'
import type { FormProps } from './fields.tsx'
import { addFieldError, type Reading, readText } from './reading.ts'

/** A form shows this many passengers of a flight; the others stay unchanged. */
export const PAGE_SIZE = 20
export const MAX_ROWS = 2 * PAGE_SIZE

export const rowPrefix = (row: number): string => `passengers.${row}.`

const countIn = (form: URLSearchParams, name: string) => Math.max(Math.trunc(Number(fieldOf(form, name))) || 0, 0)

export const rowCount = (form: URLSearchParams): number => Math.min(countIn(form, 'rows'), MAX_ROWS)

const firstIndex = (form: URLSearchParams): number => countIn(form, 'first')

const seatFields = ['guestName', 'seat', 'seatNumber', 'seatClass', 'flightReason'] as const

export type ShownPassenger = Pick<Passenger, 'user' | (typeof seatFields)[number]> & {
  id?: number
  customFields: Record<string, unknown>
}

export function showPassengers(
  form: URLSearchParams,
  passengers: readonly ShownPassenger[],
  definitions: readonly CustomField[],
  lookup: Lookup,
  first = 0,
): void {
  const shown = passengers.slice(first, first + PAGE_SIZE)
  form.set('first', String(first))
  form.set('rows', String(shown.length))
  for (const [row, passenger] of shown.entries()) {
    const prefix = rowPrefix(row)
    form.set(`${prefix}id`, String(passenger.id ?? ''))
    form.set(`${prefix}who`, passenger.user?.id ?? '')
    for (const name of seatFields) form.set(prefix + name, passenger[name] ?? '')
    showCustomValues(form, prefix, definitions, passenger.customFields, lookup)
  }
}

/** Passengers of the stored flight that are on another page of the form or were added meanwhile. */
function notInForm(form: URLSearchParams, stored: Flight | undefined): Passenger[] {
  const ids = new Set(Array.from({ length: rowCount(form) }, (_, row) => Number(fieldOf(form, `${rowPrefix(row)}id`))))
  return stored?.passengers.filter(({ id }) => !ids.has(id)) ?? []
}

/** Without `customFields`, which then stay as stored. */
const unchanged = ({ id, user, guestName, seat, seatNumber, seatClass, flightReason }: Passenger) => ({
  ...{ id, guestName, seat, seatNumber, seatClass, flightReason },
  userId: user?.id ?? null,
})

/** The passengers for the request body, and the row of each in the form. */
export async function readPassengers(
  reading: Reading,
  definitions: readonly CustomField[],
  stored: Flight | undefined,
): Promise<{ passengers: unknown[]; rows: number[] }> {
  const { form, texts } = reading
  const passengers: unknown[] = []
  const rows: number[] = []
  for (let row = 0; row < rowCount(form); row++) {
    const prefix = rowPrefix(row)
    const isBlank = ['id', 'who', ...seatFields].every((name) => fieldOf(form, prefix + name).trim() === '')
    if (form.has(`${prefix}remove`) || isBlank) continue
    const id = Number(fieldOf(form, `${prefix}id`))
    const before = stored?.passengers.find((passenger) => passenger.id === id)
    const orNull = (name: string) => fieldOf(form, prefix + name) || null
    const userId = orNull('who')
    const guestName = fieldOf(form, `${prefix}guestName`).trim()
    if (userId === null && guestName === '') addFieldError(reading, `${prefix}guestName`, texts.enterGuest)
    rows.push(row)
    passengers.push({
      ...(id > 0 && { id }),
      userId,
      guestName: userId === null ? guestName : null,
      seat: orNull('seat'),
      seatNumber: readText(form, `${prefix}seatNumber`, before?.seatNumber),
      seatClass: orNull('seatClass'),
      flightReason: orNull('flightReason'),
      customFields: await readCustomValues(reading, prefix, definitions, before?.customFields),
    })
  }
  if (countIn(form, 'rows') > MAX_ROWS) {
    addFieldError(reading, 'passengers', texts.tooManyPassengers({ count: MAX_ROWS }))
  }
  passengers.push(...notInForm(form, stored).map(unchanged))
  if (passengers.length === 0) addFieldError(reading, 'passengers', texts.noPassenger)
  return { passengers, rows }
}

export interface Person {
  id: string
  displayName: string
}

export interface PassengersProps extends FormProps {
  people: readonly Person[]
  /** The id of the user who fills in the form. */
  author: string
  /** Whether the user may add other people. */
  canManage: boolean
  definitions: readonly CustomField[]
  addedRow: number | undefined
  stored: Flight | undefined
}

export const rowNumber = (form: URLSearchParams, row: number): number => firstIndex(form) + row + 1

/** The row of the user who fills in the form. */
export function ownRow(form: URLSearchParams, author: string): number | undefined {
  const rows = Array.from({ length: rowCount(form) }, (_, row) => row)
  return rows.find((row) => fieldOf(form, `${rowPrefix(row)}who`) === author)
}

function rowFields({ form, fieldErrors }: FormProps, row: number, { seats }: PageTexts) {
  const labels: Record<string, string> = seats.labels
  const prefix = rowPrefix(row)
  const field = (name: string) => ({
    id: prefix + name,
    name: prefix + name,
    label: labels[name]!,
    fieldError: fieldErrors[prefix + name],
  })
  const typed = (name: string) => form.get(prefix + name) ?? ''
  return {
    typed,
    text: (name: string, maxLength?: number) => (
      <Field {...field(name)} input={{ type: 'text', value: typed(name), autocomplete: 'off', maxLength }} />
    ),
    select: (name: string, options: readonly Option[], autofocus = false) => (
      <SelectField {...field(name)} value={typed(name)} options={options} select={{ autofocus }} />
    ),
  }
}

export function SeatFields({ row, ...props }: FormProps & { row: number }) {
  const texts = useTexts()
  const { text, select } = rowFields(props, row, texts)
  return (
    <div class="columns four">
      {select('seat', seatOptions(texts))}
      {text('seatNumber')}
      {select('seatClass', classOptions(texts))}
      {select('flightReason', reasonOptions(texts))}
    </div>
  )
}

function Row({ row, ...props }: PassengersProps & { row: number }) {
  const texts = useTexts()
  const t = texts.flightForm
  const { form, people, author, canManage, definitions, addedRow } = props
  const prefix = rowPrefix(row)
  const { typed, text, select } = rowFields(props, row, texts)
  const isOwn = row === ownRow(form, author)
  const who = [
    ...people.map(({ id, displayName }) => ({ value: id, label: displayName })),
    { value: '', label: t.guest },
  ]
  const hidden = (
    <>
      <input type="hidden" name={`${prefix}id`} value={typed('id')} />
      {!canManage && <input type="hidden" name={`${prefix}who`} value={typed('who')} />}
    </>
  )
  // The seat of the user is among the essential fields.
  if (isOwn && !canManage && definitions.length === 0) return hidden
  return (
    <div class="traveller">
      <fieldset>
        <legend>{canManage ? t.passenger({ number: rowNumber(form, row) }) : t.you}</legend>
        {hidden}
        {canManage && (
          <div class="columns">
            <div class="person">{select('who', who, row === addedRow)}</div>
            <div class="guest">{text('guestName', 200)}</div>
          </div>
        )}
        {!isOwn && <SeatFields {...props} row={row} />}
        {definitions.length > 0 && (
          <div class="columns">
            {definitions.map((definition) => (
              <CustomInput key={definition.id} {...props} prefix={prefix} definition={definition} />
            ))}
          </div>
        )}
        {canManage && rowCount(form) > 1 && (
          <Choice name={`${prefix}remove`} value="yes" checked={form.has(`${prefix}remove`)}>
            {t.removePassenger}
          </Choice>
        )}
      </fieldset>
    </div>
  )
}

function OtherPages({ form, stored, basePath }: Pick<PassengersProps, 'form' | 'basePath'> & { stored: Flight }) {
  const t = useTexts().flightForm
  const others = notInForm(form, stored).length
  if (others === 0) return null
  const { id, passengers } = stored
  const pages = Array.from({ length: Math.ceil(passengers.length / PAGE_SIZE) }, (_, page) => page)
  const links = pages.map((page) => (
    <span key={page}>
      {page > 0 && ', '}
      <a href={`${basePath}/flights/${id}/edit?part=${page + 1}#passengers`}>
        {t.passengerRange({
          first: page * PAGE_SIZE + 1,
          last: Math.min((page + 1) * PAGE_SIZE, passengers.length),
        })}
      </a>
    </span>
  ))
  return (
    <p>
      {t.otherPassengers({ count: others })} {t.saveBefore({ pages: () => <>{links}</> })}
    </p>
  )
}

export function passengersNeedAttention(props: PassengersProps): boolean {
  const { addedRow, definitions, form, author, fieldErrors } = props
  const own = ownRow(form, author)
  const isVisible = (name: string) =>
    !seatFields.some((seatField) => own !== undefined && name === rowPrefix(own) + seatField)
  return (
    addedRow !== undefined ||
    definitions.some(({ required }) => required) ||
    Object.keys(fieldErrors).some((name) => name.startsWith('passengers') && isVisible(name))
  )
}

/** Whether there is more than the user and their seat. */
export function hasOtherPassengers({ form, author, stored, definitions }: PassengersProps): boolean {
  const names = definitions.map((definition) => customName('', definition))
  return (
    rowCount(form) > 1 ||
    (stored?.passengers.length ?? 1) > 1 ||
    ownRow(form, author) === undefined ||
    names.some((name) => form.getAll(rowPrefix(0) + name).some(Boolean))
  )
}

export function passengerNames({ form, people }: PassengersProps): string[] {
  const rows = Array.from({ length: rowCount(form) }, (_, row) => row)
  return rows.slice(0, PAGE_SIZE).map((row) => {
    const typed = (name: string) => form.get(rowPrefix(row) + name) ?? ''
    const name = people.find(({ id }) => id === typed('who'))?.displayName ?? typed('guestName')
    return `${name.slice(0, 40)} ${typed('seatNumber').slice(0, 10)}`
  })
}

export function Passengers(props: PassengersProps) {
  const t = useTexts().flightForm
  const { form, fieldErrors, canManage, stored, basePath } = props
  const rows = Array.from({ length: rowCount(form) }, (_, row) => row)
  return (
    <fieldset id="passengers" tabIndex={-1} aria-describedby={fieldErrors.passengers ? 'passengers-error' : undefined}>
      <legend class="unseen">{t.fields.passengers}</legend>
      {fieldErrors.passengers && (
        <p class="field-error" id="passengers-error">
          {fieldErrors.passengers}
        </p>
      )}
      <input type="hidden" name="first" value={String(firstIndex(form))} />
      <input type="hidden" name="rows" value={String(rows.length)} />
      {stored && <OtherPages form={form} stored={stored} basePath={basePath} />}
      {rows.map((row) => (
        <Row key={row} {...props} row={row} />
      ))}
      {canManage && rows.length < MAX_ROWS && (
        <button type="submit" name="more" value="traveller">
          {t.addPassenger}
        </button>
      )}
      {canManage && rows.length >= MAX_ROWS && <p class="hint">{t.saveToAddMore}</p>}
    </fieldset>
  )
}

export function FixedPassengers({ passengers }: { passengers: Flight['passengers'] }) {
  const { flightForm: t, names } = useTexts()
  const shown = passengers.slice(0, PAGE_SIZE)
  const people = shown.map(({ user, guestName }) => user?.displayName ?? guestName ?? '')
  const more = passengers.length - shown.length
  return (
    <section>
      <h3>{t.fields.passengers}</h3>
      <p>{more > 0 ? t.morePassengers({ names: people.join(', '), count: more }) : names.list(people)}</p>
      <p class="hint">{t.fixedPassengers}</p>
    </section>
  )
}
