import type { Flight } from '../../../domain/flights/contract.ts'
import type { Option } from '../framework/forms.ts'
import type { PageTexts } from '../texts/languages.ts'
import { classIcon, type IconName, reasonIcon, seatIcon } from './marks.tsx'

export const noneOption = ({ seats }: PageTexts): Option => ({ value: '', label: seats.notStated })

const optionsOf = (texts: PageTexts, labels: Record<string, string>): Option[] => [
  noneOption(texts),
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
]

export const seatOptions = (texts: PageTexts) => optionsOf(texts, texts.seats.seats)
export const classOptions = (texts: PageTexts) => optionsOf(texts, texts.seats.classes)
export const reasonOptions = (texts: PageTexts) => optionsOf(texts, texts.seats.reasons)

type Seat = Pick<Flight['passengers'][number], 'seat' | 'seatNumber' | 'seatClass' | 'flightReason'>

interface SeatFact {
  icon: IconName | null
  text: string
}

/** Such as “Seat 12A window”, “Window seat” or “Pilot”. */
export function describeSeat({ seat, seatNumber }: Partial<Seat>, { seats: t }: PageTexts): string {
  if (!seatNumber) return seat ? t.kinds[seat] : ''
  return seat ? t.numberedKinds[seat]({ number: seatNumber }) : t.numbered({ number: seatNumber })
}

/** With labels, because “Business” is both a class and a reason. */
export function seatFacts({ seat, seatNumber, seatClass, flightReason }: Seat, texts: PageTexts): SeatFact[] {
  const t = texts.seats
  const facts: SeatFact[] = []
  if (seat || seatNumber) facts.push({ icon: seat && seatIcon(seat), text: describeSeat({ seat, seatNumber }, texts) })
  if (seatClass) facts.push({ icon: classIcon(seatClass), text: t.seatClass({ seatClass: t.classes[seatClass] }) })
  if (flightReason) facts.push({ icon: reasonIcon(flightReason), text: t.reason({ reason: t.reasons[flightReason] }) })
  return facts
}
