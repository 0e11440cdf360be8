/** Draws the atmosphere around the globe. Returns a function that updates it. */
export function halo(map, stage, isGlobe) {
  const element = document.createElement('div')
  element.className = 'halo'
  stage.prepend(element)

  function update() {
    const { clientWidth: width, clientHeight: height } = stage
    const distance = height / 2 / Math.tan((map.getVerticalFieldOfView() * Math.PI) / 360)
    const latitude = (map.getCenter().lat * Math.PI) / 180
    const radius = (512 * 2 ** map.getZoom()) / (2 * Math.PI) / Math.cos(latitude)
    const outline = (distance * radius) / Math.sqrt(distance ** 2 + 2 * distance * radius)
    element.hidden = !isGlobe() || outline > Math.hypot(width, height) / 2
    element.style.setProperty('--outline', `${outline.toFixed(1)}px`)
  }
  map.on('move', update)
  map.on('resize', update)
  return update
}
