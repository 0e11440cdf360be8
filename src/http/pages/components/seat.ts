import type { Flight } from '../../../domain/flights/contract.ts'

export const NONE = { value: '', label: 'Not stated' }

const optionsOf = (labels: Record<string, string>) => [
  NONE,
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
]

export const seatOptions = optionsOf({
  window: 'Window',
  aisle: 'Aisle',
  middle: 'Middle',
  pilot: 'Pilot',
  copilot: 'Co-pilot',
  jumpseat: 'Jump seat',
  other: 'Other',
})
export const classOptions = optionsOf({
  economy: 'Economy',
  'economy+': 'Premium economy',
  business: 'Business',
  first: 'First',
  private: 'Private',
})
export const reasonOptions = optionsOf({ leisure: 'Leisure', business: 'Business', crew: 'Crew', other: 'Other' })

export const wordOf = (options: readonly { value: string; label: string }[], value: string | null | undefined) =>
  value ? options.find((option) => option.value === value)?.label : undefined

/** Such as “Seat 12A window”, “Window seat” or “Pilot”. */
export function seatWords({ seat, seatNumber }: { seat?: string | null; seatNumber?: string | null }): string {
  const kind = wordOf(seatOptions, seat)
  if (seatNumber) return ['Seat', seatNumber, kind?.toLowerCase()].filter(Boolean).join(' ')
  if (kind === undefined) return ''
  return ['window', 'aisle', 'middle', 'other'].includes(seat ?? '') ? `${kind} seat` : kind
}

type Seat = Pick<Flight['passengers'][number], 'seat' | 'seatNumber' | 'seatClass' | 'flightReason'>

/** With labels, because “Business” is both a class and a reason. */
export function labelledSeat({ seat, seatNumber, seatClass, flightReason }: Seat): string[] {
  const cabin = wordOf(classOptions, seatClass)
  const reason = wordOf(reasonOptions, flightReason)
  const facts = [seatWords({ seat, seatNumber }), cabin && `Class: ${cabin}`, reason && `Reason: ${reason}`]
  return facts.filter((fact): fact is string => Boolean(fact))
}

export const travellerLabels: Record<string, string> = {
  who: 'Who',
  guestName: 'Guest name',
  seat: 'Seat',
  seatNumber: 'Seat number',
  seatClass: 'Class',
  flightReason: 'Reason',
}
