import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allCommands } from '../../src/cli/run.ts'
import { variables } from '../../src/config.ts'
import { root } from '../support/process.ts'

const read = (name: string) => readFileSync(join(root, name), 'utf8')
const readme = read('README.md')
const documents = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'src/README.md', 'test/README.md']

/** Rows of the table whose first cell is one code word, by that word. */
const rows = new Map(
  [...readme.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name, rest]) => [name!, rest!.split(' | ')]),
)

describe('the README', () => {
  test.each(Object.entries(variables))('has a line for %s with its default', (name, { fallback }) => {
    const [stated] = rows.get(name) ?? []
    if (name === 'BASE_URL') expect(stated).toBe('`http://localhost:PORT`')
    else expect(stated).toBe(fallback === undefined ? 'unset' : `\`${fallback}\``)
  })

  test('names no variable and no command that does not exist', async () => {
    const settings = [...rows.keys()].filter((name) => /^[A-Z_]+$/.test(name))
    expect(settings).toEqual(Object.keys(variables))
    const named = [...rows.keys()].filter((name) => name.startsWith('paxlog '))
    expect(named).toEqual((await allCommands()).map(({ name }) => `paxlog ${name}`))
  })

  test('gives a reason for every runtime dependency, and for no other', () => {
    const [, section] = /## Runtime dependencies\n(.*?)\n## /s.exec(readme)!
    const named = [...section!.matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap(([, cell]) => cell!.split(', '))
      .filter((name) => name !== 'Package' && !/^-+$/.test(name))
    const { dependencies } = JSON.parse(read('package.json'))
    expect(named.sort()).toEqual(Object.keys(dependencies).sort())
  })

  test('states the commands that run and test it as they are', () => {
    for (const command of ['npm ci && npm start', 'npm ci && npm test']) {
      expect(readme).toContain(`\`\`\`sh\n${command}\n\`\`\``)
    }
  })
})

describe('every document', () => {
  test.each(documents)('%s links only to files that exist', (name) => {
    const targets = [...read(name).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target]) => target!)
    const missing = targets.filter((target) => !existsSync(join(root, dirname(name), target)))
    expect(missing).toEqual([])
  })

  test('of the map names only sources that exist', () => {
    const named = [...read('src/README.md').matchAll(/`((?:[a-z0-9-]+\/)*[a-z0-9-]+\.ts)`/g)].map(([, file]) => file!)
    const folders = ['', 'db/', 'domain/profile/', 'domain/reference/']
    const missing = named.filter((file) => !folders.some((folder) => existsSync(join(root, 'src', folder, file))))
    expect(missing.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test('of npm scripts names only scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const named = documents.flatMap((name) =>
      [...read(name).matchAll(/npm run ([a-z:]+)/g)].map(([, script]) => script!),
    )
    expect(named.filter((script) => !(script in scripts))).toEqual([])
  })
})
