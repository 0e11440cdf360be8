/** Main-thread time per frame while a map of 5 000 routes is dragged: `npm run bench:map`. */
import { launchWithWebGl } from '../support/chromium.ts'
import { startDemo } from '../support/gallery/instances.ts'
import { signIn } from '../support/gallery/tour.ts'

const [AIRPORTS, ROUTES, STEPS] = [300, 5000, 60]
const TIMEOUT = 300_000
/** The time that software rendering needs for the frames before the measurement. */
const DRAIN_MS = 30_000

/** Without drawing, because software rendering takes seconds per frame and the main thread would wait for it. */
const SKIP_DRAWING = `
for (const name of ['drawElements', 'drawArrays', 'clear']) {
  const draw = WebGL2RenderingContext.prototype[name]
  WebGL2RenderingContext.prototype[name] = function (...values) {
    if (!globalThis.isDrawingSkipped) return draw.apply(this, values)
  }
}`
const COUNT_FRAMES = `
globalThis.isDrawingSkipped = true
globalThis.frames = 0
;(function tick() {
  globalThis.frames++
  requestAnimationFrame(tick)
})()`

const airports = Array.from({ length: AIRPORTS }, (_, index) => ({
  id: index,
  code: `A${index}`,
  name: `Airport ${index}`,
  city: `City ${index}`,
  at: [((index * 137.5) % 360) - 180, 70 * Math.sin(index)],
  visits: 1 + (index % 40),
}))
const routes = Array.from({ length: ROUTES }, (_, index) => ({
  ends: [index % AIRPORTS, (index * 7 + Math.floor(index / AIRPORTS) + 1) % AIRPORTS],
  count: 1 + (index % 20),
  distance: '1 km',
  first: '1 May 2025',
  last: '1 May 2026',
}))

const demo = await startDemo()
const browser = await launchWithWebGl()
try {
  for (const projection of ['globe', 'flat']) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 } })
    await context.addCookies([{ name: 'paxlog-map', value: projection, url: demo.base }])
    const page = await context.newPage()
    page.setDefaultTimeout(TIMEOUT)
    await page.addInitScript(SKIP_DRAWING)
    await signIn(page, demo.base, 'ines')
    await page.route('**/map/data*', (route) =>
      route.fulfill({ json: { airports, routes, routeCount: ROUTES, tracks: [] } }),
    )
    await page.goto(`${demo.base}/map`)
    await page.locator('.atlas.live').waitFor()
    const devTools = await context.newCDPSession(page)
    await devTools.send('Performance.enable')
    const seconds = async (name: string) =>
      (await devTools.send('Performance.getMetrics')).metrics.find((metric) => metric.name === name)!.value
    // The first hovered route compiles the shaders of its highlight.
    await page.mouse.move(300, 400)
    await page.mouse.move(420, 430)
    await page.waitForTimeout(DRAIN_MS)
    await page.evaluate(COUNT_FRAMES)
    const [script, task] = [await seconds('ScriptDuration'), await seconds('TaskDuration')]
    await page.mouse.move(500, 400)
    await page.mouse.down()
    for (let step = 0; step < STEPS; step++) await page.mouse.move(500 + step * 4, 400 + step)
    await page.mouse.up()
    const frames = Number(await page.evaluate('frames'))
    const perFrame = async (name: string, before: number) =>
      ((1000 * ((await seconds(name)) - before)) / frames).toFixed(1)
    process.stdout.write(
      `- ${projection}: ${frames} frames, ${await perFrame('ScriptDuration', script)} ms of script and ${await perFrame('TaskDuration', task)} ms of all tasks per frame\n`,
    )
    await context.close()
  }
} finally {
  await browser.close()
  await demo.stop()
}
