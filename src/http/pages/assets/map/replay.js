import { collection, lineOfRoute, unrolled } from './geometry.js'
import { EMPTY } from './style.js'
import { icon, iconButton } from './tools.js'

const MS_PER_DAY = 86_400_000
const [MIN_SECONDS, MAX_SECONDS] = [20, 40]
const SECONDS_PER_FLIGHT = 0.5
const SPEEDS = [0.5, 1, 2, 4]
/** With reduced motion, the map changes this often and nothing moves in between. */
const CALM_INTERVAL_MS = 1000

/** The days of all flights, from the first day and the steps between them. */
function datesOf({ start, days }) {
  let at = Date.parse(start)
  return days.map((step) => {
    at += step * MS_PER_DAY
    return at
  })
}

/** Draws flights in order of their date. */
export function replay(map, stage, data, t) {
  const { routes: flights } = data.replay
  const dates = datesOf(data.replay)
  const dayText = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeZone: 'UTC' })
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const duration = 1000 * Math.max(MIN_SECONDS, Math.min(MAX_SECONDS, flights.length * SECONDS_PER_FLIGHT))
  /** Flights so far, with a fraction for the flight that is in the air. */
  let position = 0
  let [isPlaying, isOpen, speed] = [false, false, 1]
  let drawn = new Map()
  let lastFrame

  const panel = document.createElement('div')
  panel.className = 'replay'
  panel.hidden = true
  panel.setAttribute('role', 'group')
  panel.setAttribute('aria-label', t.replay.title)
  const year = document.createElement('output')
  year.className = 'year'
  const button = iconButton('pause', t.replay.pause)
  const slider = Object.assign(document.createElement('input'), { type: 'range', min: 0, max: flights.length, step: 1 })
  slider.setAttribute('aria-label', t.replay.timeline)
  const choice = document.createElement('select')
  choice.setAttribute('aria-label', t.replay.speed)
  for (const value of SPEEDS) choice.add(new Option(`${value}×`, value, value === 1, value === 1))
  const close = iconButton('close', t.replay.close)
  panel.append(button, slider, choice, close)
  stage.append(year, panel)
  year.hidden = true

  const setState = (source, id, state) => map.setFeatureState({ source, id }, state)

  /** Only routes whose number of flights changed get a new state. */
  function showFlown(until) {
    const counts = new Map()
    for (const route of flights.slice(0, until)) counts.set(route, (counts.get(route) ?? 0) + 1)
    const seen = new Set([...counts.keys()].flatMap((route) => data.routes[route].ends))
    for (const route of data.routes.keys()) {
      const flown = counts.get(route) ?? 0
      if (drawn.get(route) !== flown) setState('routes', route, { hidden: flown === 0, flown: Math.max(1, flown) })
    }
    for (const airport of data.airports.keys()) setState('airports', airport, { hidden: !seen.has(airport) })
    drawn = counts
    for (const route of data.routes.keys()) if (!drawn.has(route)) drawn.set(route, 0)
  }

  function showFlying(flight, part) {
    const line = flight === undefined ? [] : lineOfRoute(data, flight)
    const end = Math.max(1, Math.round(part * (line.length - 1)))
    const path = unrolled(line.slice(0, end + 1))
    const features = [
      { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: path } },
      { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: path.at(-1) } },
    ]
    map.getSource('flying').setData(path.length > 1 ? collection(features) : EMPTY)
  }

  let shownFlights = -1
  function show() {
    const whole = Math.min(flights.length, Math.floor(position))
    if (whole !== shownFlights) {
      showFlown(whole)
      shownFlights = whole
      const at = dates[Math.min(whole, dates.length - 1)]
      year.textContent = String(new Date(at).getUTCFullYear())
      slider.value = whole
      slider.setAttribute('aria-valuetext', t.replay.position({ day: dayText.format(at), flights: whole }))
    }
    if (!isCalm) showFlying(flights[whole], position - whole)
  }

  function setPlaying(next) {
    isPlaying = next
    lastFrame = undefined
    button.replaceChildren(icon(isPlaying ? 'pause' : 'play'))
    const label = isPlaying ? t.replay.pause : t.replay.play
    button.title = label
    button.setAttribute('aria-label', label)
    if (isPlaying) requestAnimationFrame(step)
  }

  function step(now) {
    if (!isPlaying) return
    const elapsed = lastFrame === undefined ? 0 : now - lastFrame
    if (!isCalm || lastFrame === undefined || elapsed >= CALM_INTERVAL_MS) {
      lastFrame = now
      position = Math.min(flights.length, position + (elapsed / duration) * speed * flights.length)
      show()
    }
    if (position >= flights.length) setPlaying(false)
    else requestAnimationFrame(step)
  }

  function setOpen(next) {
    isOpen = next
    panel.hidden = year.hidden = !isOpen
    map.setLayoutProperty('tracks', 'visibility', isOpen ? 'none' : 'visible')
    map.setLayoutProperty('planned', 'visibility', isOpen ? 'none' : 'visible')
    if (isOpen) {
      position = 0
      shownFlights = -1
      drawn = new Map()
      show()
      setPlaying(true)
      button.focus()
      return
    }
    setPlaying(false)
    map.getSource('flying').setData(EMPTY)
    for (const source of ['routes', 'airports']) map.removeFeatureState({ source })
  }

  button.addEventListener('click', () => {
    if (!isPlaying && position >= flights.length) position = 0
    setPlaying(!isPlaying)
  })
  slider.addEventListener('input', () => {
    position = Number(slider.value)
    show()
  })
  choice.addEventListener('change', () => {
    speed = Number(choice.value)
  })
  close.addEventListener('click', () => setOpen(false))
  return { toggle: () => setOpen(!isOpen) }
}
