import { Busy } from '../../lib/errors.ts'
import type { Refused, StatementLimits, StatementResult } from '../../workers/postgres/protocol.ts'
import { syncWorker } from '../../workers/postgres/sync-worker.ts'
import type { Engine, RunResult, Statement } from '../engine.ts'
import {
  CONFLICT,
  CommitUnknown,
  DatabaseRefused,
  DatabaseUnreachable,
  isOutdatedPlan,
  PostgresError,
  StatementTooSlow,
  TurnTaken,
  toError,
} from './errors.ts'
import { type Parameter, type Translated, translate } from './translate.ts'

const CONNECT_MS = 2_000

export interface Limits extends StatementLimits {
  /** How long slow statements may block the event loop before it handles other requests. */
  turnMs: number
}

/** Low enough for `/health` to answer within a second. */
export const REQUEST_LIMITS: Limits = { statementMs: 650, lockMs: 500, turnMs: 750 }

/** For commands and workers. Another process may be migrating or loading the shipped data on a slow machine. */
export const LONG_LIMITS: Limits = { statementMs: 120_000, lockMs: 120_000, turnMs: Number.POSITIVE_INFINITY }

/** Building an index on a large table takes minutes. */
export const MIGRATION_LIMITS: Limits = { ...LONG_LIMITS, statementMs: 3_600_000 }

/** The network and the worker. */
const REQUEST_MARGIN_MS = 100
/** A transaction is committed or rolled back even after `turnMs`. */
const END_MS = 150
/** The worker answers within the connection and statement timeouts; beyond this margin it never will. */
const MARGIN_MS = 3_000
/** Faster statements do not count towards `turnMs`: a transaction may contain hundreds. */
const SLOW_MS = 20

/** The number of statements with filters is unlimited. */
const MAX_PREPARED = 1_000
const MAX_TRANSLATED = 2_000

const BEGIN_WRITE = 'begin isolation level serializable'
/** Before the snapshot of the transaction, so that it sees everything that earlier writers wrote. */
const TAKE_TURN = 'lock table write_turn in exclusive mode'
const BEGIN_READ = 'begin isolation level repeatable read read only'

export interface PostgresEngine extends Engine {
  readonly kind: 'postgres'
  /** Rows changed by this connection, including rolled back ones. */
  readonly changedRows: number
  /** The number of the connection, which changes after a reconnect. */
  readonly connection: number
  /** Changes after every commit of any connection, and after a reconnect. */
  state(): string
  setLimits(limits: Limits): void
  /** A transaction that waits `turnMs` for the other writers of the database, and throws `TurnTaken` if it waited in vain. */
  write<Result>(turnMs: number, work: () => Result): Result
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
  let limits = LONG_LIMITS
  /** Milliseconds that slow statements took in this turn. */
  let slowMs = 0
  /** The connection of the last answer, and that of the open transaction. */
  let connection = 0
  let transactionConnection: number | undefined
  let isWriting = false

  const isBounded = () => limits.turnMs !== Number.POSITIVE_INFINITY

  /** A slow database must not block requests that do not need it. */
  function refuse(): void {
    if (isBounded()) worker.refuse(isWriting ? 'writes' : 'statements')
  }

  function requireAllowed(): void {
    if (worker.isUnreachable()) throw new DatabaseUnreachable()
    const isRefused = (what: Refused) => isBounded() && worker.isRefused(what)
    if (depth === 0 && (isRefused('statements') || (isWriting && isRefused('writes')))) throw new DatabaseRefused()
  }

  function requireTime(): void {
    if (slowMs + REQUEST_MARGIN_MS <= limits.turnMs) return
    refuse()
    throw new DatabaseRefused()
  }

  function waitMs(isEnd: boolean): number {
    if (!isBounded()) return CONNECT_MS + limits.statementMs + MARGIN_MS
    const left = limits.turnMs - slowMs
    return Math.min(limits.statementMs + REQUEST_MARGIN_MS, isEnd ? Math.max(END_MS, left) : left)
  }

  function countTime(ms: number): void {
    if (ms < SLOW_MS || !isBounded()) return
    if (slowMs === 0)
      setImmediate(() => {
        slowMs = 0
      })
    slowMs += ms
  }

