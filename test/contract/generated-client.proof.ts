import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/http/v1/openapi.ts'
import { paxlog, temporaryFolder } from '../support/paxlog.ts'
import { wire } from '../support/socket.ts'

interface Generator {
  /** Without the option a member with a default would have to be sent. */
  default: (document: string, options: { defaultNonNullable: false }) => Promise<unknown>
  astToString: (ast: unknown) => string
}

/** From its own package, which has the older compiler that it needs. */
async function generator(): Promise<Generator> {
  const home = createRequire(import.meta.url).resolve('paxlog-client-generator/package.json')
  return import(pathToFileURL(createRequire(home).resolve('openapi-typescript')).href)
}

const CONFIG = {
  compilerOptions: {
    noEmit: true,
    strict: true,
    target: 'es2024',
    lib: ['es2024', 'dom'],
    types: [],
    module: 'nodenext',
    allowImportingTsExtensions: true,
  },
  files: ['client.ts'],
}

const CLIENT = `
import type { components, paths } from './api.d.ts'

type Me = paths['/api/v1/me']['get']['responses'][200]['content']['application/json']
type Failure = components['schemas']['ErrorResponse']
type NewRole = paths['/api/v1/roles']['post']['requestBody']['content']['application/json']

export async function getMe(origin: string, key: string): Promise<Me['data']> {
  const response = await fetch(origin + '/api/v1/me', { headers: { authorization: 'Bearer ' + key } })
  const body = (await response.json()) as Me | Failure
  if ('error' in body) throw new Error(body.error.message)
  return body.data
}

export const describe = (me: Me['data']): string => me.role?.name ?? 'owner'
export const viewer: NewRole = { name: 'Viewer', permissions: ['flight.read.own'] }

// @ts-expect-error the owner has no role
export const careless = (me: Me['data']): string => me.role.name
// @ts-expect-error not a permission
export const wrong: NewRole = { name: 'Viewer', permissions: ['flight.fly'] }
// @ts-expect-error permissions are required
export const short: NewRole = { name: 'Viewer' }
`

test('a client generated from the document compiles, knows null and required members, and calls getMe', async () => {
  const { app, user } = await paxlog()
  const folder = temporaryFolder()
  const { default: generate, astToString } = await generator()
  const types = astToString(await generate(JSON.stringify(openApiDocument(app)), { defaultNonNullable: false }))
  writeFileSync(join(folder, 'api.d.ts'), types)
  writeFileSync(join(folder, 'client.ts'), CLIENT)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG))
  const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc')
  const { stdout, status } = spawnSync(compiler, ['-p', folder], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, ''])

  const { port } = await wire(app)
  const client = await import(pathToFileURL(join(folder, 'client.ts')).href)
  const mira = user({ username: 'mira' })
  const me = await client.getMe(`http://127.0.0.1:${port}`, mira.key)
  expect([me.id, client.describe(me)]).toEqual([mira.id, 'User'])
  await expect(client.getMe(`http://127.0.0.1:${port}`, 'nonsense')).rejects.toThrow('unknown, expired or revoked')
})
