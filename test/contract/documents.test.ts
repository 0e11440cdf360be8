import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from '../../src/app/config.ts'
import { allCommands } from '../../src/cli/run.ts'
import { root } from '../support/process.ts'

const read = (name: string) => readFileSync(join(root, name), 'utf8')
const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

const sources = ['src', 'test'].flatMap(below).filter((name) => /\.tsx?$/.test(name))
const documents = [...readdirSync(root), ...['docs', 'src', 'test', '.github'].flatMap(below)]
  .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
  .sort()

/** Without the blocks of code, in which a hash begins a comment. */
const prose = (name: string) => read(name).replace(/^```.*?^```$/gms, '')

/** The anchors of a document, as the forge makes them from its headings. */
function anchors(name: string): Set<string> {
  const found = new Set<string>()
  for (const [, heading] of prose(name).matchAll(/^#+ (.*)$/gm)) {
    const plain = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    const times = [...found].filter((other) => other === anchor || /^-\d+$/.test(other.slice(anchor.length))).length
    found.add(found.has(anchor) ? `${anchor}-${times}` : anchor)
  }
  return found
}

const linksOf = (name: string) => [...prose(name).matchAll(/\]\(((?!\w+:)[^)\s]+)\)/g)].map(([, target]) => target!)

function isAlive(name: string, target: string): boolean {
  const [path, anchor] = target.split('#') as [string, string?]
  const file = path === '' ? name : normalize(join(dirname(name), path))
  if (!existsSync(join(root, file))) return false
  return anchor === undefined || anchors(file).has(anchor)
}

/** Rows of the tables of a document whose first cell is one code word, by that word. */
const rowsOf = (name: string) =>
  new Map([...read(name).matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, word, rest]) => [word!, rest!.split(' | ')]))

/** What test titles and comments cite, with the file that does. */
function cited(pattern: RegExp): [what: string, where: string][] {
  return sources.flatMap((name) =>
    [...read(name).matchAll(pattern)].flatMap(([, list]) =>
      list!.split(/[ ,]+/).map((what): [string, string] => [what, name]),
    ),
  )
}

describe('the tables of docs/hosting.md', () => {
  const rows = rowsOf('docs/hosting.md')

  test.each(settings)('have a line for $name with its default and description', ({ name, fallback, description }) => {
    const [stated, text] = rows.get(name) ?? []
    expect(text?.replaceAll('`', '').startsWith(description)).toBe(true)
    if (name === 'BASE_URL') expect(stated).toBe('`http://localhost:PORT`')
    else expect(stated).toBe(fallback === undefined ? 'unset' : `\`${fallback}\``)
  })

  test('name no variable and no command that does not exist', async () => {
    const documented = [...rows.keys()].filter((name) => /^[A-Z_]+$/.test(name))
    expect(documented).toEqual(settings.map(({ name }) => name))
    const named = [...rows.keys()].filter((name) => name.startsWith('paxlog '))
    expect(named).toEqual((await allCommands()).map(({ name }) => `paxlog ${name}`))
  })
})

describe('the README', () => {
  const readme = read('README.md')

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

  test('is read in five minutes, and names every document of docs', () => {
    expect(Buffer.byteLength(readme)).toBeLessThan(10_000)
    const linked = new Set(linksOf('README.md').map((target) => target.split('#')[0]))
    expect(documents.filter((name) => name.startsWith('docs/') && !linked.has(name))).toEqual([])
  })
})

describe('every document', () => {
  test('is known to these tests', () => {
    expect(documents).toEqual(
      expect.arrayContaining(['README.md', 'docs/contract.md', 'src/README.md', 'test/README.md']),
    )
  })

  test.each(documents)('%s links only to files and headings that exist', (name) => {
    expect(linksOf(name).filter((target) => !isAlive(name, target))).toEqual([])
  })

  test('of the map names only sources that exist', () => {
    const named = [...read('src/README.md').matchAll(/`((?:[a-z0-9-]+\/)*[a-z0-9-]+\.ts)`/g)].map(([, file]) => file!)
    const folders = ['', 'db/', 'domain/profile/', 'domain/reference/']
    const missing = named.filter((file) => !folders.some((folder) => existsSync(join(root, 'src', folder, file))))
    expect(missing.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test('names sources and tests by paths that exist', () => {
    const named = documents.flatMap((name) =>
      [...read(name).matchAll(/(?<=[\s`(])((?:[a-z0-9-]+\/)+[a-z0-9-]+\.tsx?)(?=[\s`):,])/g)].map(([, file]) => [
        name,
        file!,
      ]),
    ) as [string, string][]
    expect(named.length).toBeGreaterThan(50)
    const places = ['', 'src', 'test']
    expect(named.filter(([, file]) => !places.some((place) => existsSync(join(root, place, file))))).toEqual([])
  })

  test('of npm scripts names only scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const named = documents.flatMap((name) =>
      [...read(name).matchAll(/npm run ([a-z:-]+)/g)].map(([, script]) => script!),
    )
    expect(named.filter((script) => !(script in scripts))).toEqual([])
  })
})

describe('what sources and tests cite', () => {
  test('is a section of the contract', () => {
    const sections = new Set(
      [...read('docs/contract.md').matchAll(/^#+ (\d+(?:\.\d+)?) /gm)].map(([, number]) => number!),
    )
    const citations = cited(/\bcontract (\d+(?:\.\d+)?)/g)
    expect(citations.length).toBeGreaterThan(50)
    expect(citations.filter(([section]) => !sections.has(section))).toEqual([])
  })

  const matrices = ['docs/security-matrix.md', 'docs/reliability-matrix.md'].map(read).join('\n')
  const rows = [...matrices.matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, row]) => row!)

  test('is a row of a matrix, which needs no other name than its own', () => {
    expect(new Set(rows).size).toBe(rows.length)
    const citations = cited(/\b(?:test|describe)(?:\.\w+)*\(\s*['`]([A-Z]\d+(?:,? [A-Z]\d+)*):/g)
    expect(citations.length).toBeGreaterThan(100)
    expect(citations.filter(([row]) => !rows.includes(row))).toEqual([])
  })

  test('is every row of a matrix, except for those that test/README.md tells about', () => {
    const proved = new Set(cited(/\b([A-Z]\d+(?:,? [A-Z]\d+)*):/g).map(([row]) => row))
    const told = [...read('test/README.md').matchAll(/^\| ([A-Z]\d.*?) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/([A-Z])(\d+)(?: to \1(\d+))?/g)].flatMap(([, letter, first, last = first]) =>
        Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${letter}${Number(first) + index}`),
      ),
    )
    const decisions = rows.filter((row) => row.startsWith('X'))
    const silent = rows.filter((row) => !proved.has(row) && !told.includes(row) && !decisions.includes(row))
    expect(silent).toEqual([])
  })
})
