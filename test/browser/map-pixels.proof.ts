import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchWithWebGl } from '../support/chromium.ts'
import { measured } from '../support/measured.ts'
import type { TestUser } from '../support/paxlog.ts'
import { smallTargets } from '../support/touch-targets.ts'
import { describeInChromium, visited } from '../support/visited.ts'

/** Software rendering is slow on a busy machine. */
const TIMEOUT_MS = 600_000

/** A picture that does not change for this long is complete. */
const SETTLE_MS = 200

/** From zoom 7, where the Black Sea is smaller than the marker of an airport after four steps. */
const STEPS_OUT = 6

const places = [
  ['North Sea', 56, 3, 'water', STEPS_OUT],
  ['mid-Atlantic', 25, -40, 'water', STEPS_OUT],
  ['Pacific', 10, -140, 'water', STEPS_OUT],
  ['Black Sea', 43.3, 34, 'water', 4],
  ['Sahara', 23, 10, 'land', STEPS_OUT],
  ['Antarctica', -80, 65, 'land', STEPS_OUT],
] as const
type Ground = (typeof places)[number][3]

/** Each place takes a minute. PAXLOG_SLOW_TESTS=1 covers all of them. */
const ONLY_LONG: readonly string[] = ['mid-Atlantic', 'Sahara']
const chosen = places.filter(([name]) => process.env.PAXLOG_SLOW_TESTS === '1' || !ONLY_LONG.includes(name))

/** A short flight opens near zoom 5. */
const STEPS_IN = 2

/** Offsets from the centre in pixels, outside the marker of the airport. */
const ring = (radius: number) =>
  Array.from({ length: 12 }, (_, part): [number, number] => [
    Math.round(radius * Math.cos((part * Math.PI) / 6)),
    Math.round(radius * Math.sin((part * Math.PI) / 6)),
  ])

/** Labels and the route cover some points. */
const offsets = [...ring(9), ...ring(14)]
const MIN_SHARE = 0.6

/** In the light theme water is blue, also at coasts and at night, and land is not. */
const MIN_BLUE = 10
const groundOf = ([red, , blue]: readonly number[]): Ground => (blue! - red! > MIN_BLUE ? 'water' : 'land')

describeInChromium('colours of the interactive map', () => {
  let site: Awaited<ReturnType<typeof visited>>
  let user: TestUser
  let tab: Page

  beforeAll(async () => {
    site = await visited({ launch: launchWithWebGl })
    user = site.instance.user({ owner: true })
    // Disables the zoom animation.
    const options = { viewport: { width: 420, height: 700 }, reducedMotion: 'reduce' } as const
    const context = await site.browser.newContext(options)
    const session = await site.instance.services.sessions.start(user.id)
    await context.addCookies([{ name: 'paxlog', value: session, url: site.base }])
    // Without preserveDrawingBuffer, the pixels cannot be read after the frame is shown.
    await context.addInitScript(`{
      const { getContext } = HTMLCanvasElement.prototype
      HTMLCanvasElement.prototype.getContext = function (kind, options) {
        return getContext.call(this, kind, { ...options, preserveDrawingBuffer: true })
      }
    }`)
    tab = await context.newPage()
    tab.setDefaultTimeout(TIMEOUT_MS)
  }, TIMEOUT_MS)

  afterAll(() => site?.close())

  async function addAirport(icao: string, latitude: number, longitude: number): Promise<number> {
    const body = { icao, name: icao, latitude, longitude, timezone: 'UTC', country: 'CH', continent: 'EU' }
    const { status, body: answer, text } = await site.instance.as(user).post('/airports', body)
    if (status !== 201) throw new Error(text)
    return answer.data.id
  }

  /** Adds a flight of 20 km across a place. */
  async function addShortFlight(index: number, latitude: number, longitude: number): Promise<number> {
    const fromId = await addAirport(`QA${index}A`, latitude - 0.09, longitude)
    const toId = await addAirport(`QA${index}B`, latitude + 0.09, longitude)
    const { status, body, text } = await site.instance.as(user).post('/flights', { date: '2024-03-01', fromId, toId })
    if (status !== 201) throw new Error(text)
    return body.data.id
  }

  /** Returns the colours at offsets from the centre, once the picture has settled. */
  const coloursAt = (): Promise<number[][]> =>
    tab.evaluate(`(async () => {
      const canvas = document.querySelector('.stage canvas')
      const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
      const read = () => {
        context.drawImage(canvas, 0, 0)
        return context.getImageData(0, 0, canvas.width, canvas.height).data
      }
      let picture = read()
      for (let before; before === undefined || picture.some((value, index) => value !== before[index]); ) {
        before = picture
        await new Promise((resolve) => setTimeout(resolve, ${SETTLE_MS}))
        picture = read()
      }
      return ${JSON.stringify(offsets)}.map(([right, down]) => {
        const at = 4 * (Math.round(canvas.height / 2 + down) * canvas.width + Math.round(canvas.width / 2 + right))
        return [...picture.slice(at, at + 3)]
      })
    })()`)

  /** Zooms in to the maximum and then out, and returns where the ground is wrong. */
  async function groundErrorsAtAllZooms(expected: Ground, stepsOut: number): Promise<string[]> {
    const errors: string[] = []
    async function check(when: string) {
      const right = (await coloursAt()).filter((colour) => groundOf(colour) === expected).length
      if (right < offsets.length * MIN_SHARE) errors.push(`${when}: ${right} of ${offsets.length} are ${expected}`)
    }
    async function zoom(name: 'Zoom in' | 'Zoom out', steps: number) {
      for (let step = 1; step <= steps; step++) {
        await tab.getByRole('button', { name }).click()
        await check(`${name} ${step}`)
      }
    }
    await check('opened')
    await zoom('Zoom in', STEPS_IN)
    await zoom('Zoom out', stepsOut)
    return errors
  }

  test.each(chosen.map((place, index) => [...place, index] as const))(
    'are correct in the %s at every zoom, on the globe and flat',
    { timeout: TIMEOUT_MS },
    async (name, latitude, longitude, expected, stepsOut, index) => {
      const id = await addShortFlight(index, latitude, longitude)
      const fine = tab.waitForResponse(/\/world-detail-/)
      await tab.goto(`${site.base}/flights/${id}`)
      await tab.locator('.atlas.live').waitFor()
      await (await fine).finished()
      expect(await smallTargets(tab)).toEqual([])
      const globe = tab.getByRole('button', { name: 'Globe' })
      if ((await globe.getAttribute('aria-pressed')) === 'false') await globe.click()
      const onGlobe = await groundErrorsAtAllZooms(expected, stepsOut)
      await globe.click()
      const flat = await groundErrorsAtAllZooms(expected, stepsOut)
      expect({ onGlobe, flat }).toEqual({ onGlobe: [], flat: [] })
      measured(`${name}: correct at every zoom`)
    },
  )
})
