const NAMES = [
  ...['sea', 'sea-edge', 'shallow', 'land', 'glacier', 'river', 'urban', 'border', 'state', 'grid', 'night', 'space'],
  ...['name-water', 'name-country', 'name-city', 'name-halo'],
  ...['glow', 'track', 'airport', 'text', 'card'],
  ...[1, 2, 3, 4, 5].map((size) => `route-${size}`),
  ...[0, 1, 2, 3, 4].map((band) => `height-${band}`),
]

/** The colours of the current theme in a notation that MapLibre reads. */
export function coloursOf(element) {
  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const styles = getComputedStyle(element)
  // With forced colours all of these would be equal.
  element.style.setProperty('forced-color-adjust', 'none')
  const colours = Object.fromEntries(
    NAMES.map((name) => {
      // Only a used property resolves light-dark().
      element.style.setProperty('outline-color', `var(--${name})`)
      probe.fillStyle = styles.outlineColor
      return [name, probe.fillStyle]
    }),
  )
  element.style.removeProperty('outline-color')
  element.style.removeProperty('forced-color-adjust')
  return colours
}
