import { feature, mesh } from 'topojson-client'

async function fetchFile(address) {
  const response = await fetch(address, { redirect: 'error' })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return response
}

export const fetchJson = async (address) => (await fetchFile(address)).json()

const isCut = ([longitude, latitude]) => Math.abs(longitude) > 179.98 || latitude < -89.9

/** The outlines of land without the cuts at the antimeridian. */
function coastOf(topology) {
  const lines = []
  for (const line of mesh(topology, topology.objects.land).coordinates) {
    let part = []
    for (const [index, point] of line.entries()) {
      if (index > 0 && isCut(point) && isCut(line[index - 1])) {
        if (part.length > 1) lines.push(part)
        part = []
      }
      part.push(point)
    }
    if (part.length > 1) lines.push(part)
  }
  return { type: 'MultiLineString', coordinates: lines }
}

/** MapLibre reads GeoJSON only. */
export async function readWorld(address) {
  const topology = await fetchJson(address)
  const layers = Object.keys(topology.objects).map((name) => [name, feature(topology, topology.objects[name])])
  return { ...Object.fromEntries(layers), ...(topology.objects.land && { coast: coastOf(topology) }) }
}

const FONT = 'Inter Variable'

/** MapLibre derives weight and slant from the name, and looks for a family of the whole name. */
export const fontNames = {
  regular: FONT,
  medium: `${FONT} Medium`,
  semiBold: `${FONT} SemiBold`,
  italic: `${FONT} Italic`,
}

const EXTENDED = 'U+0100-02BA,U+1E00-1E9F,U+1EF2-1EFF'

/** The font of the labels. Other scripts use a font of the system. */
export async function loadFonts(paths) {
  try {
    const files = await Promise.all(paths.map(async (path) => (await fetchFile(path)).arrayBuffer()))
    for (const name of Object.values(fontNames)) {
      for (const [index, file] of files.entries()) {
        const range = index > 0 && { unicodeRange: EXTENDED }
        document.fonts.add(await new FontFace(name, file, { weight: '100 900', ...range }).load())
      }
    }
  } catch {
    // Labels in another font are still readable.
  }
}

const point = (coordinates, properties) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates },
})

export const placeLabels = ({ seas, countries, cities }) => ({
  type: 'FeatureCollection',
  features: [
    ...seas.map(([name, x, y, rank]) => point([x, y], { kind: rank === 0 ? 'ocean' : 'sea', name, rank })),
    ...countries.map(([name, x, y, zoom]) => point([x, y], { kind: 'country', name, rank: zoom })),
    ...cities.map(([name, x, y, rank, isCapital]) =>
      point([x, y], { kind: 'city', name, rank: isCapital ? Math.min(rank, 2) : rank, isCapital: isCapital === 1 }),
    ),
  ],
})
