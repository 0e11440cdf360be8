import { expect, test } from 'vitest'
import { root, run } from '../support/process.ts'

/** The same tests that run on a file: whoever calls must not see the difference. */
test('every test of the surfaces passes over PostgreSQL', async () => {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', '--project', 'http']
  const { code, stdout, stderr } = await run([...args, 'test/http'], {
    cwd: root,
    env: { TEST_ENGINE: 'postgres', HOME: process.env.HOME ?? '/tmp' },
  })
  expect(code, `${stdout}${stderr}`.slice(-20_000)).toBe(0)
})
