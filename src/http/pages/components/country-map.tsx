import type { CountryRecord } from '../../../domain/visited/contract.ts'
import { useTexts } from '../framework/localization.ts'
import type { CountryShape } from '../maps/world.ts'

export type CountryStatus = NonNullable<CountryRecord['status']>

interface Props {
  shapes: readonly CountryShape[]
  size: { width: number; height: number }
  statuses: ReadonlyMap<string, CountryStatus>
  description: string
}

export function CountryMap({ shapes, size, statuses, description }: Props) {
  const { countries: t, names } = useTexts()
  const statusOf = ({ code }: CountryShape) => statuses.get(code)
  const { marked = [], unmarked = [] } = Object.groupBy(shapes, (shape) => (statusOf(shape) ? 'marked' : 'unmarked'))
  const titleOf = (shape: CountryShape) =>
    t.countryStatus({ country: names.country(shape.code), status: t.statuses[statusOf(shape)!] })
  return (
    <svg
      class="map world"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-labelledby="world-title"
      aria-describedby="world-words"
    >
      <title id="world-title">{t.mapOfCountries}</title>
      <desc id="world-words">{description}</desc>
      <path class="land" d={unmarked.map(({ path }) => path).join('')} />
      {marked.map((shape) => (
        <path key={shape.code} class={`country status-${statusOf(shape)}`} d={shape.path}>
          <title>{titleOf(shape)}</title>
        </path>
      ))}
      {marked.map(
        (shape) =>
          shape.spot && (
            <circle
              key={shape.code}
              class={`country status-${statusOf(shape)}`}
              cx={shape.spot.x}
              cy={shape.spot.y}
              r="4"
            >
              <title>{titleOf(shape)}</title>
            </circle>
          ),
      )}
    </svg>
  )
}
