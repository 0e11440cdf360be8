import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../src/http/v1/openapi.ts'
import { flightLog } from '../support/flight-log.ts'
import { paxlog, temporaryFolder } from '../support/paxlog.ts'
import { wire } from '../support/socket.ts'

const GENERATORS = join(import.meta.dirname, '../support/client-generators')
const modules = join(GENERATORS, 'node_modules')
const program = (name: string) => join(modules, '.bin', name)

/** Installed on first use, because no other code needs them. */
function requireGenerators(): void {
  if (existsSync(program('orval'))) return
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: GENERATORS, stdio: ['ignore', 'ignore', 'inherit'] })
}

const CONFIG = {
  compilerOptions: {
    noEmit: true,
    strict: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    module: 'esnext',
    moduleResolution: 'bundler',
  },
}

/** Each client makes five calls, the last without a response body. */
const clients = {
  'openapi-typescript': `
import createClient from 'openapi-fetch'
import type { components, paths } from './openapi-typescript'

export async function run(origin: string, key: string) {
  const api = createClient<paths>({ baseUrl: origin, headers: { authorization: 'Bearer ' + key } })
  const me = await api.GET('/api/v1/me')
  const found = await api.GET('/api/v1/airports', { params: { query: { query: 'zrh' } } })
  const [airport] = found.data!.data
  const body = { date: '2025-05-03', fromId: airport!.id, toId: airport!.id, note: 'A loop' }
  const made = await api.POST('/api/v1/flights', { body })
  const listed = await api.GET('/api/v1/flights', { params: { query: { limit: 10 } } })
  const id = made.data!.data.id
  const gone = await api.DELETE('/api/v1/flights/{id}', { params: { path: { id } } })
  const refused = await api.GET('/api/v1/flights/{id}', { params: { path: { id } } })
  return [me.data!.data.role?.name, airport!.iata, listed.data!.data[0]?.note, gone.response.status, refused.error?.error.code]
}

type Failure = components['schemas']['ErrorResponse']
export const message = ({ error }: Failure): string => new Error(error.message).message
type NewRole = components['schemas']['RoleWriteInput']
export const viewer: NewRole = { name: 'Viewer', permissions: ['flight.read.own'] }
// @ts-expect-error not a permission
export const wrong: NewRole = { name: 'Viewer', permissions: ['flight.fly'] }
// @ts-expect-error permissions are required
export const short: NewRole = { name: 'Viewer' }
// @ts-expect-error the owner has no role
export const careless = (me: components['schemas']['Me']): string => me.role.name
`,
  'hey-api': `
import { client } from './hey-api/client.gen'
import { createFlight, deleteFlight, getFlight, getMe, listFlights, searchAirports } from './hey-api'
import type { ErrorResponse, Me, RoleWriteInput } from './hey-api'

export async function run(origin: string, key: string) {
  client.setConfig({ baseUrl: origin, auth: key })
  const me = await getMe()
  const found = await searchAirports({ query: { query: 'zrh' } })
  const [airport] = found.data!.data
  const body = { date: '2025-05-03', fromId: airport!.id, toId: airport!.id, note: 'A loop' }
  const made = await createFlight({ body })
  const listed = await listFlights({ query: { limit: 10 } })
  const { id } = made.data!.data
  const gone = await deleteFlight({ path: { id } })
  const refused = await getFlight({ path: { id } })
  return [me.data!.data.role?.name, airport!.iata, listed.data!.data[0]?.note, gone.response!.status, refused.error?.error.code]
}

export const message = ({ error }: ErrorResponse): string => new Error(error.message).message
export const viewer: RoleWriteInput = { name: 'Viewer', permissions: ['flight.read.own'] }
// @ts-expect-error not a permission
export const wrong: RoleWriteInput = { name: 'Viewer', permissions: ['flight.fly'] }
// @ts-expect-error the owner has no role
export const careless = (me: Me): string => me.role.name
`,
  orval: `
import { createFlight, deleteFlight, getFlight, getMe, listFlights, searchAirports } from './orval'
import type { ErrorResponse, Me, RoleWriteInput } from './orval'

function ok<Answer extends { status: number }, Status extends number>(answer: Answer, status: Status) {
  if (answer.status !== status) throw new Error('The status is ' + answer.status)
  return answer as Extract<Answer, { status: Status }>
}

export async function run(_origin: string, key: string) {
  const options = { headers: { authorization: 'Bearer ' + key } }
  const me = ok(await getMe(options), 200)
  const found = ok(await searchAirports({ query: 'zrh' }, options), 200)
  const [airport] = found.data.data
  const body = { date: '2025-05-03', fromId: airport!.id, toId: airport!.id, note: 'A loop' }
  const made = ok(await createFlight(body, options), 201)
  const listed = ok(await listFlights({ limit: 10 }, options), 200)
  const { id } = made.data.data
  const gone = ok(await deleteFlight(id, options), 204)
  const refused = ok(await getFlight(id, options), 404)
  return [me.data.data.role?.name, airport!.iata, listed.data.data[0]?.note, gone.status, refused.data.error.code]
}

export const message = ({ error }: ErrorResponse): string => new Error(error.message).message
export const viewer: RoleWriteInput = { name: 'Viewer', permissions: ['flight.read.own'] }
// @ts-expect-error not a permission
export const wrong: RoleWriteInput = { name: 'Viewer', permissions: ['flight.fly'] }
// @ts-expect-error the owner has no role
export const careless = (me: Me): string => me.role.name
`,
}

