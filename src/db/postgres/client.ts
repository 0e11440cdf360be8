import { Busy } from '../../lib/errors.ts'
import type { StatementResult } from '../../workers/postgres/protocol.ts'
import { syncWorker } from '../../workers/postgres/sync-worker.ts'
import type { Engine, RunResult, Statement } from '../engine.ts'
import {
  CommitUnknown,
  DatabaseUnreachable,
  isConflict,
  isUniqueViolation,
  PostgresError,
  TooManyConflicts,
  toError,
} from './errors.ts'
import { type Parameter, type Translated, translate } from './translate.ts'

const CONNECT_MS = 2_000
export const POSTGRES_STATEMENT_MS = 10_000
/** The worker answers within the connection and statement timeouts; beyond this margin it never will. */
const MARGIN_MS = 3_000

const MAX_ATTEMPTS = 30
const MAX_PAUSE_MS = 50
/** Another process may have inserted the same value after the check. */
const MAX_UNIQUE_VIOLATIONS = 3

/** The number of statements with filters is unlimited. */
const MAX_PREPARED = 1_000
const MAX_TRANSLATED = 2_000

const READ_PATTERN = /^\s*(select|with|explain|show)\b/i
const BEGIN_WRITE = 'begin isolation level serializable'
const BEGIN_READ = 'begin isolation level repeatable read read only'

export interface PostgresEngine extends Engine {
  readonly kind: 'postgres'
  /** Rows changed by this connection, including rolled back ones. */
  readonly changedRows: number
  /** Changes after every commit of any connection, and after a reconnect. */
  state(): string
  setStatementTimeout(ms: number): void
}

const idle = new Int32Array(new SharedArrayBuffer(4))

function pause(attempt: number): void {
  Atomics.wait(idle, 0, 0, Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS))
}

function retry<Result>(work: () => Result): Result {
  for (let attempt = 1; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (attempt >= (isConflict(error) ? MAX_ATTEMPTS : isUniqueViolation(error) ? MAX_UNIQUE_VIOLATIONS : 1))
        throw isConflict(error) ? new TooManyConflicts(error) : error
    }
    pause(attempt)
  }
}

