interface Leg {
  booking?: string
  /** Airports and airline: `ZRHLHRLX`. */
  route: string
  number: string
  day: string
  cabin?: string
  seat?: string
  /** Conditional fields of each leg: the ticket, the frequent flyer number and so on. */
  ticket?: string
  airlineUse?: string
}

interface Pass {
  name: string
  legs: Leg[]
  /** The last digit of the year and the number of the day of issue. */
  issue?: string
  security?: string
}

const sized = (text: string) => text.length.toString(16).toUpperCase().padStart(2, '0') + text

/** The text of a boarding pass barcode (IATA Resolution 792). */
export function passText({ name, legs, issue, security }: Pass): string {
  const written = legs.map((leg, index) => {
    const { booking = 'QX7B2M', route, number, day, cabin = 'Y', seat = '012A', ticket, airlineUse = '' } = leg
    const unique = index === 0 && issue !== undefined ? `>6${sized(`1WW${issue}BLX 0014123456003`)}` : ''
    const repeated = ticket === undefined ? '' : sized(ticket)
    const conditional = unique + repeated + airlineUse
    const carrier = route.slice(6).padEnd(3)
    return `${booking.padEnd(7)}${route.slice(0, 6)}${carrier}${number.padEnd(5)}${day}${cabin}${seat}0042 1${sized(conditional)}`
  })
  const end = security === undefined ? '' : `^1${sized(security)}`
  return `M${legs.length}${name.padEnd(20).slice(0, 20)}E${written.join('')}${end}`
}
