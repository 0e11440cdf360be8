import type { Point as GeoPoint, MultiPolygon, Polygon, Position } from 'geojson'
import polylabel from 'polylabel'
import type { Language } from '../../../../lib/languages.ts'
import type { MapLabels } from '../map-labels.ts'
import { readGeoJson } from './layers.ts'

type Names = { name: string } & { [Key in `name_${Language}`]?: string }

type Place = [longitude: number, latitude: number]

/** In the open ocean, away from usual routes between continents. */
const oceans: Readonly<Record<string, Place>> = {
  'Arctic Ocean': [-165, 79],
  'North Atlantic Ocean': [-42, 29],
  'South Atlantic Ocean': [-16, -26],
  'North Pacific Ocean': [-158, 30],
  'South Pacific Ocean': [-122, -27],
  'INDIAN OCEAN': [78, -23],
  'SOUTHERN OCEAN': [95, -59],
}

/** Not useful as labels of a map of flights. */
const LEFT_OUT = new Set(['river', 'reef', 'sound'])

const MAX_SEA_RANK = 4

const area = (ring: readonly Position[]) =>
  Math.abs(ring.reduce((sum, [x, y], index) => sum + x! * ring.at(index - 1)![1]! - ring.at(index - 1)![0]! * y!, 0))

/** The point of a sea that is farthest from its coasts. */
function middleOf(geometry: Polygon | MultiPolygon): Place {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const [largest] = polygons.toSorted((a, b) => area(b[0]!) - area(a[0]!))
  const [x, y] = polylabel(largest as [number, number][][], 0.1)
  return [x!, y!]
}

const rounded = (place: Place) => place.map((degrees) => Math.round(degrees * 100) / 100) as Place

const capitalized = (name: string) => name.charAt(0).toLocaleUpperCase() + name.slice(1)

const namedSeas: Readonly<Record<string, string>> = {
  'North Atlantic Ocean': 'Atlantic Ocean',
  'South Atlantic Ocean': 'Atlantic Ocean',
  'North Pacific Ocean': 'Pacific Ocean',
  'South Pacific Ocean': 'Pacific Ocean',
  'INDIAN OCEAN': 'Indian Ocean',
  'SOUTHERN OCEAN': 'Southern Ocean',
}

export function labelsIn(folder: string, language: Language): MapLabels {
  const nameOf = (names: Names) => capitalized(names[`name_${language}`] ?? namedSeas[names.name] ?? names.name)
  const seas = readGeoJson<Polygon | MultiPolygon, Names & { scalerank: number; featurecla: string }>(folder, 'seas')
    .filter(({ properties }) => !LEFT_OUT.has(properties.featurecla) && properties.scalerank <= MAX_SEA_RANK)
    .map(({ properties, geometry }): MapLabels['seas'][number] => [
      nameOf(properties),
      ...rounded(oceans[properties.name] ?? middleOf(geometry)),
      properties.scalerank,
    ])
  const countries = readGeoJson<GeoPoint, Names & { min_label: number; labelrank: number }>(folder, 'country-labels')
    .toSorted((a, b) => a.properties.min_label - b.properties.min_label)
    .map(({ properties, geometry }): MapLabels['countries'][number] => [
      nameOf(properties),
      ...rounded(geometry.coordinates as Place),
      properties.min_label,
    ])
  const cities = readGeoJson<GeoPoint, Names & { scalerank: number; adm0cap: number; pop_max: number }>(
    folder,
    'cities',
  )
    .toSorted((a, b) => a.properties.scalerank - b.properties.scalerank || b.properties.pop_max - a.properties.pop_max)
    .map(({ properties, geometry }): MapLabels['cities'][number] => [
      nameOf(properties),
      ...rounded(geometry.coordinates as Place),
      properties.scalerank,
      properties.adm0cap === 1 ? 1 : 0,
    ])
  return { seas, countries, cities }
}
