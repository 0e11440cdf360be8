import { workerData } from 'node:worker_threads'
import pg from 'pg'
import { type Connected, persistentConnection } from './connection.ts'
import {
  ANSWERS,
  IS_UNREACHABLE,
  type StatementRequest,
  type StatementResult,
  UNREACHABLE,
  type WireError,
  type WorkerInput,
} from './protocol.ts'

/** The worker that talks to PostgreSQL. The main thread waits for each answer, so that the API stays synchronous. */

const { port, signals, url, connectMs, connections } = workerData as WorkerInput

// bigint, numeric and boolean arrive as the numbers that SQLite returns.
const { types } = pg
for (const type of [types.builtins.INT8, types.builtins.NUMERIC]) types.setTypeParser(type, Number)
types.setTypeParser(types.builtins.BOOL, (text) => (text === 't' ? 1 : 0))

/** The driver's timeout, in case the server does not enforce its own. */
const MARGIN_MS = 1_000

const persistent = persistentConnection({
  url,
  connectMs,
  connections,
  onChange: (isDown) => Atomics.store(signals, IS_UNREACHABLE, isDown ? 1 : 0),
})

async function applyTimeout(connection: Connected, timeoutMs: number): Promise<void> {
  if (connection.timeoutMs === timeoutMs) return
  await connection.client.query(`set statement_timeout = ${timeoutMs}`)
  connection.timeoutMs = timeoutMs
}

/** The driver's types cover single statements only. */
interface Result {
  command: string
  rowCount: number | null
  fields?: { name: string }[]
  rows?: unknown[][]
}

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE'])

async function run(connection: Connected, { sql, name, values, timeoutMs }: StatementRequest) {
  await applyTimeout(connection, timeoutMs)
  // The types of the driver lack `query_timeout`.
  const query: pg.QueryArrayConfig & { query_timeout: number } = {
    text: sql,
    values,
    rowMode: 'array',
    query_timeout: timeoutMs + MARGIN_MS,
    ...(name !== undefined && { name }),
  }
  const answer = (await connection.client.query(query)) as Result | Result[]
  const results = Array.isArray(answer) ? answer : [answer]
  const last = results.at(-1)
  return {
    columns: last?.fields?.map((field) => field.name) ?? [],
    rows: last?.rows ?? [],
    changes: results.reduce((sum, { command, rowCount }) => sum + (WRITES.has(command) ? (rowCount ?? 0) : 0), 0),
  }
}

async function answer(request: StatementRequest): Promise<StatementResult> {
  const { id } = request
  try {
    if (request.connection !== undefined && request.connection !== persistent.number()) {
      throw new Error('The connection of the transaction was lost.')
    }
    return await persistent.use(async (connection) => ({
      id,
      connection: connection.number,
      ...(await run(connection, request)),
    }))
  } catch (error) {
    const { message } = error as Error
    const { code = UNREACHABLE, constraint } = error instanceof pg.DatabaseError ? error : ({} as WireError)
    return {
      id,
      connection: persistent.count(),
      error: { code, message, constraint },
      columns: [],
      rows: [],
      changes: 0,
    }
  }
}

port.on('message', async (request: StatementRequest | 'end') => {
  if (request === 'end') {
    await persistent.close()
    port.close()
  } else {
    port.postMessage(await answer(request))
  }
  Atomics.add(signals, ANSWERS, 1)
  Atomics.notify(signals, ANSWERS)
})
