import type { Flight } from '../../../../domain/flights/contract.ts'
import type { PageContext } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { mapData } from '../../maps/data.ts'
import { heightParts, heightScales } from '../../maps/heights.ts'
import type { MapChoice } from '../../maps/map-choice.ts'
import { drawOnce } from '../../maps/maps.ts'
import { mapPlace } from '../../maps/plan.ts'

const MAX_POINTS = 2_000
/** Height limits of the map, for flights along a meridian. */
const LIMITS = { least: 460, most: 520 }

/** The map of one flight: its great circle, or its track in the colours of its heights. */
export function flightMaps({ tracks }: Pick<PageContext, 'tracks'>) {
  async function partsOf({ id, from, to, track }: Flight, { heightUnit }: Formats) {
    const points = track ? await tracks.points(id, MAX_POINTS) : []
    const heights = heightParts(points, heightScales[heightUnit])
    const line = points.map(([longitude, latitude]): [number, number] => [longitude, latitude])
    return {
      routes: [{ from: mapPlace(from), to: mapPlace(to), count: 1 }],
      // A track without heights has one colour.
      tracks: heights.length > 0 || line.length === 0 ? [] : [line],
      heights,
    }
  }

  return {
    async drawing(flight: Flight, formats: Formats, choice: MapChoice) {
      const { heights, ...drawn } = await partsOf(flight, formats)
      return drawOnce(drawn, { ...choice, heights, limits: LIMITS })
    },
    /** The same for the script of the map. */
    async data(flight: Flight, formats: Formats): Promise<string> {
      const { routes, tracks: lines, heights } = await partsOf(flight, formats)
      const ends: [number, number] = [flight.from.id, flight.to.id]
      const flown = [...lines.map((line) => ({ line })), ...heights].map((part) => ({ ...part, ends }))
      const day = { date: flight.date, precision: flight.datePrecision }
      return mapData([{ ...routes[0]!, first: day, last: day }], flown, { formats })
    },
  }
}
