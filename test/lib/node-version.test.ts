import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/lib/package-root.ts'
import { dist, root, run } from '../support/process.ts'

const check = (version: string) =>
  run([
    '--input-type=module',
    '-e',
    `const { requireNode } = await import('${root}/src/lib/node-version.ts'); requireNode('${version}'); console.log('went on')`,
  ])

describe('Node version check', () => {
  test.each(['22.14.0', '22.20.1', '23.6.0', '24.0.0', '24.21.0', '30.1.2'])('accepts %s', async (version) => {
    const { code, stdout } = await check(version)
    expect([code, stdout]).toEqual([0, 'went on\n'])
  })

  test.each(['22.13.9', '22.12.0', '23.5.0', '20.20.2', '18.0.0', 'nonsense'])(
    'exits with a message on %s',
    async (version) => {
      const { code, stdout, stderr } = await check(version)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(
        new RegExp(`^Paxlog needs Node 22\\.14, 23\\.6 or newer, but this is Node ${version}\\. .*\\.\\n$`),
      )
    },
  )

  test('runs before modules that an old Node cannot load', () => {
    // Static imports of the entry points must load on an old Node. Other modules use `await import`.
    const staticImports = (file: string): string[] =>
      [
        ...readFileSync(dist(file), 'utf8').matchAll(/^\s*(?:import|}) *(?:[^'"]*from *)?["']\.\/([^"']+)["']/gm),
      ].flatMap(([, name]) => [name!, ...staticImports(name!)])
    for (const entry of ['main.js', 'cli.js']) {
      const text = [entry, ...staticImports(entry)].map((file) => readFileSync(dist(file), 'utf8')).join('\n')
      expect(text).not.toMatch(/better-sqlite3|argon2/)
      expect(text).toMatch(/await import\(/)
    }
    const allFiles = readdirSync(dist('.'))
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(dist(file), 'utf8'))
    expect(allFiles.join('\n')).toMatch(/from ?"better-sqlite3"/)
  })

  const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path))
  test.runIf(oldNode)('applies to the built programs on the Node of this machine', async () => {
    const { stdout: version } = await run(['--version'], { program: oldNode! })
    const isOld = Number(/\d+/.exec(version)![0]) < 22
    for (const [entry, ...args] of [['cli.js', 'version'], isOld && ['main.js']].filter((args) => args !== false)) {
      const { code, stdout, stderr } = await run([dist(entry!), ...args], { program: oldNode! })
      if (isOld) expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^Paxlog needs Node .*\.\n$/)])
      else expect([code, stdout]).toEqual([0, expect.stringMatching(/^paxlog /)])
    }
  })
})

test('the package root contains package.json, migrations and the shipped data', () => {
  expect(packageRoot).toBe(root)
  for (const name of ['package.json', 'migrations', 'src/domain/reference/data']) {
    expect(existsSync(`${packageRoot}/${name}`)).toBe(true)
  }
})
