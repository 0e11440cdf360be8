import { Legend, PartsDrawing, type PartsProps } from '../../../components/shares.tsx'

const ROWS = 22
const [FIRST_X, ROW_WIDTH, SEAT_WIDTH, SEAT_HEIGHT] = [106, 22.5, 14, 11]

/** The seats on both sides of the aisle, from the top of the sketch. */
const lanes = { window: [24, 122], middle: [42, 104], aisle: [60, 86] } as const

/** In the cockpit. */
const crewSeats = { pilot: [46, 90], copilot: [46, 56], jumpseat: [70, 73] } as const

export const seatColours: Readonly<Record<string, number>> = {
  window: 1,
  middle: 3,
  aisle: 2,
  pilot: 5,
  copilot: 4,
  jumpseat: 6,
  other: 8,
}

/** The corners are rounded by the line join of a stroke. */
const seat = (x: number, y: number) => `M${x} ${y}h${SEAT_WIDTH}v${SEAT_HEIGHT}h-${SEAT_WIDTH}z`

const seatsIn = (ys: readonly number[], from: number, to: number) =>
  ys
    .flatMap((y) => Array.from({ length: to - from }, (_, index) => seat(FIRST_X + (from + index) * ROW_WIDTH, y)))
    .join('')

interface Props extends PartsProps {
  /** The kind of seat of each bar; null for unknown ones. */
  keys: readonly (string | null)[]
}

/** A cabin from above: of its rows, as many seats are filled as their share of the known flights. */
export function Cabin({ id, title, bars, keys }: Props) {
  const known = new Map(bars.flatMap(({ flights }, index) => (keys[index] === null ? [] : [[keys[index], flights]])))
  const sum = [...known.values()].reduce((total, flights) => total + flights, 0)
  const filled = (key: string) =>
    Math.ceil(((known.get(key) ?? 0) / Math.max(1, sum)) * ROWS - 0.5) || Number(known.has(key))
  return (
    <>
      <PartsDrawing class="cabin" viewBox="0 0 640 160" {...{ id, title, bars }}>
        <path class="hull" d="M92 8C40 8 6 48 6 80s34 72 86 72h508q24 0 32-22V30q-8-22-32-22z" />
        <path class="door" d="M92 8v144M24 62q14 18 0 36" />
        {Object.entries(lanes).map(([key, ys]) => (
          <g key={key}>
            <path class={`part colour-${seatColours[key]}`} d={seatsIn(ys, 0, filled(key))} />
            <path class="vacant" d={seatsIn(ys, filled(key), ROWS)} />
          </g>
        ))}
        {Object.entries(crewSeats).map(([key, [x, y]]) => (
          <path key={key} class={known.has(key) ? `part colour-${seatColours[key]}` : 'vacant'} d={seat(x, y)} />
        ))}
      </PartsDrawing>
      <Legend bars={bars} />
    </>
  )
}
