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
/** Binaries for other platforms are in the lock file only. */
const present = runtime.filter(([path, { optional }]) => !optional || existsSync(join(root, path)))
const nameOf = (path: string) => path.split('node_modules/').at(-1)!

/** Licences under which a part may be passed on inside something that is under the MIT licence. */
const FREE = new Set(['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'])

/** Other licences that go with ours, by the beginning of the name, with the reason. */
const exceptions: Record<string, [license: string, why: string]> = {
  '@photostructure/tz-lookup': ['CC0-1.0', 'given to the public domain; no code asks for more than that'],
  '@resvg/resvg-js': ['MPL-2.0', 'asks for the source of changes to its own files, and we change none'],
}

/** Scripts that a package manager would run while it installs. */
const SCRIPTS = ['preinstall', 'install', 'postinstall']

test('an install under a Node that the packages do not name says nothing of it: the pinned one runs everything', () => {
  const folder = temporaryFolder()
  const pack = { name: 'x', version: '1.0.0', engines: { node: '>=999' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(pack))
  const lock = { ...pack, lockfileVersion: 3, requires: true, packages: { '': pack } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'))
  // Of the settings of whoever runs the tests nothing counts.
  const env = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_userconfig: join(folder, 'none') }
  const { status, stderr } = spawnSync('npm', ['ci', '--offline', '--dry-run'], { cwd: folder, env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

describe('N18: the packages that Paxlog is made of', () => {
  test('are pinned to one version each, by us and by the lock file', () => {
    const { dependencies, devDependencies, overrides } = manifest
    const loose = Object.entries<string>({ ...dependencies, ...devDependencies, ...overrides }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    )
    expect(loose).toEqual([])
    expect(packages['']).toMatchObject({ dependencies, devDependencies })
    for (const [name, version] of Object.entries(dependencies))
      expect(packages[`node_modules/${name}`]).toMatchObject({ version })
  })

  test('are known by their checksum, and by no address', () => {
    const strange = installed.filter(
      ([, { link, resolved, integrity = '' }]) => !link && (resolved !== undefined || !integrity.startsWith('sha512-')),
    )
    expect(strange).toEqual([])
    const links = installed.filter(([, { link }]) => link).map(([, { resolved }]) => resolved)
    expect(links).toEqual([])
  })

  test('run no script while they are installed, except those that package.json allows', () => {
    const allowed = manifest.allowScripts as Record<string, boolean>
    const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
    expect(withScript.length).toBeGreaterThan(0)
    expect(withScript.map(([path]) => nameOf(path)).filter((name) => !(name in allowed))).toEqual([])
    // What runs on somebody's server asks for nothing at all: its binaries are in the package.
    const asking = present.filter(([path]) => {
      const { scripts = {} } = json(`${path}/package.json`) as { scripts?: Record<string, string> }
      return SCRIPTS.some((name) => name in scripts) || existsSync(join(root, path, 'binding.gyp'))
    })
    expect(asking.map(([path]) => [nameOf(path), allowed[nameOf(path)]])).toEqual([
      ['argon2', false],
      ['better-sqlite3', false],
    ])
  })

  test('have licences that go with ours, as the lock file names them', () => {
    for (const [path, { license }] of present)
      expect([path, json(`${path}/package.json`).license]).toEqual([path, license])
    const others = runtime.filter(([path, { license = '' }]) => {
      const [exception] = Object.entries(exceptions).find(([name]) => nameOf(path).startsWith(name))?.[1] ?? []
      return !FREE.has(license) && license !== exception
    })
    expect(others).toEqual([])
  })

  test('include the binaries of pictures for every platform that the other native packages support', () => {
    const platforms = ['linux-x64-gnu', 'linux-x64-musl', 'linux-arm64-gnu', 'linux-arm64-musl', 'darwin-x64']
    for (const platform of [...platforms, 'darwin-arm64', 'win32-x64-msvc']) {
      expect(packages).toHaveProperty([`node_modules/@resvg/resvg-js-${platform}`, 'optional'], true)
    }
  })
})

describe('N18: npm run sbom', () => {
  const made = execFileSync(process.execPath, ['src/build/sbom.ts'], { cwd: root, encoding: 'utf8' })
  const bill = JSON.parse(made)

  test('is what npm runs, and says the same wherever it runs', () => {
    expect(manifest.scripts.sbom).toBe('node src/build/sbom.ts')
    const elsewhere = execFileSync(process.execPath, [join(root, 'src/build/sbom.ts')], { cwd: '/', encoding: 'utf8' })
    expect(elsewhere).toBe(made)
    expect(made).not.toContain(root)
    expect(made).not.toMatch(/https?:|timestamp|serialNumber/)
  })

  test('prints a bill in the form of CycloneDX 1.5', () => {
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: { component: { type: 'application', name: 'paxlog', version: manifest.version } },
    })
    for (const component of bill.components) {
      const { group, name, version } = component
      const whole = group ? `%40${group.slice(1)}/${name}` : name
      expect(component).toEqual({
        type: 'library',
        'bom-ref': expect.any(String),
        ...(group && { group }),
        name: expect.stringMatching(/^[a-z0-9._-]+$/),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        scope: 'required',
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
        licenses: [{ license: { id: expect.stringMatching(/^[\w.-]+$/) } }],
        purl: `pkg:npm/${whole}@${version}`,
      })
    }
  })

  test('names every runtime package with its way to us', () => {
    const references = bill.components.map((component: { 'bom-ref': string }) => component['bom-ref'])
    expect(references).toHaveLength(runtime.length)
    expect(new Set(references).size).toBe(runtime.length)
    const needs = new Map<string, string[]>(
      bill.dependencies.map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [ref, dependsOn]),
    )
    expect([...needs.keys()].sort()).toEqual(['paxlog', ...references].sort())
    expect(needs.get('paxlog')).toEqual(Object.keys(manifest.dependencies).sort())
    const reached = new Set(['paxlog'])
    for (const reference of reached) for (const next of needs.get(reference)!) reached.add(next)
    expect([...reached].sort()).toEqual([...needs.keys()].sort())
  })

  test('holds all of the list that npm itself makes, with the same checksums and licences', {
    timeout: 600_000,
  }, () => {
    const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev']
    const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    type Facts = { purl: string; licenses: unknown; hashes: unknown }
    const facts = ({ components }: { components: Facts[] }) =>
      new Set(components.map(({ purl, licenses, hashes }) => JSON.stringify([purl, licenses, hashes])))
    const [ours, theirs] = [facts(bill), facts(JSON.parse(text))]
    expect(theirs.size).toBeGreaterThan(50)
    expect([...theirs.difference(ours)]).toEqual([])
    // Theirs lacks what is needed for tests as well, which is why ours exists.
    expect([...ours].some((fact) => fact.includes('pkg:npm/ajv@'))).toBe(true)
  })
})
