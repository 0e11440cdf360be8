import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { freePort } from '../../src/lib/port.ts'
import { launchChromium } from '../support/chromium.ts'
import { referenceRows } from '../support/factory.ts'
import { type Paxlog, sharedPaxlog } from '../support/paxlog.ts'
import { describeInChromium } from '../support/visited.ts'

const PASSWORD = 'correct horse battery'
const FLIGHTS = 60

/** A network connection that can be cut. */
function cable(port: number, target: number) {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  return {
    async plug(): Promise<void> {
      server = createServer((socket) => {
        const onward = connect(target, '127.0.0.1')
        for (const end of [socket, onward]) {
          sockets.add(end)
          end.on('error', () => end.destroy()).on('close', () => sockets.delete(end))
        }
        socket.pipe(onward).pipe(socket)
      })
      await once(server.listen(port, '127.0.0.1'), 'listening')
    },
    async cut(): Promise<void> {
      const closed = once(server!.close(), 'close')
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

describeInChromium('reading without a connection', () => {
  let instance: Paxlog
  let browser: Browser
  let network: ReturnType<typeof cable>
  let base: string
  let ids: number[]

  beforeAll(async () => {
    const [port, target] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')]
    base = `http://localhost:${port}`
    instance = await sharedPaxlog({ baseUrl: base })
    const { app, services, db, as, key } = instance
    const mira = await services.users.createOwner({ username: 'mira', password: PASSWORD })
    for (const username of ['noor', 'ines']) {
      await services.users.create(operator, { username, displayName: username, password: PASSWORD })
    }
    const { airports } = referenceRows(db)
    const api = as(key(mira.id))
    ids = []
    for (let day = 0; day < FLIGHTS; day++) {
      const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
      const { body } = await api.post('/flights', {
        date,
        fromId: airports.ZRH,
        toId: airports.LIS,
        note: `Note ${day}`,
      })
      ids.unshift(body.data.id)
    }
    await app.listen({ host: '127.0.0.1', port: target })
    network = cable(port, target)
    await network.plug()
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
    await network?.cut()
    await instance?.close()
  })

  /** Without the form, which limits attempts. */
  async function signIn(context: BrowserContext, username: string): Promise<Page> {
    const { id } = instance.services.users.findByName(username)!
    await context.addCookies([{ name: 'paxlog', value: await instance.services.sessions.start(id), url: base }])
    const tab = await context.newPage()
    await tab.goto(base)
    await tab.locator('details.account').waitFor()
    return tab
  }

  async function switchOn(tab: Page): Promise<void> {
    await tab.goto(`${base}/settings/preferences`)
    await tab.getByRole('button', { name: 'Turn on' }).click()
    await tab.getByText('On. Your flights are stored in this browser.').waitFor()
  }

  async function signOut(tab: Page): Promise<void> {
    await tab.locator('.account > summary').click()
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await tab.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  }

  const storedPaths = (tab: Page): Promise<string[]> =>
    tab.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith('pages-'))
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })

  async function withoutNetwork(work: () => Promise<void>): Promise<void> {
    await network.cut()
    try {
      await work()
    } finally {
      await network.plug()
    }
  }

  test('is off until it is turned on, and off again when it is turned off', async () => {
    const context = await browser.newContext()
    const tab = await signIn(context, 'mira')
    await tab.goto(`${base}/flights/${ids[0]}`)
    expect(await tab.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
    await switchOn(tab)
    expect(await storedPaths(tab)).toHaveLength(51)
    await tab.getByRole('button', { name: 'Turn off' }).click()
    await tab.getByText('Off. Nothing is stored in this browser.').waitFor()
    expect(await tab.evaluate(() => caches.keys())).toEqual([])
    await withoutNetwork(async () => {
      await expect(tab.goto(base)).rejects.toThrow('ERR_CONNECTION_REFUSED')
    })
    await context.close()
  })

  test('shows home and the last 50 flights, marked and without forms, and a message for other pages', async () => {
    const context = await browser.newContext()
    const tab = await signIn(context, 'mira')
    await switchOn(tab)
    await withoutNetwork(async () => {
      await tab.goto(base)
      await tab.getByText('You are offline. You can read this stored copy').waitFor()
      expect(await tab.locator('form:visible').count()).toBe(0)
      // The style sheet is stored too.
      expect(await tab.evaluate(() => getComputedStyle(document.body).margin)).toBe('0px')
      for (const id of [ids[0], ids[49]]) {
        await tab.goto(`${base}/flights/${id}`)
        await tab.getByText('You are offline. You can read this stored copy').waitFor()
        await tab.getByText(`Note ${FLIGHTS - 1 - ids.indexOf(id!)}`, { exact: true }).waitFor()
      }
      for (const path of [`/flights/${ids[55]}`, '/statistics', '/?page=2']) {
        await tab.goto(base + path)
        await tab.getByText('This page is not stored on this device.').waitFor()
      }
    })
    await tab.getByRole('link', { name: 'Try again' }).click()
    await tab.locator('details.account').waitFor()
    expect(await tab.getByText('You are offline.').isVisible()).toBe(false)
    await context.close()
  })

  test('stores pages without their notice, also if it is a warning', async () => {
    const context = await browser.newContext()
    const tab = await signIn(context, 'mira')
    await switchOn(tab)
    await tab.goto(base)
    await tab.locator('details.bulk > summary').click()
    await tab.getByRole('button', { name: 'Change', exact: true }).click()
    await tab.getByText('Select at least one flight.').waitFor()
    // Each page has its own token.
    const token = (await tab.locator('input[name="csrf"]').first().getAttribute('value'))!
    const isStored = (text: string) =>
      tab.evaluate(async (part) => {
        const home = await caches.match('/', { ignoreVary: true })
        return home !== undefined && (await home.text()).includes(part)
      }, text)
    await expect.poll(() => isStored(token)).toBe(true)
    expect(await isStored('Select at least one flight.')).toBe(false)
    await context.close()
  })

  test('keeps at most 50 flights, the latest opened ones', async () => {
    const context = await browser.newContext()
    const tab = await signIn(context, 'mira')
    await switchOn(tab)
    await tab.goto(`${base}/flights/${ids[55]}`)
    await expect.poll(() => storedPaths(tab)).toContain(`/flights/${ids[55]}`)
    const paths = await storedPaths(tab)
    expect([paths.length, paths.includes('/')]).toEqual([51, true])
    await context.close()
  })

  test('forgets everything at sign-out, so that the next account sees nothing', async () => {
    const context = await browser.newContext()
    const tab = await signIn(context, 'mira')
    await switchOn(tab)
    await tab.goto(base)
    await signOut(tab)
    expect(await storedPaths(tab)).toEqual([])
    const other = await signIn(context, 'noor')
    await switchOn(other)
    expect(await storedPaths(other)).toEqual(['/'])
    await withoutNetwork(async () => {
      await other.goto(base)
      await other.getByText('You are offline.').waitFor()
      expect(await other.content()).not.toContain('Zurich')
      await other.goto(`${base}/flights/${ids[0]}`)
      await other.getByText('This page is not stored on this device.').waitFor()
    })
    await context.close()
  })

  test('forgets everything when a page redirects to the sign-in', async () => {
    const context = await browser.newContext()
    const tab = await signIn(context, 'mira')
    await switchOn(tab)
    // Another browser ended the session.
    const cookie = (await context.cookies()).find(({ name }) => name === 'paxlog')!
    await instance.services.sessions.end(cookie.value)
    await tab.goto(`${base}/statistics`)
    await tab.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    await expect.poll(() => storedPaths(tab)).toEqual([])
    await withoutNetwork(async () => {
      await tab.goto(base)
      await tab.getByText('This page is not stored on this device.').waitFor()
    })
    await context.close()
  })

  test('forgets the pages of another session, even without a sign-out', async () => {
    const context = await browser.newContext()
    const tab = await signIn(context, 'mira')
    await switchOn(tab)
    const noor = instance.services.users.findByName('noor')!
    await context.addCookies([{ name: 'paxlog', value: await instance.services.sessions.start(noor.id), url: base }])
    await tab.goto(`${base}/statistics`)
    await expect.poll(() => storedPaths(tab)).toEqual([])
    await context.close()
  })

  test('forgets everything when the account is deleted', async () => {
    const context = await browser.newContext()
    const tab = await signIn(context, 'ines')
    await switchOn(tab)
    await tab.goto(`${base}/settings/security`)
    await tab.locator('summary', { hasText: 'Delete my account' }).click()
    await tab.getByLabel(/^Type .+ to confirm$/).fill('ines')
    await tab.getByLabel('Your password').fill(PASSWORD)
    await tab.getByRole('button', { name: 'Delete my account' }).click()
    await tab.getByRole('heading', { name: 'Your account was deleted' }).waitFor()
    expect(await tab.evaluate(() => caches.keys())).toEqual([])
    await context.close()
  })
})
