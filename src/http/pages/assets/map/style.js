const HEIGHTS = [0, 1, 2, 3, 4].map((band) => `height-${band}`)

/** The colours of the current theme in a notation that MapLibre reads. */
export function coloursOf(element) {
  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const styles = getComputedStyle(element)
  // With forced colours all of these would be equal.
  element.style.setProperty('forced-color-adjust', 'none')
  const shown = (name) => {
    // Only a used property resolves light-dark().
    element.style.setProperty('outline-color', `var(${name})`)
    probe.fillStyle = styles.outlineColor
    element.style.removeProperty('outline-color')
    return probe.fillStyle
  }
  const names = ['sea', 'grid', 'land', 'track', 'accent', 'accent-strong', 'text', 'card', 'often', ...HEIGHTS]
  const colours = Object.fromEntries(names.map((name) => [name, shown(`--${name}`)]))
  element.style.removeProperty('forced-color-adjust')
  return colours
}

/** MapLibre derives the weight from the name and falls back to the system font. */
const FONT = ['Paxlog SemiBold', 'sans-serif']

/** The top of the scale, as in the legend. */
const MAX_COUNT_LOG2 = 4

const byCount = (...stops) => ['interpolate', ['linear'], ['log2', ['get', 'count']], ...stops]
const byVisits = (...stops) => ['interpolate', ['linear'], ['log2', ['get', 'visits']], ...stops]
const byZoom = (...stops) => ['interpolate', ['linear'], ['zoom'], ...stops]
const isHeld = ['boolean', ['feature-state', 'held'], false]
const widthOf = (factor) => ['*', factor, ['+', byCount(0, 1, MAX_COUNT_LOG2, 4.5), ['case', isHeld, 1.5, 0]]]

const trackWidth = (width) => ['case', ['>=', ['get', 'band'], 0], width + 1.5, width]

const round = { 'line-cap': 'round', 'line-join': 'round', 'line-sort-key': ['get', 'count'] }

const thinnessOf = (lines) => Math.max(0.35, Math.min(1, Math.sqrt(150 / lines)))

export function layersOf(colour, routeCount) {
  const thinness = thinnessOf(routeCount)
  const opacity = 0.3 + 0.45 * thinness
  const line = {
    'line-color': ['case', isHeld, colour.text, byCount(0, colour.accent, MAX_COUNT_LOG2, colour.often)],
    'line-width': byZoom(0, widthOf(thinness), 5, widthOf(1.6)),
  }
  const trackColour = ['match', ['get', 'band'], ...HEIGHTS.flatMap((name, band) => [band, colour[name]]), colour.track]
  return [
    { id: 'sea', type: 'background', paint: { 'background-color': colour.sea } },
    { id: 'grid', type: 'line', source: 'grid', paint: { 'line-color': colour.grid, 'line-width': 0.7 } },
    { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colour.land, 'fill-antialias': false } },
    { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': colour.sea, 'line-width': 0.7 } },
    {
      id: 'routes',
      type: 'line',
      source: 'routes',
      filter: ['!', ['get', 'planned']],
      layout: round,
      paint: {
        ...line,
        // Zoomed in, the track replaces the great circle.
        'line-opacity': byZoom(3.5, opacity, 4.5, ['case', ['get', 'tracked'], 0.15, 0.75]),
      },
    },
    {
      id: 'planned',
      type: 'line',
      source: 'routes',
      filter: ['get', 'planned'],
      layout: { ...round, 'line-cap': 'butt' },
      paint: { ...line, 'line-dasharray': [2.5, 2], 'line-opacity': 0.9 },
    },
    {
      id: 'tracks',
      type: 'line',
      source: 'tracks',
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': trackColour,
        'line-width': byZoom(0, trackWidth(1.2), 5, trackWidth(2.4)),
        'line-opacity': 0.85,
      },
    },
    {
      id: 'airports',
      type: 'circle',
      source: 'airports',
      layout: { 'circle-sort-key': ['get', 'visits'] },
      paint: {
        'circle-radius': byZoom(0, byVisits(0, 2, 8, 5.5), 6, byVisits(0, 4, 8, 10)),
        'circle-color': ['case', isHeld, colour.text, colour['accent-strong']],
        'circle-stroke-color': colour.card,
        'circle-stroke-width': 1,
      },
    },
    {
      id: 'labels',
      type: 'symbol',
      source: 'airports',
      layout: {
        'text-field': ['get', 'code'],
        'text-font': FONT,
        'text-size': byZoom(0, 11, 6, 15),
        'text-variable-anchor': ['left', 'right', 'top', 'bottom', 'top-left', 'top-right'],
        'text-radial-offset': 0.55,
        'text-justify': 'auto',
        'symbol-sort-key': ['-', ['get', 'visits']],
      },
      paint: { 'text-color': colour.text, 'text-halo-color': colour.card, 'text-halo-width': 1.4 },
    },
  ]
}

const data = (content, more = {}) => ({ type: 'geojson', data: content, ...more })

export const styleOf = (colour, { land, borders, grid, routes, tracks, airports }, projection) => ({
  version: 8,
  projection: { type: projection },
  sources: {
    land: data(land, { tolerance: 0.2 }),
    borders: data(borders, { tolerance: 0.2 }),
    grid: data(grid),
    routes: data(routes, { tolerance: 0.2 }),
    tracks: data(tracks, { tolerance: 0.2 }),
    airports: data(airports),
  },
  layers: layersOf(colour, routes.features.length),
})
