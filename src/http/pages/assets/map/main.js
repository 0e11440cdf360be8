import { Map as Earth } from 'maplibre/ui/map.ts'
import { config } from 'maplibre/util/config.ts'
import { compile } from '../../texts/message.ts'
import { cameraOf, constrain } from './camera.js'
import { cards } from './card.js'
import { airportPoints, litShapes, routeLines, trackLines } from './geometry.js'
import { halo } from './halo.js'
import { replay } from './replay.js'
import { EMPTY, globeLayers, layersOf, styleOf } from './style.js'
import { nightShape } from './sun.js'
import { coloursOf } from './theme.js'
import { tools } from './tools.js'
import { fetchJson, loadFonts, placeLabels, readWorld } from './world.js'

const MAX_TAP_DISTANCE = 6
/** Natural Earth 1:50m has no more detail. */
const MAX_ZOOM = 7
const [FINE_ZOOM, DETAIL_ZOOM] = [2.7, 3.8]
const NIGHT_INTERVAL_MS = 60_000

function showDrawn(atlas, { routes, routeCount }, t) {
  const note = atlas.parentElement.querySelector('[data-drawn]')
  if (!note) return
  note.hidden = routes.length === routeCount
  note.textContent = t.drawn({ drawn: routes.length, all: routeCount })
}

function highlightOnHover(map, data, links, stage, t) {
  const card = cards(stage, data, links, t)
  let lit

  /** A source of its own: a feature state would upload the buffers of all routes again. */
  function light(feature) {
    const key = feature && `${feature.source} ${feature.id}`
    if (key === lit) return
    lit = key
    map.getSource('lit').setData(feature ? litShapes(data, feature) : EMPTY)
    map.getCanvas().style.cursor = feature ? 'pointer' : ''
  }

  function featureAt({ x, y }) {
    const box = [
      [x - MAX_TAP_DISTANCE, y - MAX_TAP_DISTANCE],
      [x + MAX_TAP_DISTANCE, y + MAX_TAP_DISTANCE],
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
    if (!card.isHeld() && !map.isMoving()) show(featureAt(point), point, false)
  })
  map.on('mouseout', () => {
    if (!card.isHeld()) show(undefined)
  })
  map.on('click', ({ point }) => show(featureAt(point), point, true))
  map.on('movestart', () => show(undefined))
  stage.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') show(undefined)
  })
}

/** Loads more detailed layers when they become visible. */
function loadDetails(map, paths) {
  const fill = (layers) => {
    for (const [name, shapes] of Object.entries(layers)) map.getSource(name).setData(shapes)
  }
  const pending = [
    { zoom: FINE_ZOOM, path: paths.fine },
    { zoom: DETAIL_ZOOM, path: paths.detail },
  ]
  async function load() {
    while (pending.length > 0 && map.getZoom() >= pending[0].zoom) {
      const next = pending.shift()
      try {
        fill(await readWorld(next.path))
      } catch (error) {
        // The next zoom tries again.
        pending.unshift(next)
        throw error
      }
    }
  }
  map.on('zoom', load)
  return load()
}

/** The picture stays below the map for screen readers. */
export async function start(atlas) {
  const { worker, paths: pathsText, views: viewsText, log, query, texts, cookie } = atlas.dataset
  const t = compile(document.documentElement.lang, JSON.parse(texts))
  const paths = JSON.parse(pathsText)
  const [view, otherView] = JSON.parse(viewsText)
  const views = { [view.projection]: view, [otherView.projection]: otherView }
  config.WORKER_URL = worker
  const [data, world, labels] = await Promise.all([
    fetchJson(paths.data),
    readWorld(paths.coarse),
    fetchJson(paths.labels),
    loadFonts(paths.fonts),
  ])
  const shapes = {
    ...world,
    night: nightShape(new Date()),
    names: placeLabels(labels),
    routes: routeLines(data, view.projection === 'globe'),
    tracks: trackLines(data, view.projection === 'globe'),
    airports: airportPoints(data),
  }
  const stage = document.createElement('div')
  stage.className = 'stage'
  atlas.append(stage)
  let colours = coloursOf(stage)
  let { projection } = view
  const container = () => ({ width: stage.clientWidth, height: stage.clientHeight })
  const map = new Earth({
    container: stage,
    style: styleOf(colours, shapes, projection),
    ...cameraOf(view, container()),
    attributionControl: false,
    // On pages that scroll, the wheel and one finger scroll the page.
    cooperativeGestures: !atlas.classList.contains('full'),
    dragRotate: false,
    touchPitch: false,
    maxZoom: MAX_ZOOM,
    minZoom: -2,
    locale: t.mapLibre,
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.setTransformConstrain(constrain(map, () => projection))

  function showAll(animate = true) {
    const { fieldOfView, ...camera } = cameraOf(views[projection], container())
    map.setVerticalFieldOfView(fieldOfView)
    map.easeTo({ ...camera, bearing: 0, animate })
  }
  function setProjection(name) {
    projection = name
    const isGlobe = name === 'globe'
    map.setProjection({ type: isGlobe ? 'globe' : 'mercator' })
    map.getSource('routes').setData(routeLines(data, isGlobe))
    map.getSource('tracks').setData(trackLines(data, isGlobe))
    for (const layer of globeLayers) map.setLayoutProperty(layer, 'visibility', isGlobe ? 'visible' : 'none')
    // biome-ignore lint/suspicious/noDocumentCookie: the server draws the same projection
    document.cookie = cookie.replace('{projection}', name)
    showAll()
  }
  showAll(false)
  const outline = halo(map, stage, () => projection === 'globe')
  const player = data.replay && replay(map, stage, data, t)
  tools(stage, map, t, { showAll, setProjection, projection, player, ground: () => coloursOf(stage).space })
  await map.once('idle')
  outline()
  atlas.classList.add('live')
  showDrawn(atlas, data, t)
  highlightOnHover(map, data, { log, query }, stage, t)
  setInterval(() => map.getSource('night').setData(nightShape(new Date())), NIGHT_INTERVAL_MS)

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    colours = coloursOf(stage)
    for (const { id, paint = {} } of layersOf(colours, data.routes.length)) {
      for (const [name, value] of Object.entries(paint)) map.setPaintProperty(id, name, value)
    }
  })
  await loadDetails(map, paths)
}
