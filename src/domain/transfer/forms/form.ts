import type { Flight } from '../../flights/contract.ts'
import { codeOf } from '../../reference/contract.ts'

export type Point = [longitude: number, latitude: number, altitude?: number]

/** A flight on its way into a file. */
export interface LoggedFlight {
  flight: Flight
  /** Whose log it is. */
  userId: string
  baseUrl: string
  /** Only for forms that draw. */
  track: readonly Point[] | undefined
}

/** How the flights of a log become one file: pure, a piece of text at a time. */
export interface FileForm {
  extension: string
  type: string
  draws: boolean
  open: (title: string) => string
  /** Nothing for a flight that the form cannot tell. */
  flight: (logged: LoggedFlight) => Iterable<string>
  between: string
  close: string
}

export const routeName = ({ flightNumber, from, to }: Flight): string =>
  [flightNumber, codeOf(from), '–', codeOf(to)].filter(Boolean).join(' ')

const POINTS_AT_ONCE = 1_000

/** Long lists of points leave some at a time. */
export function* pointPieces(
  points: readonly Point[],
  write: (some: readonly Point[]) => string,
  between: string,
): Generator<string> {
  for (let from = 0; from < points.length; from += POINTS_AT_ONCE) {
    yield (from === 0 ? '' : between) + write(points.slice(from, from + POINTS_AT_ONCE))
  }
}
