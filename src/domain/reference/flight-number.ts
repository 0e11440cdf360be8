const MAX_INPUT_LENGTH = 40

/** Upper case, without spaces and hyphens; undefined unless 2 to 8 letters and digits remain. */
export function plainFlightNumber(written: string): string | undefined {
  if (written.length > MAX_INPUT_LENGTH) return undefined
  const plain = written.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
  return /^[A-Z0-9]{2,8}$/.test(plain) ? plain : undefined
}

export interface NumberReading {
  /** Three characters are an ICAO code, two an IATA code. */
  code: string
  number: number
  /** A letter after the number of a delayed or divided flight; the route is the same. */
  suffix: string
}

/** Splits a flight number into code and number, the longest code first. */
export function readingsOf(plain: string): NumberReading[] {
  return [3, 2].flatMap((length) => {
    const match = /^(\d{1,5})([A-Z]?)$/.exec(plain.slice(length))
    return match ? [{ code: plain.slice(0, length), number: Number(match[1]), suffix: match[2]! }] : []
  })
}

/** All spellings with these airline codes: LX14, LX014, SWR0014. */
export function spellingsOf(codes: readonly string[], { number, suffix }: NumberReading): string[] {
  const digits = [1, 2, 3, 4].map((length) => String(number).padStart(length, '0'))
  const endings = [...new Set(digits)].flatMap((text) => (suffix ? [text + suffix, text] : [text]))
  return codes.flatMap((code) => endings.map((ending) => code + ending))
}
