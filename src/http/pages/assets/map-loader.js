// The map is a picture until somebody comes near it; only then is what makes it move loaded, and only where it can work.

const canDraw = () => document.createElement('canvas').getContext('webgl2') !== null

async function wake(atlas) {
  if (atlas.dataset.awake || !canDraw()) return
  atlas.dataset.awake = 'true'
  try {
    const { start } = await import(atlas.dataset.script)
    await start(atlas)
  } catch {
    // Signed out, without a network, or beyond what this device can draw: the picture stays.
    atlas.dataset.awake = 'failed'
  }
}

for (const atlas of document.querySelectorAll('.atlas[data-script]')) {
  const touched = () => wake(atlas)
  for (const kind of ['pointerdown', 'focusin']) atlas.addEventListener(kind, touched, { once: true, passive: true })
  // Whoever counts bytes asks for it by a touch.
  if (navigator.connection?.saveData) continue
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      watcher.disconnect()
      // The page itself comes first.
      const idle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 200))
      idle(touched, { timeout: 2000 })
    },
    { rootMargin: '200px' },
  )
  watcher.observe(atlas)
}
