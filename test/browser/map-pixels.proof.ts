import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchWithWebGl } from '../support/chromium.ts'
import type { TestUser } from '../support/paxlog.ts'
import { smallTargets } from '../support/touch-targets.ts'
import { describeInChromium, visited } from '../support/visited.ts'

/** Software rendering is slow on a busy machine. */
const TIMEOUT_MS = 600_000

/** A picture that stays the same for this long is complete. */
const STILL_MS = 200

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
/** The map of a short flight opens at this zoom. */
const OPENING_ZOOM = 7

/** Pixels from the centre, clear of the airport there. */
const ring = (radius: number) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((part): [number, number] => [
    Math.round(radius * Math.cos((part * Math.PI) / 4)),
    Math.round(radius * Math.sin((part * Math.PI) / 4)),
  ])

/** A label covers some of these points, so that one of the right colour is enough where none has the other. */
const offsetsAt = (zoom: number) => [...ring(6), ...(zoom > 3 ? ring(24) : [])]

type Colours = Record<typeof water | typeof land, string>

describeInChromium('the colours of the interactive map', () => {
  let visit: Awaited<ReturnType<typeof visited>>
  let user: TestUser
  let tab: Page

  beforeAll(async () => {
    visit = await visited({ launch: launchWithWebGl })
    user = visit.instance.user({ owner: true })
    // Zooms at once instead of in an animation.
    const options = { viewport: { width: 420, height: 700 }, reducedMotion: 'reduce' } as const
    const context = await visit.browser.newContext(options)
    const session = await visit.instance.services.sessions.start(user.id)
    await context.addCookies([{ name: 'paxlog', value: session, url: visit.base }])
    // A drawn picture is gone once it is shown, unless a page asks for it to be kept.
    await context.addInitScript(`{
      const { getContext } = HTMLCanvasElement.prototype
      HTMLCanvasElement.prototype.getContext = function (kind, options) {
        return getContext.call(this, kind, { ...options, preserveDrawingBuffer: true })
      }
    }`)
    tab = await context.newPage()
    tab.setDefaultTimeout(TIMEOUT_MS)
  }, TIMEOUT_MS)

  afterAll(() => visit?.close())

  async function addAirport(icao: string, latitude: number, longitude: number): Promise<number> {
    const body = { icao, name: icao, latitude, longitude, timezone: 'UTC', country: 'CH', continent: 'EU' }
    const { status, body: answer, text } = await visit.instance.as(user).post('/airports', body)
    if (status !== 201) throw new Error(text)
    return answer.data.id
  }

  /** A flight of 20 km across a place. */
  async function addShortFlight(index: number, latitude: number, longitude: number): Promise<number> {
    const fromId = await addAirport(`QA${index}A`, latitude - 0.09, longitude)
    const toId = await addAirport(`QA${index}B`, latitude + 0.09, longitude)
    const { status, body, text } = await visit.instance.as(user).post('/flights', { date: '2024-03-01', fromId, toId })
    if (status !== 201) throw new Error(text)
    return body.data.id
  }

  /** The colours of pixels, by their distance from the centre of the map, once the picture does not change any more. */
  const coloursAt = (offsets: readonly [number, number][]): Promise<string[]> =>
    tab.evaluate(`(async () => {
      const canvas = document.querySelector('.stage canvas')
      const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
      const read = () => {
        pen.drawImage(canvas, 0, 0)
        return pen.getImageData(0, 0, canvas.width, canvas.height).data
      }
      let picture = read()
      for (let before; before === undefined || picture.some((value, index) => value !== before[index]); ) {
        before = picture
        await new Promise((resolve) => setTimeout(resolve, ${STILL_MS}))
        picture = read()
      }
      return ${JSON.stringify(offsets)}.map(([right, down]) => {
        const at = 4 * (Math.round(canvas.height / 2 + down) * canvas.width + Math.round(canvas.width / 2 + right))
        return picture.slice(at, at + 3).join()
      })
    })()`)

  /** As the page defines them. */
  const groundColours = (): Promise<Colours> =>
    tab.evaluate(`(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      const shown = (name) => {
        probe.style.backgroundColor = 'var(' + name + ')'
        return getComputedStyle(probe).backgroundColor.match(/[0-9]+/g).join()
      }
      const colours = { '--sea': shown('--sea'), '--land': shown('--land') }
      probe.remove()
      return colours
    })()`)

  /** What is wrong with the colours around the centre; nothing when they are right. */
  async function faultAt(zoom: number, expected: typeof water | typeof land): Promise<string | undefined> {
    const known = await groundColours()
    const found = await coloursAt(offsetsAt(zoom))
    const count = (name: typeof water | typeof land) => found.filter((colour) => colour === known[name]).length
    const other = expected === water ? land : water
    if (count(other) === 0 && count(expected) > 0) return undefined
    return `${count(expected)} of ${found.length} are ${expected} and ${count(other)} are ${other}`
  }

  /** From the opening zoom to the nearest, and from there to the farthest. */
  async function faultsOfZooms(expected: typeof water | typeof land): Promise<string[]> {
    const faults: string[] = []
    let zoom = OPENING_ZOOM
    const look = async (direction: string) => {
      const fault = await faultAt(zoom, expected)
      if (fault) faults.push(`${direction} at zoom ${zoom}: ${fault}`)
    }
    const go = async (step: 1 | -1, end: number) => {
      while (zoom !== end) {
        await tab.getByRole('button', { name: step > 0 ? 'Zoom in' : 'Zoom out' }).click()
        zoom += step
        await look(step > 0 ? 'in' : 'out')
      }
    }
    await look('opened')
    await go(1, MAX_ZOOM)
    await go(-1, MIN_ZOOM)
    return faults
  }

  test.each(places.map((place, index) => [...place, index] as const))(
    'are right in the %s at every zoom, on the globe and flat, from the page of a short flight',
    { timeout: TIMEOUT_MS },
    async (_name, latitude, longitude, expected, index) => {
      const id = await addShortFlight(index, latitude, longitude)
      const fine = tab.waitForResponse(/\/land-fine-/)
      await tab.goto(`${visit.base}/flights/${id}`)
      await tab.locator('.atlas.live').waitFor()
      await (await fine).finished()
      expect(await smallTargets(tab)).toEqual([])
      const globe = tab.getByRole('button', { name: 'Globe' })
      if ((await globe.getAttribute('aria-pressed')) === 'false') await globe.click()
      const onGlobe = await faultsOfZooms(expected)
      await globe.click()
      const flat = await faultsOfZooms(expected)
      expect({ onGlobe, flat }).toEqual({ onGlobe: [], flat: [] })
    },
  )
})