/** PostgreSQL rejects U+0000; no stored text contains the replacement. */
const encodeValue = (value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{10ffff}') : value

const encode = (value: unknown, { isList }: Parameter) =>
  isList ? (JSON.parse(value as string) as unknown[]).map(encodeValue) : encodeValue(value)

/** Buffers arrive as plain Uint8Arrays. */
const decodeValue = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value

interface CachedStatement extends Translated {
  isReading: boolean
  uses: number
  name: string | undefined
}

function bindValues({ parameters }: Translated, args: unknown[]): unknown[] {
  const [first] = args
  const isAlone = args.length === 1 && typeof first === 'object' && first !== null && !ArrayBuffer.isView(first)
  if (isAlone && !Array.isArray(first)) {
    const byName = first as Record<string, unknown>
    return parameters.map((parameter) => encode(byName[parameter.key], parameter))
  }
  const list = isAlone ? (first as unknown[]) : args
  return parameters.map((parameter) => encode(list[Number(parameter.key)], parameter))
}

/** A synchronous connection to PostgreSQL through a worker. Connects on first use and reconnects. */
export function postgresClient(url: string, { name }: Pick<Engine, 'name'>): PostgresEngine {
  const worker = syncWorker({ url, connectMs: CONNECT_MS })
  let isOpen = true
  let depth = 0
  let changedRows = 0
  let named = 0
  let timeoutMs = POSTGRES_STATEMENT_MS
  /** The connection of the last answer, and that of the open transaction. */
  let connection = 0
  let transactionConnection: number | undefined

  function execute(sql: string, values: unknown[] = [], statement?: string): StatementResult {
    if (!isOpen) throw new TypeError('The database connection is not open')
    if (worker.isUnreachable()) throw new DatabaseUnreachable()
    const request = { sql, name: statement, values, connection: transactionConnection, timeoutMs }
    const answer = worker.execute(request, CONNECT_MS + timeoutMs + MARGIN_MS)
    if (!answer) throw new DatabaseUnreachable(new Error('The database worker does not answer.'))
    connection = answer.connection
    if (answer.error) throw toError(answer.error)
    changedRows += answer.changes
    return answer
  }

  const known = new Map<string, CachedStatement>()

  function cachedStatement(text: string): CachedStatement {
    const cached = known.get(text)
    if (cached) return cached
    const result = { ...translate(text), isReading: READ_PATTERN.test(text), uses: 0, name: undefined }
    if (known.size < MAX_TRANSLATED) known.set(text, result)
    return result
  }

  function prepare(text: string): Statement {
    const source = cachedStatement(text)
    let shape: 'object' | 'array' | 'value' = 'object'

    function run(args: unknown[]): StatementResult {
      if (++source.uses === 2 && named < MAX_PREPARED) source.name = `paxlog_${++named}`
      const values = bindValues(source, args)
      const once = () => execute(source.sql, values, source.name)
      return depth > 0 || source.isReading ? once() : retry(() => inTransaction(BEGIN_WRITE, once))
    }
    function toRow(columns: string[], row: unknown[]): unknown {
      if (shape === 'value') return decodeValue(row[0])
      if (shape === 'array') return row.map(decodeValue)
      return Object.fromEntries(columns.map((column, index) => [column, decodeValue(row[index])]))
    }
    const statement: Statement = {
      get(...args) {
        const { columns, rows } = run(args)
        return rows[0] && toRow(columns, rows[0])
      },
      all(...args) {
        const { columns, rows } = run(args)
        return rows.map((row) => toRow(columns, row))
      },
      *iterate(...args) {
        const { columns, rows } = run(args)
        for (const row of rows) yield toRow(columns, row)
      },
      run(...args): RunResult {
        const { changes, rows } = run(args)
        return { changes, lastInsertRowid: Number(rows[0]?.[0] ?? 0) }
      },
      pluck() {
        shape = 'value'
        return statement
      },
      raw() {
        shape = 'array'
        return statement
      },
    }
    return statement
  }

  function begin(mode: string): void {
    transactionConnection = execute(mode).connection
    depth = 1
  }

  function end(mode: 'commit' | 'rollback'): void {
    try {
      execute(mode)
    } catch (error) {
      throw mode === 'commit' && error instanceof DatabaseUnreachable ? new CommitUnknown(error) : error
    } finally {
      depth = 0
      transactionConnection = undefined
    }
  }

  /** After a lost connection, the original error matters more. */
  function rollbackQuietly(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof PostgresError || error instanceof Busy)) throw error
    }
  }

  function inNewTransaction<Result>(mode: string, work: () => Result): Result {
    begin(mode)
    try {
      const result = work()
      end('commit')
      return result
    } catch (error) {
      if (depth > 0) rollbackQuietly(() => end('rollback'))
      throw error
    }
  }

  function inSavepoint<Result>(work: () => Result): Result {
    const savepoint = `level_${depth}`
    execute(`savepoint ${savepoint}`)
    depth++
    try {
      const result = work()
      execute(`release ${savepoint}`)
      return result
    } catch (error) {
      rollbackQuietly(() => execute(`rollback to ${savepoint}`))
      throw error
    } finally {
      depth--
    }
  }

  const inTransaction = <Result>(mode: string, work: () => Result): Result =>
    depth > 0 ? inSavepoint(work) : inNewTransaction(mode, work)

  function transaction<Args extends unknown[], Result>(work: (...args: Args) => Result) {
    const writing = (...args: Args) => inTransaction(BEGIN_WRITE, () => work(...args))
    const deferred = (...args: Args) => inTransaction(BEGIN_READ, () => work(...args))
    return Object.assign((...args: Args) => writing(...args), { immediate: writing, deferred })
  }

  const snapshot = prepare('select pg_current_snapshot()::text').pluck()

  return {
    kind: 'postgres',
    name,
    prepare,
    transaction,
    exec(sql) {
      if (/^begin\b/i.test(sql)) return begin(BEGIN_WRITE)
      if (/^(commit|rollback)$/i.test(sql)) return end(sql.toLowerCase() as 'commit' | 'rollback')
      execute(sql)
    },
    get open() {
      return isOpen
    },
    get inTransaction() {
      return depth > 0
    },
    get changedRows() {
      return changedRows
    },
    state() {
      const seen = snapshot.get() as string
      return `${connection} ${seen}`
    },
    setStatementTimeout(ms) {
      timeoutMs = ms
    },
    close() {
      if (!isOpen) return
      isOpen = false
      worker.close()
    },
  }
}
