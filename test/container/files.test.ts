import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { variables } from '../../src/config.ts'
import { copies, dockerStages, type Stage } from '../support/dockerfile.ts'
import { root } from '../support/process.ts'
import { startEnvironment, startFlags } from '../support/start-flags.ts'

const [build, final] = dockerStages() as [Stage, Stage]
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const all = (name: string) => final.instructions.filter((each) => each.name === name).map(({ text }) => text)

describe('the image', () => {
  test('starts from a slim Node 24, in two stages of which the last has neither compilers nor package managers', () => {
    expect([build.from, final.from]).toEqual(['node:24-slim AS build', 'node:24-slim'])
    const commands = all('RUN').join('\n')
    expect(commands).not.toMatch(/apt|npm (ci|install)|apk|yarn add/)
    for (const name of ['/usr/local/lib/node_modules', '/usr/local/bin/npm', '/usr/local/bin/npx']) {
      expect(commands).toContain(name)
    }
  })

  test('runs as another user than root, with /data as its only place to write', () => {
    expect(all('USER')).toEqual(['node'])
    expect(all('VOLUME')).toEqual(['/data'])
    expect(all('ENV').join(' ')).toContain('DATA_DIR=/data')
    expect(all('RUN').join('\n')).toContain('mkdir -m 0777 /data')
    // The user is chosen last, so that nothing of the program belongs to it.
    const names = final.instructions.map(({ name }) => name)
    expect(names.lastIndexOf('COPY')).toBeLessThan(names.indexOf('USER'))
    expect(all('COPY').join('\n')).not.toContain('--chown')
  })

  test('listens on the default port, stops on SIGTERM, and is asked for its health', () => {
    expect(all('EXPOSE')).toEqual([variables.PORT.fallback])
    expect(all('ENV').join(' ')).toContain(`PORT=${variables.PORT.fallback}`)
    expect(all('STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(all('HEALTHCHECK').join()).toMatch(/--timeout=6s .*CMD \["paxlog", "healthcheck"\]$/)
    const [command = ''] = all('CMD')
    expect(JSON.parse(command)).toEqual(['node', ...startFlags, 'dist/main.js'])
    for (const [name, value] of Object.entries(startEnvironment)) {
      expect(all('ENV').join(' ').split(' ')).toContain(`${name}=${value}`)
    }
    expect(all('RUN').join()).toContain('ln -s /app/dist/cli.js /usr/local/bin/paxlog')
    for (const label of ['title', 'description', 'licenses']) {
      expect(all('LABEL').join()).toContain(`org.opencontainers.image.${label}=`)
    }
  })

  test('copies only what is there, and what its own ignore file lets through', () => {
    const let_ = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    const sources = [build, final].flatMap(copies).filter(({ fromBuild }) => !fromBuild)
    for (const source of sources.flatMap((copy) => copy.sources)) {
      expect([source, existsSync(join(root, source))]).toEqual([source, true])
      expect([source, let_.some((name) => source === name || source.startsWith(`${name}/`))]).toEqual([source, true])
    }
  })

  test('holds every file that the program reads from its own folder, and so does the package', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    )
    const reads = sources.flatMap((name) =>
      [...read(join('src', name)).matchAll(/join\(packageRoot, '([^']+)'/g)].map(([, path]) => path!),
    )
    expect(reads).toContain('migrations')
    const copied = copies(final).flatMap(({ sources, target }) => (target === './' ? sources : [target]))
    const packed: string[] = [...JSON.parse(read('package.json')).files, 'package.json']
    for (const path of reads) {
      for (const list of [copied, packed]) {
        expect([path, list.some((name) => path === name || path.startsWith(`${name}/`))]).toEqual([path, true])
      }
    }
  })

  test('holds the native packages and everything they need when they run', () => {
    const [, list] = /external: \[(.*)\]/.exec(read('src/bundle.ts'))!
    const external = [...list!.matchAll(/'([^']+)'/g)].map(([, name]) => name!)
    // These are of use to a compiler and to scripts only.
    const unused = new Set(['node-addon-api', 'cross-env'])
    const needed = new Set(external)
    for (const name of needed) {
      const { dependencies = {} } = JSON.parse(read(`node_modules/${name}/package.json`))
      for (const other of Object.keys(dependencies)) if (!unused.has(other)) needed.add(other)
    }
    const copied = copies(final).map(({ target }) => target)
    expect(copied.filter((target) => target.startsWith('node_modules/')).sort()).toEqual(
      [...needed].map((name) => `node_modules/${name}`).sort(),
    )
  })
})

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'))

  test('needs nothing but itself', () => {
    expect(Object.keys(services)).toEqual(['paxlog'])
    expect(services.paxlog.build).toBe('.')
    const unset = [...read('compose.yaml').matchAll(/\$\{[A-Z_]+(:-)?/g)].filter(([, fallback]) => !fallback)
    expect(unset).toEqual([])
  })

  test('keeps the data in a named volume and locks everything else', () => {
    expect(Object.keys(volumes)).toEqual(['data'])
    expect(services.paxlog).toMatchObject({
      volumes: ['data:/data'],
      restart: 'unless-stopped',
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    for (const name of Object.keys(services.paxlog.environment)) expect(Object.keys(variables)).toContain(name)
  })
})

test('.ci/run may be run and runs what the README says', () => {
  expect(statSync(join(root, '.ci/run')).mode & 0o111).toBe(0o111)
  const script = read('.ci/run')
  expect(script).toContain('set -euo pipefail')
  expect(script.trimEnd().split('\n').at(-1)).toBe('npm ci && npm test')
  expect(read('README.md')).toContain('npm ci && npm test\n')
})
