import { Map as Earth } from 'maplibre/ui/map.ts'
import { config } from 'maplibre/util/config.ts'
import { feature } from 'topojson-client'
import { cards } from './card.js'
import { extentOf, gridOf, pointsOf, routesOf, tracksOf } from './geometry.js'
import { coloursOf, layersOf, styleOf } from './style.js'
import { tools } from './tools.js'

const KEPT = 'paxlog.map'
/** Nearer than this, the coarse outlines look like what they are. */
const FINE_ZOOM = 3
const FURTHEST_TAP = 6

async function fetchJson(address) {
  const answer = await fetch(address, { redirect: 'error' })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
  return answer.json()
}

/** MapLibre reads GeoJSON only. */
async function fetchLand(address) {
  const topology = await fetchJson(address)
  const { land, borders } = topology.objects
  return { land: feature(topology, land), borders: feature(topology, borders) }
}

function remembered() {
  try {
    return localStorage.getItem(KEPT) === 'mercator' ? 'mercator' : 'globe'
  } catch {
    // Some browsers keep nothing.
    return 'globe'
  }
}

function remember(name) {
  try {
    localStorage.setItem(KEPT, name)
  } catch {
    // As above.
  }
}

/** Where the buttons lie below the map, they take this of its height. */
const heightOfTools = (map) => {
  const bar = map.getContainer().querySelector('.map-tools')
  return bar && bar.offsetWidth > bar.offsetHeight ? bar.offsetHeight + 8 : 0
}

/** Shows everything: as much of the globe as is needed, or the box that holds all routes. */
function fitter(map, extent) {
  return (isGlobe, animate = true) => {
    const { clientWidth: width, clientHeight: height } = map.getContainer()
    const [west, south, east, north] = extent.box
    const [longitude, latitude] = extent.heart
    const tools = heightOfTools(map)
    if (isGlobe && extent.radius > 35) {
      // The globe fills most of the shorter side.
      const zoom = Math.log2((0.42 * Math.min(width, height - tools) * 2 * Math.PI) / 512)
      const center = [longitude, Math.max(-50, Math.min(50, latitude))]
      map.easeTo({ center, zoom, padding: { bottom: tools }, animate, bearing: 0 })
      return
    }
    const edge = Math.min(48, width / 8, height / 8)
    const padding = { top: edge, left: edge, right: edge, bottom: edge + tools }
    map.setPadding({ bottom: 0 })
    const camera = map.cameraForBounds(
      [
        [west, south],
        [east, north],
      ],
      { padding, maxZoom: 7 },
    )
    // A flat map is never lower than its frame: where not all of it fits, the middle is where most happens.
    const isWhole = camera.zoom >= Math.log2(height / 512)
    map.easeTo({ ...camera, ...(!isWhole && { center: [longitude, camera.center.lat] }), animate })
  }
}

function tell(atlas, { routes, routeCount }) {
  const note = atlas.parentElement.querySelector('[data-drawn]')
  if (!note) return
  const [drawn, all] = [routes.length, routeCount].map((count) => count.toLocaleString('en').replaceAll(',', ' '))
  note.hidden = routes.length === routeCount
  note.textContent = `${drawn} of ${all} routes are drawn.`
}

/** Names what is under the pointer, and holds it once it was tapped. */
function listen(map, data, links, stage) {
  const card = cards(stage, data, links)
  let lit

  function light(feature) {
    if (lit) map.setFeatureState(lit, { held: false })
    lit = feature && { source: feature.source, id: feature.id }
    if (lit) map.setFeatureState(lit, { held: true })
    map.getCanvas().style.cursor = feature ? 'pointer' : ''
  }

  function under({ x, y }) {
    const box = [
      [x - FURTHEST_TAP, y - FURTHEST_TAP],
      [x + FURTHEST_TAP, y + FURTHEST_TAP],
    ]
    return (
      map.queryRenderedFeatures(box, { layers: ['airports'] })[0] ??
      map.queryRenderedFeatures(box, { layers: ['routes', 'planned'] })[0]
    )
  }

  function show(feature, point, isHeld) {
    light(feature)
    if (feature) card.show({ kind: feature.source, index: feature.id }, point, isHeld)
    else card.hide()
  }

  map.on('mousemove', ({ point }) => {
    if (!card.isHeld() && !map.isMoving()) show(under(point), point, false)
  })
  map.on('mouseout', () => {
    if (!card.isHeld()) show(undefined)
  })
  map.on('click', ({ point }) => show(under(point), point, true))
  map.on('movestart', () => show(undefined))
  stage.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') show(undefined)
  })
}

/** Turns the picture into a map that can be moved; the picture stays below it for whoever cannot see it. */
export async function start(atlas) {
  const { worker, data: address, coarse, fine, log, query } = atlas.dataset
  config.WORKER_URL = worker
  const [data, outlines] = await Promise.all([fetchJson(address), fetchLand(coarse)])
  const routes = routesOf(data)
  const shapes = {
    ...outlines,
    grid: gridOf(),
    routes,
    tracks: tracksOf(data),
    airports: pointsOf(data),
  }
  const stage = document.createElement('div')
  stage.className = 'stage'
  atlas.append(stage)
  const projection = remembered()
  const map = new Earth({
    container: stage,
    style: styleOf(coloursOf(stage), shapes, projection),
    attributionControl: false,
    // On a page that scrolls, a wheel and one finger move the page.
    cooperativeGestures: !atlas.classList.contains('full'),
    dragRotate: false,
    touchPitch: false,
    maxZoom: 9,
    minZoom: -1,
    locale: { 'Map.Title': 'Map of routes' },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  const showAll = fitter(map, extentOf(data, routes))
  const ground = () => coloursOf(stage).card
  tools(stage, map, { showAll, ground, projection, chosen: remember })
  showAll(projection === 'globe', false)
  await map.once('idle')
  atlas.classList.add('live')
  tell(atlas, data)
  listen(map, data, { log, query }, stage)

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const { id, paint } of layersOf(coloursOf(stage), routes.features.length)) {
      for (const [name, value] of Object.entries(paint)) map.setPaintProperty(id, name, value)
    }
  })
  const sharpen = async () => {
    if (map.getZoom() < FINE_ZOOM) return
    map.off('zoomend', sharpen)
    const { land, borders } = await fetchLand(fine)
    map.getSource('land').setData(land)
    map.getSource('borders').setData(borders)
  }
  map.on('zoomend', sharpen)
  await sharpen()
}
