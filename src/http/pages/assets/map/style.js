import { gridLines } from './geometry.js'
import { fontNames } from './world.js'

const HEIGHTS = [0, 1, 2, 3, 4].map((band) => `height-${band}`)

const fontOf = (style) => [fontNames[style], 'sans-serif']

/** Japanese letters are not slanted. */
const waterStyle = document.documentElement.lang === 'ja' ? 'regular' : 'italic'

/** The top of the scale, as in the legend. */
const MAX_COUNT_LOG2 = 4

const state = (name, otherwise) => ['coalesce', ['feature-state', name], otherwise]
/** In a replay, the flights so far. */
const count = state('flown', ['get', 'count'])
const isHidden = ['boolean', ['feature-state', 'hidden'], false]

const byCount = (...stops) => ['interpolate', ['linear'], ['log2', ['max', 1, count]], ...stops]
const byVisits = (...stops) => ['interpolate', ['linear'], ['log2', ['max', 1, ['get', 'visits']]], ...stops]
const byZoom = (...stops) => ['interpolate', ['linear'], ['zoom'], ...stops]
const unlessHidden = (opacity) => ['case', isHidden, 0, opacity]
const widthOf = (factor, more = 0) => ['*', factor, ['+', byCount(0, 1.1, MAX_COUNT_LOG2, 4.5), more]]

const trackWidth = (width) => ['case', ['>=', ['get', 'band'], 0], width + 1.5, width]

const round = { 'line-cap': 'round', 'line-join': 'round' }
const routesInOrder = { ...round, 'line-sort-key': ['get', 'count'] }

const thinnessOf = (lines) => Math.max(0.35, Math.min(1, Math.sqrt(150 / lines)))

/** Water and land, up to the borders. */
function earthLayers(colour) {
  const line = (id, color, width, more = {}) => ({
    id,
    type: 'line',
    source: id,
    layout: round,
    paint: { 'line-color': color, 'line-width': width, ...more },
  })
  const fill = (id, color, more = {}) => ({
    id,
    type: 'fill',
    source: id,
    paint: { 'fill-color': color, 'fill-antialias': false, ...more },
  })
  const coast = (id, width, opacity) => ({
    ...line('coast', colour.shallow, byZoom(0, width, 3, width * 1.6), {
      'line-blur': byZoom(0, width * 0.8, 3, width * 1.3),
      'line-opacity': byZoom(3, opacity, 6, opacity / 2),
    }),
    id,
  })
  return [
    { id: 'sea', type: 'background', paint: { 'background-color': colour.sea } },
    coast('coast-far', 11, 0.55),
    coast('coast-near', 4, 0.75),
    line('grid', colour.grid, 0.7),
    fill('land', colour.land),
    { ...fill('urban', colour.urban), minzoom: 4.5 },
    fill('glaciers', colour.glacier),
    fill('lakes', colour.sea),
    { ...line('rivers', colour.river, byZoom(2.5, 0.4, 7, 1.6)), minzoom: 2.5 },
    { ...line('states', colour.state, byZoom(3.5, 0.4, 7, 0.9), { 'line-dasharray': [3, 2] }), minzoom: 3.5 },
    line('borders', colour.border, byZoom(0, 0.5, 7, 1.6)),
    {
      id: 'night',
      type: 'fill',
      source: 'night',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': colour.night, 'fill-opacity': byZoom(3, 1, 5, 0), 'fill-antialias': false },
    },
    {
      id: 'dusk',
      type: 'line',
      source: 'night',
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: {
        'line-color': colour.night,
        'line-width': 50,
        'line-blur': 50,
        'line-opacity': byZoom(3, 0.6, 5, 0),
      },
    },
  ]
}

