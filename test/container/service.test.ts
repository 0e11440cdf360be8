import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from '../../src/app/config.ts'
import { imageEnvironment } from '../support/image-environment.ts'
import { root } from '../support/process.ts'

const unit = join(root, 'deploy/paxlog.service')
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const isInstalled = analyze('--version').status === 0

describe('deploy/paxlog.service', () => {
  const variables = [...readFileSync(unit, 'utf8').matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => ({
    name: name!,
    value: value!,
  }))

  test('sets only known settings, and malloc like the image', () => {
    const known = [...settings.map(({ name }) => name), 'NODE_ENV', ...Object.keys(imageEnvironment)]
    for (const { name } of variables) expect(known).toContain(name)
    expect(Object.fromEntries(variables.map(({ name, value }) => [name, value]))).toMatchObject(imageEnvironment)
  })

  test.runIf(isInstalled)('passes the checks of systemd', () => {
    const { status, stderr } = analyze('verify', unit)
    // The program and its user are not installed here.
    expect([status, stderr.split('\n').filter((line) => line && !/Command .* is not executable/.test(line))]).toEqual([
      0,
      [],
    ])
  })
})
