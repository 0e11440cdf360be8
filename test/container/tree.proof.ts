import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../src/lib/port.ts'
import { copies, dockerStages, type Stage } from '../support/dockerfile.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { root, run, start } from '../support/process.ts'
import { FOREIGN_UID } from './conditions.ts'
import { assemble, layOut } from './tree.ts'

const [build] = dockerStages() as [Stage]
const isRoot = process.getuid?.() === 0

const listing = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

/** Starts the tree as a user who owns nothing of it, with a directory of its own for the data. */
async function serveTree(tree: string) {
  const dataDir = join(tree, '../data')
  mkdirSync(dataDir)
  chownSync(dataDir, FOREIGN_UID, FOREIGN_UID)
  const before = listing(tree)
  const port = await freePort('127.0.0.1')
  const env = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir }
  // No home, no place for temporary files, no cache.
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

// Another user can be taken on by root only.
describe.runIf(isRoot)('the tree of the image', () => {
  test('serves from read-only files, as any user, and writes to DATA_DIR alone', { timeout: 600_000 }, async () => {
    await serveTree(assemble())
  })

  test.runIf(process.env.PAXLOG_SLOW_TESTS)(
    'is made by the steps of the Dockerfile',
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
      const tree = assemble(join(folder, 'image'))
      // The names of the bundle's pieces depend on where the packages lie.
      const besideBundle = (folder: string) => listing(folder).filter((name) => !name.startsWith('dist/'))
      expect(besideBundle(tree)).toEqual(besideBundle(layOut()))
      await serveTree(tree)
    },
  )
})
