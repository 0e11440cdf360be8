import { readdirSync, readFileSync } from 'node:fs'
import { type Agent, request as ask, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './paxlog.ts'
import { loadedFolder, ownerKey, type RunOptions, type ServerProcess, serve } from './process.ts'

export interface Told {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

interface Call {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
  agent?: Agent
}

/** The processes that one has started, the oldest first; their numbers begin anew when the system has used them all. */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ child: Number(name), ...originOf(name) }))
    .filter(({ parent }) => parent === pid)
    .sort((a, b) => a.began! - b.began!)
    .map(({ child }) => child)

/** Parent and time of start, as proc(5) has them: the name before them is in brackets and may hold anything. */
function originOf(pid: string): { parent?: number; began?: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { parent: Number(fields[1]), began: Number(fields[19]) }
  } catch {
    return {}
  }
}

/** One request on a connection of its own, unless an agent keeps some. */
export const tell = (port: number, { method = 'GET', path, headers = {}, body, agent }: Call): Promise<Told> =>
  new Promise((resolve, reject) => {
    const request = ask({ host: '127.0.0.1', port, method, path, headers, agent: agent ?? false }, (answer) => {
      text(answer).then((all) => resolve({ status: answer.statusCode!, headers: answer.headers, body: all }), reject)
    })
    request.on('error', reject)
    request.end(body)
  })

export interface Cluster extends ServerProcess {
  key: string
  /** The first is the writer, for it is started first. */
  members: () => number[]
  /** A call of v1 with the key of the owner. */
  api: (method: string, path: string, body?: unknown, more?: Partial<Call>) => Promise<Told>
}

/** A writer and two readers with an owner, over the shipped data; over an empty PostgreSQL database they load it themselves. */
export async function cluster(options: RunOptions & { readers?: number; databaseUrl?: string } = {}): Promise<Cluster> {
  const { databaseUrl } = options
  const dataDir = databaseUrl === undefined ? loadedFolder() : temporaryFolder()
  const key = ownerKey(dataDir, databaseUrl)
  const readers = String(options.readers ?? 2)
  const env = { READERS: readers, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }), ...options.env }
  const server = await serve({ ...options, dataDir, env })
  return {
    ...server,
    key,
    members: () => childrenOf(server.child.pid!),
    api: (method, path, body, more = {}) =>
      tell(server.port, {
        method,
        path: `/api/v1${path}`,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...more,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...more.headers,
        },
      }),
  }
}

/** The file behind it, read and written as by somebody else. */
export function databaseOf({ dataDir }: Cluster): Database.Database {
  const client = new Database(join(dataDir, 'paxlog.db'))
  onTestFinished(() => void client.close())
  return client
}
