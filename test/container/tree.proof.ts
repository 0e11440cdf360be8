import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../src/lib/port.ts'
import { copies, dockerStages, type Stage } from '../support/dockerfile.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { root, run, start } from '../support/process.ts'
import { FOREIGN_UID } from './conditions.ts'
import { buildImageFiles, createProgramFolder } from './tree.ts'

const [build] = dockerStages() as [Stage]
const isRoot = process.getuid?.() === 0

const listing = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

/** Starts the program as a user who owns only the data directory. */
async function serveTree(tree: string) {
  const dataDir = join(tree, '../data')
  mkdirSync(dataDir)
  chownSync(dataDir, FOREIGN_UID, FOREIGN_UID)
  const before = listing(tree)
  const port = await freePort('127.0.0.1')
  const env = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir }
  const options = {
    cwd: tree,
    uid: FOREIGN_UID,
    env: { ...env, HOME: '/nowhere', TMPDIR: '/nowhere', NODE_COMPILE_CACHE: '' },
  }
  const child = start(['dist/main.js'], options)
  const health = () => run(['dist/cli.js', 'healthcheck'], options)
  await expect.poll(async () => (await health()).stdout, { timeout: 600_000, interval: 300 }).toBe('ok\n')
  const created = await run(['dist/cli.js', 'user', 'create', '--owner', '--username', 'ada', '--password-stdin'], {
    ...options,
    input: 'correct horse\n',
  })
  expect([created.code, created.stderr]).toEqual([0, ''])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(listing(tree)).toEqual(before)
  expect(listing(dataDir)).toEqual(['paxlog.db'])
}

// Only root can switch to another user.
describe.runIf(isRoot)('the program folder of the image', () => {
  test('works read-only as any user and writes only to DATA_DIR', { timeout: 600_000 }, async () => {
    await serveTree(createProgramFolder())
  })

  test.runIf(process.env.PAXLOG_SLOW_TESTS)(
    'results from the steps of the Dockerfile',
    { timeout: 600_000 },
    async () => {
      const folder = temporaryFolder()
      for (const { name, text } of build.instructions) {
        if (name === 'COPY') {
          for (const { sources, target } of copies({ from: '', instructions: [{ name, text }] })) {
            for (const source of sources)
              cpSync(join(root, source), join(folder, target, target === './' ? source : ''), { recursive: true })
          }
        }
        if (name === 'RUN') {
          const { status } = spawnSync('sh', ['-ec', text], { cwd: folder, stdio: 'inherit' })
          expect([text, status]).toEqual([text, 0])
        }
      }
      const tree = createProgramFolder(join(folder, 'image'))
      // Chunk names of the bundle depend on the path of the packages.
      const withoutBundle = (folder: string) => listing(folder).filter((name) => !name.startsWith('dist/'))
      expect(withoutBundle(tree)).toEqual(withoutBundle(buildImageFiles()))
      await serveTree(tree)
    },
  )
})
