const SVG = 'http://www.w3.org/2000/svg'

const icons = {
  zoomIn: 'M12 5v14M5 12h14',
  zoomOut: 'M5 12h14',
  showAll: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  globe: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9s.5-6 3.5-9z',
  saveAsPng: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14',
  play: 'M8 5.5v13l11-6.5z',
  pause: 'M8.5 5v14M15.5 5v14',
  close: 'M6 6l12 12M18 6L6 18',
  keys: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5',
}

export function icon(name) {
  const drawing = document.createElementNS(SVG, 'svg')
  drawing.setAttribute('viewBox', '0 0 24 24')
  drawing.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', icons[name])
  drawing.append(path)
  return drawing
}

export function iconButton(name, label) {
  const element = document.createElement('button')
  element.type = 'button'
  element.title = label
  element.setAttribute('aria-label', label)
  element.append(icon(name))
  return element
}

/** Saves the visible map on the background of the page, because the canvas is transparent. */
async function savePicture(map, ground) {
  const whole = await new Promise((resolve) => {
    map.once('render', () => {
      // WebGL clears the canvas after this turn.
      const drawn = map.getCanvas()
      const copy = Object.assign(document.createElement('canvas'), { width: drawn.width, height: drawn.height })
      const pen = copy.getContext('2d')
      pen.fillStyle = ground()
      pen.fillRect(0, 0, copy.width, copy.height)
      pen.drawImage(drawn, 0, 0)
      copy.toBlob(resolve, 'image/png')
    })
    map.triggerRepaint()
  })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(whole)
  link.download = 'flights.png'
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

function keyList(stage, t) {
  const dialog = document.createElement('dialog')
  dialog.className = 'key-list'
  const title = document.createElement('h2')
  title.textContent = t.keys.title
  const list = document.createElement('dl')
  for (const [key, action] of Object.entries(t.keys.actions)) {
    const name = document.createElement('dt')
    const text = document.createElement('kbd')
    text.textContent = t.keys.names[key]
    name.append(text)
    const meaning = document.createElement('dd')
    meaning.textContent = action
    list.append(name, meaning)
  }
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = t.keys.close
  close.addEventListener('click', () => dialog.close())
  dialog.append(title, list, close)
  stage.append(dialog)
  return () => dialog.showModal()
}

export function tools(stage, map, t, { showAll, setProjection, projection, player, ground }) {
  const bar = document.createElement('div')
  bar.className = 'map-tools'
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', t.tools)
  let isGlobe = projection === 'globe'
  const globe = iconButton('globe', t.globe)
  const showPressed = () => globe.setAttribute('aria-pressed', String(isGlobe))
  const showKeys = keyList(stage, t)
  const actions = {
    showAll: () => showAll(),
    globe() {
      isGlobe = !isGlobe
      setProjection(isGlobe ? 'globe' : 'flat')
      showPressed()
    },
    play: () => player?.toggle(),
    keys: showKeys,
  }
  const buttons = [
    [iconButton('zoomIn', t.zoomIn), () => map.zoomIn()],
    [iconButton('zoomOut', t.zoomOut), () => map.zoomOut()],
    [iconButton('showAll', t.showAll), actions.showAll],
    [globe, actions.globe],
    ...(player ? [[iconButton('play', t.replay.open), actions.play]] : []),
    [iconButton('saveAsPng', t.saveAsPng), () => savePicture(map, ground)],
    [iconButton('keys', t.keys.title), actions.keys],
  ]
  for (const [button, action] of buttons) {
    button.addEventListener('click', action)
    bar.append(button)
  }
  showPressed()
  stage.append(bar)

  const keys = { 0: actions.showAll, g: actions.globe, r: actions.play, '?': actions.keys }
  stage.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, dialog')) return
    const action = keys[event.key.toLowerCase()]
    if (!action) return
    event.preventDefault()
    action()
  })
}
