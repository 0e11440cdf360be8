import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig, settings } from '../../src/app/config.ts'
import { copies, dockerStages, type Stage } from '../support/dockerfile.ts'
import { measured } from '../support/measured.ts'
import { root } from '../support/process.ts'
import { buildImageFiles } from './tree.ts'

const [build, final] = dockerStages() as [Stage, Stage]
const names = settings.map(({ name }) => name)
const port = String(loadConfig({}).port)
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const all = (name: string) => final.instructions.filter((each) => each.name === name).map(({ text }) => text)

describe('the image', () => {
  test('has two stages on node:24-slim, and the last one has no compilers or package managers', () => {
    expect([build.from, final.from]).toEqual(['node:24-slim AS build', 'node:24-slim'])
    const commands = all('RUN').join('\n')
    expect(commands).not.toMatch(/apt|npm (ci|install)|apk|yarn add/)
    for (const name of ['/usr/local/lib/node_modules', '/usr/local/bin/npm', '/usr/local/bin/npx']) {
      expect(commands).toContain(name)
    }
  })

  test('does not run as root and writes only to /data', () => {
    expect(all('USER')).toEqual(['node'])
    expect(all('VOLUME')).toEqual(['/data'])
    expect(all('ENV').join(' ')).toContain('DATA_DIR=/data')
    expect(all('RUN').join('\n')).toContain('mkdir -m 0777 /data')
    // USER comes after COPY, so that the program files belong to root.
    const names = final.instructions.map(({ name }) => name)
    expect(names.lastIndexOf('COPY')).toBeLessThan(names.indexOf('USER'))
    expect(all('COPY').join('\n')).not.toContain('--chown')
  })

  test('listens on the default port, stops on SIGTERM and has a health check', () => {
    expect(all('EXPOSE')).toEqual([port])
    expect(all('ENV').join(' ')).toContain(`PORT=${port}`)
    expect(all('STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(all('HEALTHCHECK').join()).toMatch(/--timeout=6s .*CMD \["paxlog", "healthcheck"\]$/)
    const [command = ''] = all('CMD')
    expect(JSON.parse(command)).toEqual(['node', 'dist/main.js'])
    expect(all('RUN').join()).toContain('ln -s /app/dist/cli.js /usr/local/bin/paxlog')
    for (const label of ['title', 'description', 'licenses']) {
      expect(all('LABEL').join()).toContain(`org.opencontainers.image.${label}=`)
    }
  })

  test('copies only files that exist and that .dockerignore admits', () => {
    const admitted = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    const sources = [build, final].flatMap(copies).filter(({ fromBuild }) => !fromBuild)
    for (const source of sources.flatMap((copy) => copy.sources)) {
      expect([source, existsSync(join(root, source))]).toEqual([source, true])
      expect([source, admitted.some((name) => source === name || source.startsWith(`${name}/`))]).toEqual([
        source,
        true,
      ])
    }
  })

  test('copies only the output of the build stage', () => {
    expect(all('COPY')).toEqual(['--from=build /app/image ./'])
    expect(build.instructions.at(-1)!.text).toBe('node src/build/bundle.ts && node src/build/image.ts image')
  })
})

describe('the files of the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-image-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const image = buildImageFiles(folder)
  const files = readdirSync(image, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(image, join(entry.parentPath, entry.name)))
    .sort()
  const filesIn = (folder: string) => files.filter((name) => name.startsWith(`${folder}/`))

  test('include all paths that the program reads, and so does the npm package', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    )
    const reads = sources.flatMap((name) =>
      [...read(join('src', name)).matchAll(/join\(packageRoot, '([^']+)'/g)].map(([, path]) => path!),
    )
    expect(reads).toContain('migrations')
    expect(reads.filter((path) => !existsSync(join(image, path)))).toEqual([])
    const packed: string[] = [...JSON.parse(read('package.json')).files, 'package.json']
    for (const path of reads) {
      expect([path, packed.some((name) => path === name || path.startsWith(`${name}/`))]).toEqual([path, true])
    }
  })

  test('include exactly the data files that the program reads', () => {
    const text = read('src/domain/reference/shipped.ts')
    const named = [...text.matchAll(/'([\w-]+\.(?:csv|json|bin|tsv\.gz|ndjson\.gz))'/g)].map(([, name]) => name!)
    expect(named).toContain('meta.json')
    expect(filesIn('src/domain/reference/data').map((name) => basename(name))).toEqual([...new Set(named)].sort())
  })

  test('include the native packages and their runtime dependencies', () => {
    const [, list] = /external: \[(.*)\]/.exec(read('src/build/bundle.ts'))!
    const named = [...list!.matchAll(/'([^']+)'/g)].map(([, name]) => name!)
    // An optional dependency of the PostgreSQL driver.
    const external = named.filter((name) => name !== 'pg-native')
    // Needed only at build time.
    const unused = new Set(['node-addon-api', 'cross-env'])
    const binary = `@resvg/resvg-js-linux-${process.arch}-gnu`
    const needed = new Set([...external, binary])
    for (const name of needed) {
      const { dependencies = {} } = JSON.parse(read(`node_modules/${name}/package.json`))
      for (const other of Object.keys(dependencies)) if (!unused.has(other)) needed.add(other)
    }
    const found = files.flatMap((name) => /^node_modules\/(.*)\/package\.json$/.exec(name)?.[1] ?? [])
    expect(found.sort()).toEqual([...needed].sort())
    // The binary package has no licence file; the licence of resvg-js applies.
    for (const name of needed.difference(new Set([binary]))) {
      expect(filesIn(`node_modules/${name}`).filter((file) => /\/licen[cs]e$/i.test(file))).toHaveLength(1)
    }
  })

  test('include one binary of each native package, for this architecture and glibc', () => {
    const { arch } = process
    const prebuilds = files.filter((name) => name.endsWith('.node'))
    expect(prebuilds).toHaveLength(3)
    expect(prebuilds[0]).toBe(`node_modules/@resvg/resvg-js-linux-${arch}-gnu/resvgjs.linux-${arch}-gnu.node`)
    expect(prebuilds[1]).toMatch(new RegExp(`^node_modules/argon2/prebuilds/linux-${arch}/argon2.*\\.glibc\\.node$`))
    expect(prebuilds[2]).toBe(`node_modules/better-sqlite3/prebuilds/linux-${arch}.node`)
  })

  test('include no sources, source maps, compiler files, migration snapshots or corrections of built data', () => {
    const buildOnly =
      /\.(tsx?|map|gyp|gypi|c|cc|cpp|h|hpp|o|md)$|_snapshot\.json$|(airline|aircraft)-(corrections|additions)\.csv$/
    expect(files.filter((name) => buildOnly.test(name))).toEqual([])
    const written = readdirSync(join(root, 'migrations'), { recursive: true, encoding: 'utf8' })
    const needed = [...written.filter((name) => name.endsWith('.sql')), 'meta/_journal.json']
    expect(needed).toContain('postgres/0000_start.sql')
    expect(filesIn('migrations')).toEqual(needed.map((name) => `migrations/${name}`).sort())
    const bytes = files.reduce((sum, name) => sum + statSync(join(image, name)).size, 0)
    measured(`program files of the image: ${(bytes / 1e6).toFixed(1)} MB`)
    expect(bytes).toBeLessThan(38_000_000)
  })

  test('are written only to a new folder', () => {
    const again = spawnSync(process.execPath, ['src/build/image.ts', image], { cwd: root, encoding: 'utf8' })
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining('must not exist')])
  })
})

