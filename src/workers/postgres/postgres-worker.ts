import { setTimeout as wait } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import pg from 'pg'
import { type Connected, persistentConnection } from './connection.ts'
import {
  REFUSAL_SIGNAL,
  type Refused,
  SIGNALS,
  type StatementLimits,
  type StatementRequest,
  type StatementResult,
  UNREACHABLE,
  type WireError,
  type WorkerInput,
  type WorkerMessage,
} from './protocol.ts'

/** The worker that talks to PostgreSQL. The main thread waits for each answer, so that the API stays synchronous. */

const { port, signals, url, connectMs, connections, isReplacement } = workerData as WorkerInput

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
  onChange: (isDown) => Atomics.store(signals, SIGNALS.isUnreachable, isDown ? 1 : 0),
})
if (isReplacement) persistent.markDown()

async function applyLimits(connection: Connected, { statementMs, lockMs }: StatementLimits): Promise<void> {
  const limits = `${statementMs} ${lockMs}`
  if (connection.limits === limits) return
  await connection.client.query(`set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}`)
  connection.limits = limits
}

const PROBE_PAUSE_MS = 100

const lockTables = (mode: string) => `
  execute (select 'lock table ' || string_agg(format('%I', relname), ', ') || ' in ${mode} mode nowait'
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r');`

/** Fail or hang for the reasons for which statements or commits do: locked tables, and a standby that does not confirm. */
const PROBES: Record<Refused, string> = {
  statements: `do $$ begin ${lockTables('access share')} end $$`,
  writes: `do $$ begin ${lockTables('row exclusive')} perform pg_logical_emit_message(true, 'paxlog', 'probe'); end $$`,
}

async function probe(what: Refused): Promise<void> {
  do await wait(PROBE_PAUSE_MS)
  while (!(await persistent.isUsable(PROBES[what])))
  Atomics.store(signals, REFUSAL_SIGNAL[what], 0)
}

/** The driver's types cover single statements only. */
interface Result {
  command: string
  rowCount: number | null
  fields?: { name: string }[]
  rows?: unknown[][]
}

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE'])

async function run(connection: Connected, { sql, name, values, limits }: StatementRequest) {
  await applyLimits(connection, limits)
  // The types of the driver lack `query_timeout`.
  const query: pg.QueryArrayConfig & { query_timeout: number } = {
    text: sql,
    values,
    rowMode: 'array',
    query_timeout: limits.statementMs + MARGIN_MS,
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

port.on('message', async (message: WorkerMessage) => {
  if (message === 'end') {
    await persistent.close()
    port.close()
  } else if ('probe' in message) {
    return probe(message.probe)
  } else {
    port.postMessage(await answer(message))
  }
  Atomics.add(signals, SIGNALS.answers, 1)
  Atomics.notify(signals, SIGNALS.answers)
})
