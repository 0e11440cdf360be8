import { Map as Earth } from 'maplibre/ui/map.ts'
import { config } from 'maplibre/util/config.ts'
import { feature } from 'topojson-client'
import { compile } from '../../texts/message.ts'
import { cards } from './card.js'
import { extentOf, gridOf, pointsOf, routesOf, tracksOf } from './geometry.js'
import { coloursOf, layersOf, styleOf } from './style.js'
import { tools } from './tools.js'

const KEPT = 'paxlog.map'
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
    // Storage may be disabled.
    return 'globe'
  }
}

function remember(name) {
  try {
    localStorage.setItem(KEPT, name)
  } catch {
    // Storage may be disabled.
  }
}

/** On narrow screens the buttons cover the bottom of the map. */
const heightOfTools = (map) => {
  const bar = map.getContainer().querySelector('.map-tools')
  return bar && bar.offsetWidth > bar.offsetHeight ? bar.offsetHeight + 8 : 0
}

function fitter(map, extent) {
  return (isGlobe, animate = true) => {
    const { clientWidth: width, clientHeight: height } = map.getContainer()
    const [west, south, east, north] = extent.box
    const [longitude, latitude] = extent.heart
    const tools = heightOfTools(map)
    if (isGlobe && extent.radius > 35) {
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
    // Mercator cannot be lower than its container: if not everything fits, centre the most visited part.
    const isWhole = camera.zoom >= Math.log2(height / 512)
    map.easeTo({ ...camera, ...(!isWhole && { center: [longitude, camera.center.lat] }), animate })
  }
}

function tell(atlas, { routes, routeCount }, t) {
  const note = atlas.parentElement.querySelector('[data-drawn]')
  if (!note) return
  note.hidden = routes.length === routeCount
  note.textContent = t.drawn({ drawn: routes.length, all: routeCount })
}

function listen(map, data, links, stage, t) {
  const card = cards(stage, data, links, t)
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

/** The picture stays below the map for screen readers. */
export async function start(atlas) {
  const { worker, data: address, coarse, fine, log, query, texts } = atlas.dataset
  const t = compile(document.documentElement.lang, JSON.parse(texts))
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
    // On pages that scroll, the wheel and one finger scroll the page.
    cooperativeGestures: !atlas.classList.contains('full'),
    dragRotate: false,
    touchPitch: false,
    maxZoom: 9,
    minZoom: -1,
    locale: t.mapLibre,
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  const showAll = fitter(map, extentOf(data, routes))
  const ground = () => coloursOf(stage).card
  tools(stage, map, t, { showAll, ground, projection, chosen: remember })
  showAll(projection === 'globe', false)
  await map.once('idle')
  atlas.classList.add('live')
  tell(atlas, data, t)
  listen(map, data, { log, query }, stage, t)

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