describe('the OpenAPI document for other programs', () => {
  test('generates clients with three generators that compile in strict mode and call five operations', async () => {
    requireGenerators()
    const { app, mira } = await flightLog()
    const { port } = await wire(app)
    const origin = `http://127.0.0.1:${port}`
    const folder = temporaryFolder()
    const document = join(folder, 'document.json')
    writeFileSync(document, JSON.stringify(openApiDocument(app)))
    symlinkSync(modules, join(folder, 'node_modules'))
    execFileSync(process.execPath, [join(GENERATORS, 'generate.mjs'), document, folder, origin], { cwd: GENERATORS })
    for (const [name, source] of Object.entries(clients)) writeFileSync(join(folder, `${name}-client.ts`), source)
    const files = Object.keys(clients).map((name) => `${name}-client.ts`)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...CONFIG, files }))

    const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc')
    const { stdout, status } = spawnSync(compiler, ['-p', folder], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, ''])

    for (const name of Object.keys(clients)) {
      const outfile = join(folder, `${name}.mjs`)
      await build({ entryPoints: [join(folder, `${name}-client.ts`)], bundle: true, format: 'esm', outfile })
      const client = await import(pathToFileURL(outfile).href)
      expect([name, ...(await client.run(origin, mira.key))]).toEqual([name, 'User', 'ZRH', 'A loop', 204, 'not_found'])
      expect(client.message({ error: { code: 'conflict', message: 'Taken.' } })).toBe('Taken.')
    }
  })

  test('has no Redocly or Spectral warnings except for scopes on a bearer scheme', async () => {
    requireGenerators()
    const { app } = await paxlog({ baseUrl: 'https://fly.example/log' })
    const document = join(temporaryFolder(), 'document.json')
    writeFileSync(document, JSON.stringify(openApiDocument(app)))
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const lint = (name: string, options: string[]) => {
      const { stdout } = spawnSync(program(name), ['lint', document, ...options], {
        encoding: 'utf8',
        env,
        maxBuffer: 64 * 1024 * 1024,
      })
      return JSON.parse(stdout.slice(stdout.search(/[[{]/)))
    }
    const { problems } = lint('redocly', ['--extends', 'recommended', '--format', 'json'])
    expect(problems).toEqual([])
    const found = lint('spectral', ['--ruleset', join(GENERATORS, 'spectral.yaml'), '--format', 'json', '--quiet'])
    const codes = new Set((found as { code: string }[]).map(({ code }) => code))
    expect([...codes]).toEqual(['oas3-operation-security-defined'])
  })
})
