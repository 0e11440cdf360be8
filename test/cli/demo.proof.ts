import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { createServices } from '../../src/app/services.ts'
import { demoFlights, fillDemo } from '../../src/cli/demo.ts'
import { jsonOf } from '../../src/contract/answer.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { CustomFieldWrite } from '../../src/domain/custom-fields/contract.ts'
import type { Flight } from '../../src/domain/flights/contract.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { cli, dist, loadedFolder, objects, serve, start } from '../support/process.ts'

const NOON = Date.parse('2026-08-02T12:00:00Z')

/** Services over a folder with the shipped data, at a fixed time. */
async function instance(now = NOON) {
  const db = openDatabase(loadedFolder())
  onTestFinished(() => closeDatabase(db))
  const services = createServices({ db, clock: () => now })
  await services.roles.installBuiltIn()
  return services
}

const flightsOf = ({ flights }: Awaited<ReturnType<typeof instance>>): Flight[] =>
  flights.log.read(flights.log.ids('all'))

async function filledInstance(now = NOON) {
  const services = await instance(now)
  const summary = await fillDemo(services, { clock: () => now, passwordOf: () => 'correct horse battery' })
  return { services, summary, flights: flightsOf(services) }
}

/** The fields of a flight without ids and timestamps, which differ between instances. */
const comparable = ({ id: _, createdAt: __, updatedAt: ___, track, passengers, ...flight }: Flight) => ({
  ...flight,
  track: track?.pointCount,
  passengers: passengers.map(({ id: _id, user, ...passenger }) => ({ ...passenger, user: user?.username })),
})