interface Service {
  build?: string
  pull_policy?: string
  environment: Record<string, string | null>
}

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'))

  test('works without other services or variables', () => {
    expect(Object.keys(services)).toEqual(['paxlog'])
    expect(services.paxlog.build).toBe('.')
    const unset = [...read('compose.yaml').matchAll(/\$\{[A-Z_]+(:-)?/g)].filter(([, fallback]) => !fallback)
    expect(unset).toEqual([])
  })

  test('builds the image instead of pulling its name, and gives the setup code no default', () => {
    for (const name of ['compose.yaml', 'compose.scale.yaml'])
      for (const { build, pull_policy, environment } of Object.values<Service>(
        parse(read(name), { merge: true }).services,
      ))
        if (build)
          expect([name, pull_policy, environment]).toEqual([
            name,
            'build',
            expect.objectContaining({ SETUP_CODE: null }),
          ])
  })

  test('checks the health like the image, and limits the memory to the minimum', () => {
    const { healthcheck, deploy } = services.paxlog
    const [inImage] = all('HEALTHCHECK')
    expect(inImage).toContain(JSON.stringify(healthcheck.test.slice(1)).replace(',', ', '))
    for (const [option, key] of [
      ['interval', 'interval'],
      ['timeout', 'timeout'],
      ['start-period', 'start_period'],
    ] as const)
      expect(inImage).toContain(`--${option}=${healthcheck[key]}`)
    expect(deploy.resources.limits.memory).toBe('256M')
  })

  test('keeps the data in a named volume and restricts everything else', () => {
    expect(Object.keys(volumes)).toEqual(['data'])
    expect(services.paxlog).toMatchObject({
      volumes: ['data:/data'],
      restart: 'unless-stopped',
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    for (const name of Object.keys(services.paxlog.environment)) expect(names).toContain(name)
  })
})

describe('compose.scale.yaml', () => {
  const text = read('compose.scale.yaml')
  const { services, volumes, configs } = parse(text, { merge: true })
  const paxlogs = Object.keys(services).filter((name) => name.startsWith('paxlog'))

  test('has two Paxlog services behind a proxy, which start after one PostgreSQL is ready', () => {
    expect(Object.keys(services)).toEqual(['paxlog-1', 'paxlog-2', 'proxy', 'postgres'])
    for (const name of paxlogs) {
      const { environment, depends_on } = services[name]
      for (const setting of Object.keys(environment)) expect(names).toContain(setting)
      const { databaseUrl } = loadConfig({ DATABASE_URL: environment.DATABASE_URL.replace(/\$\{.*?\}/, 'secret') })
      expect(new URL(databaseUrl!).host).toBe('postgres')
      expect(depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
      expect(configs.caddyfile.content).toContain(`${name}:${port}`)
    }
    // A server that initializes a volume listens only on its socket.
    expect(services.postgres.healthcheck.test).toEqual(['CMD', 'pg_isready', '-h', 'localhost', '-U', 'paxlog'])
    expect(services.proxy.configs[0].source).toBe('caddyfile')
    expect(services.proxy.depends_on).toEqual(paxlogs)
  })

  test('restricts Paxlog as compose.yaml does, and uses exactly the declared volumes', () => {
    const { paxlog } = parse(read('compose.yaml')).services
    for (const name of paxlogs)
      for (const lock of ['read_only', 'tmpfs', 'cap_drop', 'security_opt', 'restart', 'image', 'build'])
        expect([name, lock, services[name][lock]]).toEqual([name, lock, paxlog[lock]])
    const used = Object.values<{ volumes?: string[] }>(services).flatMap((each) => each.volumes ?? [])
    expect([...new Set(used.map((mount) => mount.split(':')[0]))].sort()).toEqual(Object.keys(volumes).sort())
  })

  test('requires POSTGRES_PASSWORD and no other variable', () => {
    const unset = [...text.matchAll(/\$\{([A-Z_]+)\b(?!:-)/g)].map(([, name]) => name)
    expect(new Set(unset)).toEqual(new Set(['POSTGRES_PASSWORD']))
    expect(text).not.toMatch(/\$\{POSTGRES_PASSWORD(?!:\?)/)
  })
})

test('.ci/run is executable and runs the commands of the README', () => {
  expect(statSync(join(root, '.ci/run')).mode & 0o111).toBe(0o111)
  const script = read('.ci/run')
  expect(script).toContain('set -euo pipefail')
  expect(script.trimEnd().split('\n').at(-1)).toBe('npm ci && npm test && npm run proofs')
  const readme = read('README.md')
  for (const command of ['npm ci && npm test\n', '`npm run proofs`']) expect(readme).toContain(command)
})
