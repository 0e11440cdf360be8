import { LngLat } from 'maplibre/geo/lng_lat.ts'

/** The width of the server's picture. */
const PICTURE_WIDTH = 1000
/** The width of a whole globe, relative to the height of the picture; as in `atlas.css`. */
const WHOLE_GLOBE_RATIO = 0.95
/** The distance of the camera in heights of the picture. */
const CAMERA_HEIGHTS = 1.5
const TILE_SIZE = 512
const DEGREES = 180 / Math.PI

/** The camera with which the map looks like the picture in the same element. */
export function cameraOf({ centre, scale, height: pictureHeight, isWhole }, { width, height }) {
  const factor = isWhole
    ? Math.min(height, width / WHOLE_GLOBE_RATIO) / pictureHeight
    : Math.min(width / PICTURE_WIDTH, height / pictureHeight)
  return {
    center: centre,
    zoom: Math.log2((2 * Math.PI * scale * factor) / TILE_SIZE),
    fieldOfView: 2 * Math.atan(height / 2 / (CAMERA_HEIGHTS * pictureHeight * factor)) * DEGREES,
  }
}

const MAX_LATITUDE = 85.05
const toY = (latitude) => 0.5 - Math.asinh(Math.tan(latitude / DEGREES)) / (2 * Math.PI)
const toLatitude = (y) => Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * DEGREES
const clamp = (value, least, most) => Math.max(least, Math.min(most, value))

/** Keeps the flat world in the map without enlarging it to the height of the map. */
export function constrain(map, projection) {
  return ({ lng, lat }, zoom) => {
    const atZoom = clamp(Number(zoom), map.getMinZoom(), map.getMaxZoom())
    const latitude = clamp(lat, -MAX_LATITUDE, MAX_LATITUDE)
    if (projection() === 'globe') return { center: new LngLat(lng, latitude), zoom: atZoom }
    const half = map.getContainer().clientHeight / 2 / (TILE_SIZE * 2 ** atZoom)
    const y = clamp(toY(latitude), Math.min(half, 1 - half), Math.max(half, 1 - half))
    return { center: new LngLat(lng, toLatitude(y)), zoom: atZoom }
  }
}
