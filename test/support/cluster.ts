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

/** The processes that one has started. */
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid)

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
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
    members: () => childrenOf(server.child.pid!).sort((a, b) => a - b),
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
