import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../src/lib/port.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { root, run, start } from '../support/process.ts'

/** A folder without `node_modules` above it. */
function installed(): string {
  const folder = temporaryFolder()
  const archive = execFileSync(process.execPath, ['src/build/tarball.ts', folder], { cwd: root, encoding: 'utf8' })
  execFileSync('tar', ['-xzf', archive.trim(), '-C', folder])
  const [name] = readdirSync(folder).filter((each) => !each.endsWith('.gz'))
  return join(folder, name!)
}

describe('the release tarball', () => {
  test('runs in an empty folder with Node alone', { timeout: 600_000 }, async () => {
    const folder = installed()
    const dataDir = join(dirname(folder), 'data')
    mkdirSync(dataDir)
    const port = await freePort('127.0.0.1')
    const env = {
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    }
    const paxlog = (args: string[], input?: string) =>
      run(args, { program: join(folder, 'paxlog'), cwd: dataDir, env, ...(input !== undefined && { input }) })

    const server = start([join(folder, 'dist/main.js')], { cwd: dataDir, env })
    await expect
      .poll(async () => (await paxlog(['healthcheck'])).stdout, { timeout: 600_000, interval: 300 })
      .toBe('ok\n')
    const created = await paxlog(
      ['user', 'create', '--owner', '--username', 'ada', '--password-stdin'],
      'correct horse\n',
    )
    expect([created.code, created.stderr]).toEqual([0, ''])
    const page = await fetch(`http://127.0.0.1:${port}/login`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Sign in')])
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})