describe('paxlog demo', () => {
  test('fills an empty folder and prints how to sign in', {
    timeout: 600_000,
  }, async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const finished = await cli(['demo', '--data-dir', dataDir])
    expect([finished.code, finished.stderr]).toEqual([0, ''])
    const [report] = objects(finished)
    expect(report).toEqual({
      users: [
        { username: 'ines', password: expect.stringMatching(/^\w{15}$/) },
        { username: 'jonas', password: expect.stringMatching(/^\w{15}$/) },
      ],
      flights: expect.any(Number),
    })
    expect(report.flights).toBeGreaterThan(180)
    expect(report.flights).toBeLessThan(230)

    const createdKey = await cli([
      'key',
      'create',
      '--username',
      'ines',
      '--name',
      'x',
      '--scopes',
      'all',
      '--data-dir',
      dataDir,
    ])
    const headers = { authorization: `Bearer ${objects(createdKey)[0].key}` }
    const { origin } = await serve({ dataDir })
    const get = async (path: string) => (await fetch(`${origin}/api/v1${path}`, { headers })).json()
    let [seen, cursor] = [0, '']
    do {
      const { data, page } = await get(`/flights?scope=all&limit=100${cursor}`)
      seen += data.length
      cursor = page.nextCursor && `&cursor=${page.nextCursor}`
    } while (cursor)
    expect(seen).toBe(report.flights)
    expect((await get('/stats?scope=all')).data.distanceKm).toBeGreaterThan(300_000)
    expect((await fetch(`${origin}/share/ines-everywhere`)).status).toBe(200)

    const again = await cli(['demo', '--data-dir', dataDir])
    expect([again.code, again.stdout]).toEqual([1, ''])
    expect(again.stderr).toBe('This instance already has flights. The demo needs an instance without flights.\n')
  })

  test('reads one password from stdin and rejects an invalid one before it creates anything', {
    timeout: 600_000,
  }, async () => {
    const dataDir = loadedFolder()
    const bad = await cli(['demo', '--password-stdin', '--data-dir', dataDir], { input: 'short\n' })
    expect([bad.code, bad.stdout]).toEqual([1, ''])
    expect(bad.stderr).toContain('Must have at least 8 characters.')
    const good = await cli(['demo', '--password-stdin', '--data-dir', dataDir], { input: 'correct horse battery\n' })
    expect(objects(good)[0].users.map(({ password }: { password: string }) => password)).toEqual(
      Array(2).fill('correct horse battery'),
    )
  })

  test('--serve signs in with its link, and deletes its data when it ends', { timeout: 600_000 }, async () => {
    const temporary = temporaryFolder()
    const dataDir = join(temporary, 'untouched')
    const child = start([dist('cli.js'), 'demo', '--serve'], {
      env: { TMPDIR: temporary, DATA_DIR: dataDir, HOST: '0.0.0.0' },
    })
    const exited = once(child, 'exit')
    let output = ''
    for await (const chunk of child.stdout!) {
      output += chunk
      if (output.includes('Ctrl-C')) break
    }
    const [link, origin] = /(http:\/\/127\.0\.0\.1:\d+)\/demo\/[\w-]{43}/.exec(output)!
    expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^paxlog-demo-/)])

    const entered = await fetch(link!, { redirect: 'manual' })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/'])
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
    const home = await fetch(`${origin}/`, { headers: { cookie } })
    expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('Inês Sørlie')])
    expect((await fetch(`${origin}/demo/${'x'.repeat(43)}`, { redirect: 'manual' })).status).toBe(404)
    expect((await fetch(`${origin}/`, { redirect: 'manual' })).headers.get('location')).toContain('/login')

    child.kill('SIGTERM')
    expect((await exited)[0]).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
  })

  test('--serve accepts no data directory and no password', async () => {
    for (const args of [['--data-dir', temporaryFolder()], ['--password-stdin']]) {
      const { code, stderr } = await cli(['demo', '--serve', ...args])
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('--serve has no password and its own data directory.'),
      ])
    }
  })

  test('leaves no data when it is killed', { timeout: 600_000 }, async () => {
    const dataDir = loadedFolder()
    const log = join(dataDir, 'paxlog.db-wal')
    const child = spawn(process.execPath, [dist('cli.js'), 'demo', '--data-dir', dataDir], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    // Kill it as soon as the write-ahead log holds a part of the data.
    const timer = setInterval(() => {
      if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 100_000) child.kill('SIGKILL')
    }, 1)
    await ended
    clearInterval(timer)
    const db = openDatabase(dataDir)
    onTestFinished(() => closeDatabase(db))
    const count = (table: string) => db.$client.prepare(`select count(*) from ${table}`).pluck().get() as number
    const found = [count('users'), count('flights') > 180, count('shares')]
    // The command may complete before the signal arrives, but must not leave a part of the data.
    expect([
      [0, false, 0],
      [2, true, 2],
    ]).toContainEqual(found)
    if (count('flights') === 0) expect((await cli(['demo', '--data-dir', dataDir])).code).toBe(0)
  })

  test('creates the same log on the same day', async () => {
    const [one, other] = [await filledInstance(), await filledInstance()]
    expect(one.flights.map(comparable)).toEqual(other.flights.map(comparable))
  })

  test('has two users, guests, remote places, imprecise dates and upcoming trips', async () => {
    const { flights, services, summary } = await filledInstance()
    expect(summary.flights).toBe(flights.length)
    const flightsWith = (name: string) =>
      flights.filter(({ passengers }) => passengers.some(({ user }) => user?.username === name))
    expect(flightsWith('ines').length).toBeGreaterThan(80)
    expect(flightsWith('jonas').length).toBeGreaterThan(80)
    const count = (fits: (flight: Flight) => boolean) => flights.filter(fits).length
    expect(count(({ passengers }) => passengers.filter(({ user }) => user).length === 2)).toBeGreaterThan(20)
    expect(count(({ passengers }) => passengers.some(({ guestName }) => guestName))).toBeGreaterThan(3)
    expect(count(({ datePrecision }) => datePrecision === 'year')).toBeGreaterThan(0)
    expect(count(({ datePrecision }) => datePrecision === 'month')).toBeGreaterThan(2)
    expect(count(({ date, departure }) => date > '2026-08-02' && departure === null)).toBe(4)
    expect(count(({ date, departure }) => date < '2026-08-02' && date > '2016' && departure === null)).toBe(0)
    expect(count(({ track }) => track !== null)).toBe(3)
    expect(count(({ customFields }) => 'booking_reference' in customFields)).toBeGreaterThan(20)
    expect(count(({ passengers }) => passengers.some(({ customFields }) => 'meal' in customFields))).toBeGreaterThan(5)
    expect(count(({ note }) => /[^ -~]/.test(note ?? ''))).toBeGreaterThan(8)
    for (const name of ['ines', 'jonas']) {
      const caller = { ...operator, userId: services.users.findByName(name)!.id }
      expect(services.visited.list(caller).length).toBeGreaterThan(4)
      expect(services.shares.list(caller)).toHaveLength(1)
    }
  })

  test('has plausible speeds and ranges', async () => {
    const { flights } = await filledInstance()
    for (const { departure, arrival, distanceKm, duration, flightNumber } of flights) {
      if (!departure || !arrival) continue
      const speed = distanceKm! / ((duration! - 20 * 60) / 3600)
      expect([flightNumber, speed > 350 && speed < 1000]).toEqual([flightNumber, true])
    }
  })

  test.each(['2026-01-01', '2026-08-02', '2028-02-29', '2031-12-31'])(
    'never puts a user on two flights at the same time, on %s',
    async (today) => {
      const flights = demoFlights(today, (await instance()).reference)
      expect(flights.length).toBeGreaterThan(180)
      expect(flights.length).toBeLessThan(230)
      expect(flights.filter(({ date }) => date >= today)).toHaveLength(4)
      for (const name of ['ines', 'jonas']) {
        const times = flights
          .filter(
            ({ passengers, datePrecision }) =>
              datePrecision === 'day' && passengers.some(({ person }) => person === name),
          )
          .map(({ flightNumber, ...flight }) => ({
            flightNumber,
            leaves: (flight.departure ?? flight.departureScheduled)!,
            lands: (flight.arrival ?? flight.arrivalScheduled)!,
          }))
          .toSorted((a, b) => (a.leaves < b.leaves ? -1 : 1))
        const tooEarly = times.slice(1).filter(({ leaves }, index) => leaves <= times[index]!.lands)
        expect(tooEarly).toEqual([])
      }
    },
  )

  test('has a track across the Arctic and one across the date line at jet altitudes', async () => {
    const { services, flights } = await filledInstance()
    async function pointsOf(number: string): Promise<number[][]> {
      const { id } = flights.find(({ flightNumber, track }) => flightNumber === number && track)!
      const json = jsonOf(await services.tracks.get(operator, id)) as readonly Buffer[]
      return JSON.parse(Buffer.concat(json).toString()).coordinates
    }
    const [polar, pacific] = [await pointsOf('EK215'), await pointsOf('NZ5')]
    expect(Math.max(...polar.map(([, latitude]) => latitude!))).toBeGreaterThan(80)
    const longitudes = pacific.map(([longitude]) => longitude!)
    expect([Math.max(...longitudes) > 170, Math.min(...longitudes) < -170]).toEqual([true, true])
    const heights = pacific.map(([, , altitude]) => altitude!)
    expect([heights[0], Math.max(...heights), heights.at(-1)]).toEqual([0, 11_300, 0])
  })

  test('uses an existing owner and a free username for the second user', async () => {
    const services = await instance()
    await services.users.createOwner({ username: 'mira', password: 'correct horse battery', displayName: 'Mira' })
    await services.users.create(operator, { username: 'Jonas', password: 'correct horse battery' })
    const { users } = await fillDemo(services, { clock: () => NOON })
    expect(users).toEqual([{ username: 'mira' }, { username: 'jonas2', password: expect.any(String) }])
    const flightsOfOtherUser = flightsOf(services).filter(({ passengers }) =>
      passengers.some(({ user }) => user?.username === 'Jonas'),
    )
    expect(flightsOfOtherUser).toEqual([])
  })

  test('fails before it creates anything if a required custom field has no default', async () => {
    const services = await instance()
    const field = { entityType: 'flight', key: 'mood', label: 'Mood', fieldType: 'text', required: true }
    await services.customFields.create(operator, CustomFieldWrite.parse(field))
    await expect(fillDemo(services)).rejects.toThrow(/custom field mood is required/)
    expect([services.users.list(operator), flightsOf(services)]).toEqual([[], []])
  })
})
