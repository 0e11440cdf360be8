import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchWithWebGl } from '../support/chromium.ts'
import type { TestUser } from '../support/paxlog.ts'
import { smallTargets } from '../support/touch-targets.ts'
import { describeInChromium, visited } from '../support/visited.ts'

/** Software rendering is slow on a busy machine. */
const TIMEOUT_MS = 600_000

/** A picture that does not change for this long is complete. */
const SETTLE_MS = 200

const [water, land] = ['--sea', '--land']
const places = [
  ['North Sea', 56, 3, water],
  ['mid-Atlantic', 25, -40, water],
  ['Pacific', 10, -140, water],
  ['Black Sea', 43.6, 31.6, water],
  ['Sahara', 23, 10, land],
  ['Antarctica', -80, 65, land],
] as const

const MIN_ZOOM = 1
const MAX_ZOOM = 8
/** Initial zoom of the map of a short flight. */
const INITIAL_ZOOM = 7

/** Offsets from the centre in pixels, outside the marker of the airport. */
const ring = (radius: number) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((part): [number, number] => [
    Math.round(radius * Math.cos((part * Math.PI) / 4)),
    Math.round(radius * Math.sin((part * Math.PI) / 4)),
  ])

/** Labels cover some points, so one point of the expected colour is enough if none has the other. */
const offsetsAt = (zoom: number) => [...ring(6), ...(zoom > 3 ? ring(24) : [])]

type Colours = Record<typeof water | typeof land, string>

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
  const coloursAt = (offsets: readonly [number, number][]): Promise<string[]> =>
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
        return picture.slice(at, at + 3).join()
      })
    })()`)

  /** Returns the colours that the page defines for water and land. */
  const groundColours = (): Promise<Colours> =>
    tab.evaluate(`(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      const colourOf = (name) => {
        probe.style.backgroundColor = 'var(' + name + ')'
        return getComputedStyle(probe).backgroundColor.match(/[0-9]+/g).join()
      }
      const colours = { '--sea': colourOf('--sea'), '--land': colourOf('--land') }
      probe.remove()
      return colours
    })()`)

  /** Returns a message if the colours around the centre are wrong. */
  async function colourErrorAt(zoom: number, expected: typeof water | typeof land): Promise<string | undefined> {
    const known = await groundColours()
    const found = await coloursAt(offsetsAt(zoom))
    const count = (name: typeof water | typeof land) => found.filter((colour) => colour === known[name]).length
    const other = expected === water ? land : water
    if (count(other) === 0 && count(expected) > 0) return undefined
    return `${count(expected)} of ${found.length} are ${expected} and ${count(other)} are ${other}`
  }

  /** Zooms in from the initial zoom to the maximum, then out to the minimum. */
  async function colourErrorsAtAllZooms(expected: typeof water | typeof land): Promise<string[]> {
    const errors: string[] = []
    let zoom = INITIAL_ZOOM
    const check = async (direction: string) => {
      const error = await colourErrorAt(zoom, expected)
      if (error) errors.push(`${direction} at zoom ${zoom}: ${error}`)
    }
    const zoomTo = async (step: 1 | -1, end: number) => {
      while (zoom !== end) {
        await tab.getByRole('button', { name: step > 0 ? 'Zoom in' : 'Zoom out' }).click()
        zoom += step
        await check(step > 0 ? 'in' : 'out')
      }
    }
    await check('opened')
    await zoomTo(1, MAX_ZOOM)
    await zoomTo(-1, MIN_ZOOM)
    return errors
  }

  test.each(places.map((place, index) => [...place, index] as const))(
    'are correct in the %s at every zoom, on the globe and flat',
    { timeout: TIMEOUT_MS },
    async (_name, latitude, longitude, expected, index) => {
      const id = await addShortFlight(index, latitude, longitude)
      const fine = tab.waitForResponse(/\/land-fine-/)
      await tab.goto(`${site.base}/flights/${id}`)
      await tab.locator('.atlas.live').waitFor()
      await (await fine).finished()
      expect(await smallTargets(tab)).toEqual([])
      const globe = tab.getByRole('button', { name: 'Globe' })
      if ((await globe.getAttribute('aria-pressed')) === 'false') await globe.click()
      const onGlobe = await colourErrorsAtAllZooms(expected)
      await globe.click()
      const flat = await colourErrorsAtAllZooms(expected)
      expect({ onGlobe, flat }).toEqual({ onGlobe: [], flat: [] })
    },
  )
})
