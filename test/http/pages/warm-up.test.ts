import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { largeFlights } from '../../support/large-flights.ts'
import { signedIn } from '../../support/pages.ts'
import { temporaryFolder } from '../../support/paxlog.ts'
import { places } from '../../support/travel.ts'
import { built } from '../../support/watched-server.ts'

/** Tells of every outline of the earth that a process reads. */
const TELL = `
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
const { readFile } = files
files.readFile = (path, ...rest) => {
  if (String(path).includes('land-')) process.stderr.write('reads ' + path + '\\n')
  return readFile(path, ...rest)
}
syncBuiltinESMExports()
`
const flags = ['--import', `data:text/javascript,${encodeURIComponent(TELL)}`]
const environment = () => ({ PATH: process.env.PATH, DATA_DIR: temporaryFolder(), PORT: '0', HOST: '127.0.0.1' })

test('a server that listens gets ready to draw maps before anybody asks for one', async () => {
  const child = spawn(process.execPath, [...flags, join(built(), 'main.js')], { env: environment() })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let told = ''
  while (!told.includes('land-coarse.json')) told += String((await once(child.stderr, 'data'))[0])
  expect(told).toContain('reads')
})

test('and has made the page of whoever was here last, without anybody asking', async () => {
  const clock = { now: Date.now() }
  const { app, services, owner, user } = await signedIn({ now: () => clock.now })
  // Somebody who signed in before is not the last.
  await services.sessions.start(user({ username: 'noor' }).id)
  clock.now += 1000
  await services.sessions.start(owner.id)
  const { logPage } = services.flights
  const made = new Promise((resolve) => {
    services.flights.logPage = (caller, ...rest) => {
      resolve(caller.username)
      return logPage(caller, ...rest)
    }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  expect(await made).toBe('mira')
})

test('which it leaves alone where a log is so long that everybody would wait for it', async () => {
  const { app, db, services, owner, browser } = await signedIn()
  const { ZRH, LIS } = places(db).airports
  largeFlights(db, { fromId: ZRH, toId: LIS, userId: owner.id, flights: 10_001, guests: 0 })
  const { isLong, logPage } = services.flights
  const made = vi.fn(logPage)
  const judged = new Promise((resolve) => {
    services.flights.isLong = (caller) => {
      resolve(caller.username)
      return isLong(caller)
    }
  })
  services.flights.logPage = made
  await app.listen({ host: '127.0.0.1', port: 0 })
  expect(await judged).toBe('mira')
  // One that had been begun before would be done with this one.
  expect((await browser.get('/')).status).toBe(200)
  expect(made).toHaveBeenCalledOnce()
})

test('a command needs nothing of it', () => {
  const cli = join(built(), 'cli.js')
  const input = 'correct horse battery'
  const words = ['user', 'create', '--owner', '--username', 'mira', '--password-stdin']
  const { status, stderr } = spawnSync(process.execPath, [...flags, cli, ...words], { env: environment(), input })
  expect([status, String(stderr).includes('reads')]).toEqual([0, false])
})
