import type { MessagePort } from 'node:worker_threads'

/**
 * Indexes in the memory shared with the worker: the number of answers, and whether the database is unreachable, too slow for
 * any statement, or too slow for writes.
 */
export const SIGNALS = { answers: 0, isUnreachable: 1, areStatementsRefused: 2, areWritesRefused: 3 } as const

/** What a circuit breaker refuses until a probe of the worker succeeds. */
export type Refused = 'statements' | 'writes'
export const REFUSAL_SIGNAL = { statements: SIGNALS.areStatementsRefused, writes: SIGNALS.areWritesRefused } as const

/** The code for errors that do not come from the server. */
export const UNREACHABLE = 'unreachable'

/**
 * The server is shutting down, starting, out of connections, a standby, or ended a transaction that took too long. The
 * statement may succeed later or on another host.
 */
export const isUnavailableCode = (code: string | undefined): boolean =>
  /^(unreachable|08...|57P0.|53300|25006|25P0[34])$/.test(code ?? '')

export interface StatementRequest {
  id: number
  sql: string
  name: string | undefined
  values: unknown[]
  /** The connection of the transaction, which must not continue on another one. */
  connection: number | undefined
  limits: StatementLimits
}

/** Enforced by the server. */
export interface StatementLimits {
  statementMs: number
  lockMs: number
}

export type WorkerMessage = StatementRequest | { probe: Refused } | 'end'

export interface WireError {
  /** An SQLSTATE, or `unreachable`. */
  code: string
  message: string
  constraint?: string | undefined
}

export interface StatementResult {
  id: number
  connection: number
  error?: WireError
  columns: string[]
  rows: unknown[][]
  changes: number
}

export interface WorkerInput {
  port: MessagePort
  signals: Int32Array
  url: string
  connectMs: number
  connections: number
  /** Replaces a worker that did not answer: the database counts as unreachable until this one has connected. */
  isReplacement: boolean
}