  function send(sql: string, values: unknown[] = [], statement?: string): StatementResult {
    if (!isOpen) throw new TypeError('The database connection is not open')
    requireAllowed()
    const isEnd = sql === 'commit' || sql === 'rollback'
    if (!isEnd) requireTime()
    const start = performance.now()
    const request = { sql, name: statement, values, connection: transactionConnection, limits }
    const answer = worker.execute(request, waitMs(isEnd))
    countTime(performance.now() - start)
    if (!answer) {
      refuse()
      throw new DatabaseUnreachable(new Error('The database worker does not answer.'))
    }
    connection = answer.connection
    if (answer.error) throw toError(answer.error)
    changedRows += answer.changes
    return answer
  }

  function execute(...statement: Parameters<typeof send>): StatementResult {
    try {
      return send(...statement)
    } catch (error) {
      if (error instanceof StatementTooSlow) refuse()
      throw error
    }
  }

  const known = new Map<string, CachedStatement>()

  function cachedStatement(text: string): CachedStatement {
    const cached = known.get(text)
    if (cached) return cached
    const result = { ...translate(text), uses: 0, name: undefined }
    if (known.size < MAX_TRANSLATED) known.set(text, result)
    return result
  }

  function prepare(text: string): Statement {
    const source = cachedStatement(text)
    let shape: 'object' | 'array' | 'value' = 'object'

    function run(args: unknown[]): StatementResult {
      if (++source.uses >= 2 && source.name === undefined && named < MAX_PREPARED) source.name = `paxlog_${++named}`
      try {
        return execute(source.sql, bindValues(source, args), source.name)
      } catch (error) {
        if (!isOutdatedPlan(error)) throw error
        // A migration of a newer version changed the type of a column. The next use prepares the statement again.
        source.name = undefined
        if (depth === 0) return run(args)
        throw new PostgresError({ code: CONFLICT, message: (error as Error).message })
      }
    }
    function toRow(columns: string[], row: unknown[]): unknown {
      if (shape === 'value') return decodeValue(row[0])
      if (shape === 'array') return row.map(decodeValue)
      const found: Record<string, unknown> = {}
      for (let index = 0; index < columns.length; index++) found[columns[index]!] = decodeValue(row[index])
      return found
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

  /** In one round trip. */
  const beginTurn = (turnMs: number) =>
    turnMs === 0
      ? `${BEGIN_WRITE}; ${TAKE_TURN} nowait`
      : `${BEGIN_WRITE}; set local lock_timeout = ${turnMs}; ${TAKE_TURN}; set local lock_timeout = ${limits.lockMs}`

  function begin(mode: string): void {
    isWriting = mode !== BEGIN_READ
    try {
      transactionConnection = send(mode).connection
      depth = 1
    } catch (error) {
      isWriting = false
      throw error
    }
  }

  function beginWrite(turnMs: number): void {
    try {
      begin(beginTurn(turnMs))
    } catch (error) {
      if (!(error instanceof StatementTooSlow || error instanceof PostgresError)) throw error
      // The transaction has begun, and only the lock failed.
      depth = 1
      rollbackQuietly(() => end('rollback'))
      throw error instanceof StatementTooSlow ? new TurnTaken(error) : error
    }
  }

  function end(mode: 'commit' | 'rollback'): void {
    try {
      execute(mode)
    } catch (error) {
      throw mode === 'commit' && error instanceof DatabaseUnreachable ? new CommitUnknown(error) : error
    } finally {
      depth = 0
      isWriting = false
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

  function untilCommit<Result>(work: () => Result): Result {
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

  function inTransaction<Result>(mode: string, work: () => Result): Result {
    if (depth > 0) return inSavepoint(work)
    begin(mode)
    return untilCommit(work)
  }

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
    write(turnMs, work) {
      if (depth === 0) {
        beginWrite(turnMs)
        return untilCommit(work)
      }
      return inSavepoint(() => {
        execute(TAKE_TURN)
        return work()
      })
    },
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
    get connection() {
      return connection
    },
    get changedRows() {
      return changedRows
    },
    state() {
      const seen = snapshot.get() as string
      return `${connection} ${seen}`
    },
    setLimits(given) {
      limits = given
    },
    close() {
      if (!isOpen) return
      isOpen = false
      worker.close()
    },
  }
}