function routeLayers(colour, routeCount) {
  const thinness = thinnessOf(routeCount)
  const opacity = 0.4 + 0.45 * thinness
  const ramp = byCount(...[0, 1, 2, 3, 4].flatMap((step) => [step, colour[`route-${step + 1}`]]))
  const line = {
    'line-color': ramp,
    'line-width': byZoom(0, widthOf(thinness), 5, widthOf(1.6)),
  }
  const trackColour = ['match', ['get', 'band'], ...HEIGHTS.flatMap((name, band) => [band, colour[name]]), colour.track]
  // Zoomed in, the track replaces the great circle.
  const routeOpacity = byZoom(3.5, unlessHidden(opacity), 4.5, unlessHidden(['case', ['get', 'tracked'], 0.15, 0.85]))
  return [
    {
      id: 'glow',
      type: 'line',
      source: 'routes',
      filter: ['!', ['get', 'planned']],
      layout: routesInOrder,
      paint: {
        'line-color': ramp,
        'line-width': byZoom(0, ['+', 5, widthOf(2)], 5, ['+', 8, widthOf(3)]),
        'line-blur': byZoom(0, 6, 5, 10),
        'line-opacity': unlessHidden(0.28 * thinness * (colour.glow === '#000000' ? 0 : 1)),
      },
    },
    {
      id: 'routes',
      type: 'line',
      source: 'routes',
      filter: ['!', ['get', 'planned']],
      layout: routesInOrder,
      paint: { ...line, 'line-opacity': routeOpacity },
    },
    {
      id: 'planned',
      type: 'line',
      source: 'routes',
      filter: ['get', 'planned'],
      layout: { ...routesInOrder, 'line-cap': 'butt' },
      paint: { ...line, 'line-dasharray': [2.5, 2], 'line-opacity': unlessHidden(0.9) },
    },
    {
      id: 'tracks',
      type: 'line',
      source: 'tracks',
      layout: round,
      paint: {
        'line-color': trackColour,
        'line-width': byZoom(0, trackWidth(1.2), 5, trackWidth(2.4)),
        'line-opacity': 0.85,
      },
    },
    {
      id: 'lit',
      type: 'line',
      source: 'lit',
      layout: round,
      paint: {
        'line-color': colour.text,
        'line-width': byZoom(0, widthOf(thinness, 1.5), 5, widthOf(1.6, 1.5)),
      },
    },
    {
      id: 'flying',
      type: 'line',
      source: 'flying',
      layout: round,
      paint: { 'line-color': colour['route-5'], 'line-width': 2.5 },
    },
  ]
}

const atRank = (...zooms) => ['match', ['get', 'rank'], ...zooms.flatMap((zoom, rank) => [rank, zoom]), 9]

/** Later layers have precedence where labels collide. */
function nameLayers(colour) {
  const names = (id, kinds, minZoom, layout, color) => ({
    id,
    type: 'symbol',
    source: 'names',
    filter: ['all', ['in', ['get', 'kind'], ['literal', kinds]], ['>=', ['zoom'], minZoom]],
    layout: { 'text-field': ['get', 'name'], 'symbol-sort-key': ['get', 'rank'], 'text-padding': 6, ...layout },
    paint: { 'text-color': color, 'text-halo-color': colour['name-halo'], 'text-halo-width': 1.2 },
  })
  return [
    names(
      'cities',
      ['city'],
      atRank(3, 3.4, 3.8, 4.4, 5, 5.5, 6, 6.4, 6.6, 6.8),
      {
        'text-font': fontOf('regular'),
        'text-size': byZoom(3, 10.5, 7, 13),
        'text-max-width': 7,
      },
      colour['name-city'],
    ),
    names(
      'seas',
      ['sea'],
      atRank(0, 2.2, 3, 4, 4.6),
      {
        'text-font': fontOf(waterStyle),
        'text-size': byZoom(2, 10.5, 7, 14),
        'text-max-width': 6,
        'text-letter-spacing': 0.04,
      },
      colour['name-water'],
    ),
    names(
      'countries',
      ['country'],
      ['-', ['get', 'rank'], 1],
      { 'text-font': fontOf('medium'), 'text-size': byZoom(1, 10.5, 6, 15), 'text-max-width': 7 },
      colour['name-country'],
    ),
    names(
      'oceans',
      ['ocean'],
      0,
      {
        'text-font': fontOf(waterStyle),
        'text-size': byZoom(0, 11, 4, 18),
        'text-max-width': 7,
        'text-letter-spacing': 0.14,
      },
      colour['name-water'],
    ),
  ]
}

