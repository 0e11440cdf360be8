import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from '../../src/app/config.ts'
import { version } from '../../src/app/version.ts'
import { allCommands } from '../../src/cli/run.ts'
import { command } from '../support/command.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { cli, objects, run } from '../support/process.ts'

const names = (await allCommands()).map(({ name }) => name)

/** The required arguments of commands. */
const requiredArgs: Record<string, string[]> = {
  'user create': ['--username', 'ada', '--password-stdin'],
  backup: ['never-written.db'],
}

const wrongUsage: [args: string[], sentence: RegExp][] = [
  [['version', '--loud'], /^Unknown option '--loud'\.\n/],
  [['version', 'now'], /^Unexpected argument "now"\.\n/],
  [['backup'], /^An argument is missing\.\n/],
  [['backup', 'a', 'b'], /^Unexpected argument "b"\.\n/],
  [['user', 'create', '--password-stdin'], /^--username is missing\.\n/],
  [['user', 'create', '--username', 'ada'], /^--password-stdin is missing\.\n/],
  [['user', 'create', '--username'], /^Option '--username <value>' argument missing\n/],
  [['user', 'create', '--username', '--password-stdin'], /^Option '--username' argument is ambiguous\.\nusage: /],
  [['user', 'create', '--username', 'ada', '--password', 'secret123'], /^Unknown option '--password'\.\n/],
  [
    ['user', 'create', '--username', 'ada', '--owner', '--role', 'x', '--password-stdin'],
    /^Give either --role or --owner\.\n/,
  ],
  [['user', 'set-role', '--username', 'ada'], /^--role is missing\.\n/],
  [['user', 'reset-password', '--password-stdin'], /^--username is missing\.\n/],
  [['key', 'create', '--username', 'ada', '--name', 'x'], /^--scopes is missing\.\n/],
  [['key', 'create', '--username', 'ada', '--scopes', 'read'], /^--name is missing\.\n/],
  [['key', 'delete'], /^--id is missing\.\n/],
  [['key', 'delete', '--id', 'first'], /^--id must be a positive whole number\.\n/],
  [['key', 'delete', '--id', '0'], /^--id must be a positive whole number\.\n/],
  [['copy', '--to', 'mysql://a:geheim@b/c'], /^--to must be a URL that begins with postgres:\/\/\.\n/],
  [['copy', '--from', ''], /^--from must be a URL that begins with postgres:\/\/\.\n/],
  [['backup', ''], /^An argument is empty\.\n/],
  [['user', 'list', '--data-dir', ''], /^--data-dir is empty\.\n/],
]

describe('paxlog', () => {
  test('lists all commands on stderr and exits with 2 without a command', async () => {
    const { code, stdout, stderr } = await cli([])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^usage: paxlog COMMAND \[OPTIONS\]\n/)
    for (const name of names) expect(stderr).toContain(`  ${name} `)
  })

  test.each(['--help', '-h'])('lists all commands on stdout for %s', async (flag) => {
    const { code, stdout, stderr } = await cli([flag])
    expect([code, stderr]).toEqual([0, ''])
    for (const name of names) expect(stdout).toContain(`  ${name} `)
  })

  test('lists all commands for an unknown one', async () => {
    for (const words of [['fly'], ['user'], ['user', 'fly'], ['key'], ['fly', '--help']]) {
      const { code, stdout, stderr } = await command(words)
      expect([words, code, stdout]).toEqual([words, 2, ''])
      expect(stderr).toMatch(new RegExp(`^Unknown command "${words.join(' ')}"\\.\nusage: paxlog COMMAND`))
    }
  })

  test('user --help lists the commands of that group', async () => {
    const { code, stdout } = await command(['user', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('user set-role')
    expect(stdout).not.toContain('key create')
  })

  test('COMMAND --help prints its usage', async () => {
    for (const name of names) {
      const env = { DATA_DIR: join(temporaryFolder(), 'data') }
      const { code, stdout, stderr } = await command([...name.split(' '), '--help'], { env })
      expect([name, code, stderr]).toEqual([name, 0, ''])
      expect(stdout).toMatch(new RegExp(`^usage: paxlog ${name} .*\\[--data-dir DIR\\]\n`))
      expect(existsSync(env.DATA_DIR)).toBe(false)
    }
  })

  test('serve --help lists the environment variables with their defaults', async () => {
    const { stdout } = await command(['serve', '--help'])
    for (const { name } of settings) expect(stdout).toContain(`\n  ${name} `)
    expect(stdout).toMatch(/^ {2}PORT +listening port; 0 takes a free one \(default 3000\)$/m)
  })

  test('prints an error and the usage line on stderr and exits with 2 for wrong usage', async () => {
    for (const [args, sentence] of wrongUsage) {
      const env = { DATA_DIR: join(temporaryFolder(), 'data') }
      const { code, stdout, stderr } = await command(args, { env, input: 'x\n' })
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toMatch(sentence)
      expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^usage: paxlog \w+.*\[--data-dir DIR\]$/)
      expect(existsSync(env.DATA_DIR)).toBe(false)
    }
  })

  test('prints one line for each invalid setting', async () => {
    for (const name of ['serve', 'user create', 'key list', 'backup', 'openapi', 'doctor', 'healthcheck']) {
      const env = { PORT: 'high', LOG_LEVEL: 'loud', DATA_DIR: join(temporaryFolder(), 'data') }
      const finished = await command([...name.split(' '), ...(requiredArgs[name] ?? [])], { env, input: 'password\n' })
      expect([name, finished.code]).toEqual([name, 1])
      const messages = name === 'doctor' ? objects(finished)[0].message : finished.stderr.trimEnd()
      expect(messages.split('\n')).toEqual([
        'PORT is "high", but it must be a whole number from 0 to 65535.',
        expect.stringMatching(/^LOG_LEVEL is "loud", but it must be one of .*\.$/),
      ])
      expect(existsSync(env.DATA_DIR)).toBe(false)
    }
  })
})

test('version prints name and version despite invalid settings', async () => {
  const { code, stdout, stderr } = await cli(['version'], { env: { PORT: 'high' } })
  expect([code, stdout, stderr]).toEqual([0, `paxlog ${version}\n`, ''])
})

test('openapi prints the document without opening the database', async () => {
  const cwd = temporaryFolder()
  const { code, stdout, stderr } = await cli(['openapi'], { cwd, env: { BASE_URL: 'https://example.org/log' } })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^openapi: 3\.1\.0\n/)
  expect(stdout).toContain('- url: https://example.org/log\n')
  expect(existsSync(join(cwd, 'data'))).toBe(false)
})

test('--data-dir overrides DATA_DIR', async () => {
  const folder = temporaryFolder()
  const [named, given] = [join(folder, 'named'), join(folder, 'given')]
  mkdirSync(named)
  const { code } = await cli(['user', 'list', '--data-dir', given], { env: { DATA_DIR: named } })
  expect(code).toBe(0)
  expect([existsSync(join(given, 'paxlog.db')), existsSync(join(named, 'paxlog.db'))]).toEqual([true, false])
})

test('DATA_DIR defaults to ./data', async () => {
  const cwd = temporaryFolder()
  expect((await cli(['user', 'list'], { cwd })).code).toBe(0)
  expect(existsSync(join(cwd, 'data/paxlog.db'))).toBe(true)
})

test('a closed pipe is not an error', async () => {
  const { code, stderr } = await run(['-c', `'${process.execPath}' dist/cli.js --help | head -1`], {
    program: '/bin/sh',
  })
  expect([code, stderr]).toEqual([0, ''])
})
