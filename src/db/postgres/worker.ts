import { type MessagePort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { AWAY } from './away.ts'
import { type Connected, keptConnection } from './connection.ts'
import { ANSWERS, IS_AWAY } from './signals.ts'

/**
 * The thread that talks to PostgreSQL. The thread of the requests waits for each answer, so that everything above it
 * stays as synchronous as it is with a file.
 */

/** What the thread of the requests asks for. */
export interface Question {
  id: number
  sql: string
  /** Statements that are run again have a name, under which the server keeps them. */
  name: string | undefined
  values: unknown[]
  /** Inside a transaction, the connection that it was begun on: it must not go on elsewhere. */
  connection: number | undefined
  /** How long the statement may take. */
  patienceMs: number
}

export interface Fault {
  /** An SQLSTATE, or `away` where the server could not be asked. */
  code: string
  message: string
  constraint?: string | undefined
}

export interface Answer {
  id: number
  /** Counts the connections. */
  connection: number
  fault?: Fault
  columns: string[]
  rows: unknown[][]
  changes: number
}

export interface Given {
  port: MessagePort
  /** Who waits is woken by the number of answers. */
  signals: Int32Array
  url: string
  connectMs: number
  /** How many there were before this thread. */
  connections: number
}

const { port, signals, url, connectMs, connections } = workerData as Given

// Whole numbers, sums and truth values arrive as the numbers that SQLite gives.
const { types } = pg
for (const type of [types.builtins.INT8, types.builtins.NUMERIC]) types.setTypeParser(type, Number)
types.setTypeParser(types.builtins.BOOL, (text) => (text === 't' ? 1 : 0))

/** What the server has not said within this time after the statement's own limit was lost on the way. */
const MARGIN_MS = 1_000

const kept = keptConnection({
  url,
  connectMs,
  connections,
  onChange: (isAway) => Atomics.store(signals, IS_AWAY, isAway ? 1 : 0),
})

/** Its limit is the server's, and where nothing comes from there at all, the driver's. */
async function limited(connection: Connected, patienceMs: number): Promise<void> {
  if (connection.patienceMs === patienceMs) return
  await connection.client.query(`set statement_timeout = ${patienceMs}`)
  connection.patienceMs = patienceMs
}

/** Of each statement; the types of the driver know of one alone. */
interface Result {
  command: string
  rowCount: number | null
  fields?: { name: string }[]
  rows?: unknown[][]
}

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE'])

async function run(connection: Connected, { sql, name, values, patienceMs }: Question) {
  await limited(connection, patienceMs)
  // The driver knows this member, its types do not.
  const query: pg.QueryArrayConfig & { query_timeout: number } = {
    text: sql,
    values,
    rowMode: 'array',
    query_timeout: patienceMs + MARGIN_MS,
    ...(name !== undefined && { name }),
  }
  const answer = (await connection.client.query(query)) as Result | Result[]
  // Several statements at once have several results.
  const results = Array.isArray(answer) ? answer : [answer]
  const last = results.at(-1)
  return {
    columns: last?.fields?.map((field) => field.name) ?? [],
    rows: last?.rows ?? [],
    changes: results.reduce((sum, { command, rowCount }) => sum + (WRITES.has(command) ? (rowCount ?? 0) : 0), 0),
  }
}

const NOTHING = { columns: [], rows: [], changes: 0 }
const LOST = 'The connection on which the transaction was begun is gone.'

async function answer(question: Question): Promise<Answer> {
  const { id } = question
  try {
    if (question.connection !== undefined && question.connection !== kept.number()) throw new Error(LOST)
    return await kept.use(async (connection) => ({
      id,
      connection: connection.number,
      ...(await run(connection, question)),
    }))
  } catch (error) {
    const { code = AWAY, message, constraint } = error as pg.DatabaseError
    const said = error instanceof pg.DatabaseError
    return { id, connection: kept.count(), fault: { code: said ? code : AWAY, message, constraint }, ...NOTHING }
  }
}

port.on('message', async (question: Question | 'end') => {
  if (question === 'end') {
    await kept.close()
    port.close()
  } else {
    port.postMessage(await answer(question))
  }
  Atomics.add(signals, ANSWERS, 1)
  Atomics.notify(signals, ANSWERS)
})
