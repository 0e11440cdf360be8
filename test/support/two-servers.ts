import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { postgresClient } from '../../src/db/postgres/client.ts'
import { english } from '../../src/messages/english.ts'
import { paxlog, temporaryFolder } from './paxlog.ts'
import type { PostgresServer } from './postgres.ts'
import { cli, type ServerProcess, serve } from './process.ts'

export type ServerPair = [ServerProcess, ServerProcess]

/** A header sets the client address, so that tests do not reach rate limits. */
const ENVIRONMENT = { BASE_URL: 'http://localhost:3000', ADDRESS_HEADER: 'x-client', LOG_LEVEL: 'info' }

/** Returns a function that starts two servers on a new database. */
export function serverPairs(postgres: () => PostgresServer) {
  let count = 0
  let isLoaded = false

  function administrate(sql: string): void {
    const administration = postgresClient(postgres().url('postgres'), { name: '' })
    administration.exec(sql)
    administration.close()
  }

  /** Creates a template with the shipped data, because loading it is slow. */
  async function load(): Promise<void> {
    if (isLoaded) return
    isLoaded = true
    administrate('create database loaded')
    const env = { DATABASE_URL: postgres().url('loaded'), DATA_DIR: temporaryFolder() }
    const { code, stderr } = await cli(['reference', 'update'], { env })
    if (code !== 0) throw new Error(stderr)
  }

  /** Starts two servers and an app in this process on one database. Servers fill an empty one themselves. */
  return async function twoServers({ isEmpty = false } = {}) {
    if (!isEmpty) await load()
    const name = `pair_${++count}`
    administrate(`create database ${name} ${isEmpty ? '' : 'template loaded'}`)
    const databaseUrl = postgres().url(name)
    const env = { ...ENVIRONMENT, DATABASE_URL: databaseUrl }
    const servers = (await Promise.all([0, 1].map(() => serve({ dataDir: temporaryFolder(), env })))) as ServerPair
    const app = await paxlog({ databaseUrl })
    return { servers, app }
  }
}

let callers = 0

/** A busy machine can reach the limit for a statement. */
const MAX_TOO_SLOW = 5
const TOO_SLOW_PAUSE_MS = 300

/** Sends a request, and sends it again if the database took too long and nothing was changed. */
export async function ask({ origin }: ServerProcess, path: string, init: RequestInit = {}) {
  const headers = { 'x-client': `10.0.${++callers >> 8}.${callers % 256}`, ...init.headers }
  const send = () => fetch(`${origin}${path}`, { redirect: 'manual', ...init, headers })
  let answer = await send()
  let text = await answer.text()
  for (let times = 0; times < MAX_TOO_SLOW && text.includes(english.busy.databaseTooSlow); times++) {
    await wait(TOO_SLOW_PAUSE_MS)
    answer = await send()
    text = await answer.text()
  }
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

export const api = (
  at: ServerProcess,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) =>
  ask(at, `/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

/** An app for `browserSession` whose requests alternate between two servers over the network. */
export function inTurns(servers: ServerPair): FastifyInstance {
  let turn = 0
  const inject = async ({ method = 'GET', url, headers, payload }: InjectOptions) => {
    const answer = await ask(servers[turn++ % 2]!, String(url), {
      method,
      headers: headers as Record<string, string>,
      ...(payload !== undefined && { body: payload as string }),
    })
    return {
      statusCode: answer.status,
      headers: { ...Object.fromEntries(answer.headers), 'set-cookie': answer.headers.getSetCookie() },
      body: answer.text,
    }
  }
  return { inject } as unknown as FastifyInstance
}
