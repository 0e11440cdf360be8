import type { CountryRecord } from '../../../domain/visited/contract.ts'
import { countryName } from '../../../lib/english.ts'
import type { CountryShape } from '../maps/world.ts'

export type Standing = NonNullable<CountryRecord['status']>

export const standingWords: Readonly<Record<Standing, string>> = {
  lived: 'Lived',
  visited: 'Visited',
  layover: 'Layover',
  wishlist: 'Wished for',
}

interface Props {
  shapes: readonly CountryShape[]
  size: { width: number; height: number }
  standings: ReadonlyMap<string, Standing>
  description: string
}

/** The world in the colours of where one has been; the list below it has the same in words. */
export function CountryMap({ shapes, size, standings, description }: Props) {
  const standingOf = ({ code }: CountryShape) => standings.get(code)
  const marked = shapes.filter(standingOf)
  const spots = shapes.flatMap((shape) => (standingOf(shape) && shape.spot ? [{ ...shape, ...shape.spot }] : []))
  const wordsOf = (shape: CountryShape) => `${countryName(shape.code)}: ${standingWords[standingOf(shape)!]}`
  return (
    <svg
      class="map world"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-labelledby="world-title"
      aria-describedby="world-words"
    >
      <title id="world-title">Map of the countries</title>
      <desc id="world-words">{description}</desc>
      <path
        class="land"
        d={shapes
          .filter((shape) => !standingOf(shape))
          .map(({ path }) => path)
          .join('')}
      />
      {marked.map((shape) => (
        <path key={shape.code} class={`country ${standingOf(shape)}`} d={shape.path}>
          <title>{wordsOf(shape)}</title>
        </path>
      ))}
      {spots.map((shape) => (
        <circle key={shape.code} class={`country ${standingOf(shape)}`} cx={shape.x} cy={shape.y} r="4">
          <title>{wordsOf(shape)}</title>
        </circle>
      ))}
    </svg>
  )
}
