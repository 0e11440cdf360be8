import type { Flight } from '../../../domain/flights/contract.ts'

export const NONE = { value: '', label: 'Not stated' }

export const seatOptions = [
  NONE,
  { value: 'window', label: 'Window' },
  { value: 'aisle', label: 'Aisle' },
  { value: 'middle', label: 'Middle' },
  { value: 'pilot', label: 'Pilot' },
  { value: 'copilot', label: 'Co-pilot' },
  { value: 'jumpseat', label: 'Jump seat' },
  { value: 'other', label: 'Other' },
]
export const classOptions = [
  NONE,
  { value: 'economy', label: 'Economy' },
  { value: 'economy+', label: 'Premium economy' },
  { value: 'business', label: 'Business' },
  { value: 'first', label: 'First' },
  { value: 'private', label: 'Private' },
]
export const reasonOptions = [
  NONE,
  { value: 'leisure', label: 'Leisure' },
  { value: 'business', label: 'Business' },
  { value: 'crew', label: 'Crew' },
  { value: 'other', label: 'Other' },
]

export const wordOf = (options: readonly { value: string; label: string }[], value: string | null | undefined) =>
  value ? options.find((option) => option.value === value)?.label : undefined

/** One's place in a line of words: “Seat 12A window”, “Window seat”, “Pilot”. */
export function seatWords({ seat, seatNumber }: { seat?: string | null; seatNumber?: string | null }): string {
  const kind = wordOf(seatOptions, seat)
  if (seatNumber) return ['Seat', seatNumber, kind?.toLowerCase()].filter(Boolean).join(' ')
  if (kind === undefined) return ''
  return ['window', 'aisle', 'middle', 'other'].includes(seat ?? '') ? `${kind} seat` : kind
}

type Seat = Pick<Flight['passengers'][number], 'seat' | 'seatNumber' | 'seatClass' | 'flightReason'>

/** “Business” is a class and a reason, so each of them is labelled. */
export function labelledSeat({ seat, seatNumber, seatClass, flightReason }: Seat): string[] {
  const [inClass, reason] = [wordOf(classOptions, seatClass), wordOf(reasonOptions, flightReason)]
  return [
    seatWords({ seat, seatNumber }),
    inClass ? `${travellerLabels.seatClass}: ${inClass}` : '',
    reason ? `${travellerLabels.flightReason}: ${reason}` : '',
  ].filter(Boolean)
}

export const travellerLabels: Record<string, string> = {
  who: 'Who',
  guestName: 'Name of the guest',
  seat: 'Seat',
  seatNumber: 'Seat number',
  seatClass: 'Class',
  flightReason: 'Reason',
}
