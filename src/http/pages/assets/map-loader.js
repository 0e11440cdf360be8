// Loads the interactive map once the picture is near the viewport, if the browser supports WebGL 2.

const canDraw = () => document.createElement('canvas').getContext('webgl2') !== null

async function load(atlas) {
  if (atlas.dataset.awake || !canDraw()) return
  atlas.dataset.awake = 'true'
  try {
    const { start } = await import(atlas.dataset.script)
    await start(atlas)
  } catch {
    // Signed out, offline, or unsupported: the picture stays.
    atlas.dataset.awake = 'failed'
  }
}

for (const atlas of document.querySelectorAll('.atlas[data-script]')) {
  const start = () => load(atlas)
  for (const kind of ['pointerdown', 'focusin']) atlas.addEventListener(kind, start, { once: true, passive: true })
  // With data saving, only a touch loads it.
  if (navigator.connection?.saveData) continue
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      watcher.disconnect()
      const idle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 200))
      idle(start, { timeout: 2000 })
    },
    { rootMargin: '200px' },
  )
  watcher.observe(atlas)
}
