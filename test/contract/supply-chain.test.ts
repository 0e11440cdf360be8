import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/paxlog.ts'
import { root } from '../support/process.ts'

interface LockedPackage {
  version?: string
  license?: string
  integrity?: string
  resolved?: string
  dev?: true
  optional?: true
  link?: true
  hasInstallScript?: true
}

const json = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
const manifest = json('package.json')
const packages = json('package-lock.json').packages as Record<string, LockedPackage>
const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'))
const runtime = installed.filter(([, { dev, link }]) => !dev && !link)
/** Binaries for other platforms are only in the lock file. */
const present = runtime.filter(([path, { optional }]) => !optional || existsSync(join(root, path)))
const nameOf = (path: string) => path.split('node_modules/').at(-1)!

/** Licences that allow distribution within an MIT project. */
const PERMISSIVE = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
])

/** Other compatible licences, by the start of the package name, with the reason. */
const exceptions: Record<string, [license: string, why: string]> = {
  '@photostructure/tz-lookup': ['CC0-1.0', 'public domain'],
  'ical.js': ['MPL-2.0', 'requires the source of changed files, and no file is changed'],
  '@resvg/resvg-js': ['MPL-2.0', 'requires the source of changed files, and no file is changed'],
}

/** Scripts that a package manager runs during installation. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

test('npm ci does not warn about the Node version, because the pinned one runs everything', () => {
  const folder = temporaryFolder()
  const pack = { name: 'x', version: '1.0.0', engines: { node: '>=999' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(pack))
  const lock = { ...pack, lockfileVersion: 3, requires: true, packages: { '': pack } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'))
  // Ignores the npm settings of the user.
  const env = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_userconfig: join(folder, 'none') }
  const { status, stderr } = spawnSync('npm', ['ci', '--offline', '--dry-run'], { cwd: folder, env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

describe('N18: the packages of Paxlog', () => {
  test('are pinned to one version each in package.json and the lock file', () => {
    const { dependencies, devDependencies, overrides } = manifest
    const loose = Object.entries<string>({ ...dependencies, ...devDependencies, ...overrides }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    )
    expect(loose).toEqual([])
    expect(packages['']).toMatchObject({ dependencies, devDependencies })
    for (const [name, version] of Object.entries(dependencies))
      expect(packages[`node_modules/${name}`]).toMatchObject({ version })
  })

  test('are identified by checksum without a URL', () => {
    const unverified = installed.filter(
      ([, { link, resolved, integrity = '' }]) => !link && (resolved !== undefined || !integrity.startsWith('sha512-')),
    )
    expect(unverified).toEqual([])
    const links = installed.filter(([, { link }]) => link).map(([, { resolved }]) => resolved)
    expect(links).toEqual([])
  })

  test('run no install scripts except those that package.json allows', () => {
    const allowed = manifest.allowScripts as Record<string, boolean>
    const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
    expect(withScript.length).toBeGreaterThan(0)
    expect(withScript.map(([path]) => nameOf(path)).filter((name) => !(name in allowed))).toEqual([])
    // Runtime packages need no install script, because they contain their binaries.
    const withInstallScript = present.filter(([path]) => {
      const { scripts = {} } = json(`${path}/package.json`) as { scripts?: Record<string, string> }
      return INSTALL_SCRIPTS.some((name) => name in scripts) || existsSync(join(root, path, 'binding.gyp'))
    })
    expect(withInstallScript.map(([path]) => [nameOf(path), allowed[nameOf(path)]])).toEqual([
      ['argon2', false],
      ['better-sqlite3', false],
    ])
  })

  test('have compatible licences, as stated in the lock file', () => {
    for (const [path, { license }] of present)
      expect([path, json(`${path}/package.json`).license]).toEqual([path, license])
    const others = runtime.filter(([path, { license = '' }]) => {
      const [exception] = Object.entries(exceptions).find(([name]) => nameOf(path).startsWith(name))?.[1] ?? []
      return !PERMISSIVE.has(license) && license !== exception
    })
    expect(others).toEqual([])
  })

  test('include image binaries for every platform of the other native packages', () => {
    const platforms = ['linux-x64-gnu', 'linux-x64-musl', 'linux-arm64-gnu', 'linux-arm64-musl', 'darwin-x64']
    for (const platform of [...platforms, 'darwin-arm64', 'win32-x64-msvc']) {
      expect(packages).toHaveProperty([`node_modules/@resvg/resvg-js-${platform}`, 'optional'], true)
    }
  })
})

describe('N18: npm run sbom', () => {
  const output = execFileSync(process.execPath, ['src/build/sbom.ts'], { cwd: root, encoding: 'utf8' })
  const sbom = JSON.parse(output)

  test('has the same output in every directory', () => {
    expect(manifest.scripts.sbom).toBe('node src/build/sbom.ts')
    const fromRoot = execFileSync(process.execPath, [join(root, 'src/build/sbom.ts')], { cwd: '/', encoding: 'utf8' })
    expect(fromRoot).toBe(output)
    expect(output).not.toContain(root)
    expect(output).not.toMatch(/https?:|timestamp|serialNumber/)
  })

  test('prints an SBOM in CycloneDX 1.5 format', () => {
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: { component: { type: 'application', name: 'paxlog', version: manifest.version } },
    })
    for (const component of sbom.components) {
      const { group, name, version } = component
      const fullName = group ? `%40${group.slice(1)}/${name}` : name
      expect(component).toEqual({
        type: 'library',
        'bom-ref': expect.any(String),
        ...(group && { group }),
        name: expect.stringMatching(/^[a-z0-9._-]+$/),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        scope: 'required',
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
        licenses: [{ license: { id: expect.stringMatching(/^[\w.-]+$/) } }],
        purl: `pkg:npm/${fullName}@${version}`,
      })
    }
  })

  test('lists every runtime package with its dependency path', () => {
    const references = sbom.components.map((component: { 'bom-ref': string }) => component['bom-ref'])
    expect(references).toHaveLength(runtime.length)
    expect(new Set(references).size).toBe(runtime.length)
    const needs = new Map<string, string[]>(
      sbom.dependencies.map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [ref, dependsOn]),
    )
    expect([...needs.keys()].sort()).toEqual(['paxlog', ...references].sort())
    expect(needs.get('paxlog')).toEqual(Object.keys(manifest.dependencies).sort())
    const reached = new Set(['paxlog'])
    for (const reference of reached) for (const next of needs.get(reference)!) reached.add(next)
    expect([...reached].sort()).toEqual([...needs.keys()].sort())
  })

  test('contains all packages of npm sbom, with the same checksums and licences', {
    timeout: 600_000,
  }, () => {
    const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev']
    const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    type Facts = { purl: string; licenses: unknown; hashes: unknown }
    const facts = ({ components }: { components: Facts[] }) =>
      new Set(components.map(({ purl, licenses, hashes }) => JSON.stringify([purl, licenses, hashes])))
    const [ours, theirs] = [facts(sbom), facts(JSON.parse(text))]
    expect(theirs.size).toBeGreaterThan(50)
    expect([...theirs.difference(ours)]).toEqual([])
    // npm sbom omits packages that are also needed for tests.
    expect([...ours].some((fact) => fact.includes('pkg:npm/ajv@'))).toBe(true)
  })
})