const airportCircle = (fill, colour) => ({
  'circle-radius': byZoom(0, byVisits(0, 2.2, 8, 5.5), 6, byVisits(0, 4, 8, 10)),
  'circle-color': fill,
  'circle-stroke-color': colour.card,
  'circle-stroke-width': 1.2,
})

const airportLayers = (colour) => [
  {
    id: 'airports',
    type: 'circle',
    source: 'airports',
    layout: { 'circle-sort-key': ['get', 'visits'] },
    paint: {
      ...airportCircle(colour.airport, colour),
      'circle-opacity': unlessHidden(1),
      'circle-stroke-opacity': unlessHidden(1),
    },
  },
  {
    id: 'lit-airports',
    type: 'circle',
    source: 'lit',
    filter: ['==', ['geometry-type'], 'Point'],
    paint: airportCircle(colour.text, colour),
  },
  {
    id: 'plane',
    type: 'circle',
    source: 'flying',
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-radius': 5,
      'circle-color': colour['route-5'],
      'circle-stroke-color': colour.card,
      'circle-stroke-width': 2,
    },
  },
  {
    id: 'codes',
    type: 'symbol',
    source: 'airports',
    layout: {
      'text-field': ['get', 'code'],
      'text-font': fontOf('semiBold'),
      'text-size': byZoom(0, 11, 6, 15),
      'text-variable-anchor': ['left', 'right', 'top', 'bottom', 'top-left', 'top-right'],
      'text-radial-offset': 0.55,
      'text-justify': 'auto',
      'symbol-sort-key': ['-', ['get', 'visits']],
    },
    paint: {
      'text-color': colour.text,
      'text-halo-color': colour.card,
      'text-halo-width': 1.5,
      'text-opacity': unlessHidden(1),
    },
  },
]

export const layersOf = (colour, routeCount) => [
  ...earthLayers(colour),
  ...nameLayers(colour),
  ...routeLayers(colour, routeCount),
  ...airportLayers(colour),
]

const source = (data, more = {}) => ({ type: 'geojson', data, ...more })

export const EMPTY = { type: 'FeatureCollection', features: [] }

const DETAILED = ['rivers', 'states', 'urban']
const EARTH = ['land', 'coast', 'borders', 'lakes', 'glaciers']

/** Hidden on a flat map. */
export const globeLayers = ['grid', 'night', 'dusk']

export const styleOf = (colour, shapes, projection) => ({
  version: 8,
  projection: { type: projection === 'globe' ? 'globe' : 'mercator' },
  sources: {
    ...Object.fromEntries(EARTH.map((name) => [name, source(shapes[name], { tolerance: 0.2 })])),
    ...Object.fromEntries(DETAILED.map((name) => [name, source(EMPTY, { tolerance: 0.2 })])),
    grid: source(gridLines()),
    night: source(shapes.night),
    names: source(shapes.names),
    routes: source(shapes.routes, { tolerance: 0.2 }),
    tracks: source(shapes.tracks, { tolerance: 0.2 }),
    lit: source(EMPTY),
    flying: source(EMPTY),
    airports: source(shapes.airports),
  },
  layers: layersOf(colour, shapes.routes.features.length).map((layer) =>
    globeLayers.includes(layer.id) && projection !== 'globe'
      ? { ...layer, layout: { ...layer.layout, visibility: 'none' } }
      : layer,
  ),
})
