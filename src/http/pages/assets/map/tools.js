function button(label, text) {
  const element = document.createElement('button')
  element.type = 'button'
  element.textContent = text
  element.title = label
  element.setAttribute('aria-label', label)
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

export function tools(stage, map, t, { showAll, ground, projection, chosen }) {
  const bar = document.createElement('div')
  bar.className = 'map-tools'
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', t.tools)
  const nearer = button(t.zoomIn, '+')
  const farther = button(t.zoomOut, '−')
  const all = button(t.showAll, '⤢')
  const globe = button(t.globe, t.globe)
  const picture = button(t.saveAsPng, 'PNG')
  let isGlobe = projection === 'globe'

  const tell = () => globe.setAttribute('aria-pressed', String(isGlobe))
  nearer.addEventListener('click', () => map.zoomIn())
  farther.addEventListener('click', () => map.zoomOut())
  all.addEventListener('click', () => showAll(isGlobe))
  globe.addEventListener('click', () => {
    isGlobe = !isGlobe
    const name = isGlobe ? 'globe' : 'mercator'
    map.setProjection({ type: name })
    chosen(name)
    tell()
    showAll(isGlobe)
  })
  picture.addEventListener('click', () => savePicture(map, ground))
  tell()
  bar.append(nearer, farther, all, globe, picture)
  stage.append(bar)
}
