import { Busy } from '../../lib/errors.ts'
import type { Engine, Statement, Written } from '../engine.ts'
import { CommitUnknown, DatabaseAway, errorOf, isConflict, isTaken, PostgresFault, TooManyConflicts } from './fault.ts'
import { waitedThread } from './thread.ts'
import { type Translated, translate } from './translate.ts'
import type { Answer } from './worker.ts'

const CONNECT_MS = 2_000
export const POSTGRES_STATEMENT_MS = 10_000
/** The thread answers by itself within the limits of connection and statement; who hears nothing so much later never will. */
const MARGIN_MS = 3_000

/** How often, and how long at most, a transaction is done again that met another one. */
const MOST_ATTEMPTS = 30
const LONGEST_PAUSE_MS = 50
/** Who inserts has looked before: what is taken was taken meanwhile, and the next look sees by whom. */
const MOST_TAKEN = 3

/** So many statements are kept by the server, and so many texts are translated once: those of filters have no end. */
const MOST_NAMED = 1_000
const MOST_KNOWN = 2_000

const READS = /^\s*(select|with|explain|show)\b/i
const WRITING = 'begin isolation level serializable'
const READING = 'begin isolation level repeatable read read only'

export interface PostgresEngine extends Engine {
  readonly kind: 'postgres'
  /** Rows that this connection has changed so far, also those that were undone. */
  readonly changedRows: number
  /** Differs after every commit of anybody, and on another connection. */
  state(): string
  /** How long a statement may take, in milliseconds. */
  setPatience(ms: number): void
}

const idle = new Int32Array(new SharedArrayBuffer(4))

/** Longer with each attempt, and by chance, so that two do not meet again and again. */
function pause(attempt: number): void {
  Atomics.wait(idle, 0, 0, Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS))
}

function retried<Made>(work: () => Made): Made {
  for (let attempt = 1; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (attempt >= (isConflict(error) ? MOST_ATTEMPTS : isTaken(error) ? MOST_TAKEN : 1))
        throw isConflict(error) ? new TooManyConflicts(error) : error
    }
    pause(attempt)
  }
}

/** Texts with U+0000 cannot be stored, and PostgreSQL takes none to look for either. Nothing that is stored equals this one. */
const sendable = (value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{10ffff}') : value

/** Binary values lose their class on the way between threads. */
const received = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value

interface Kept extends Translated {
  isReading: boolean
  uses: number
  name: string | undefined
}

function valuesFor({ parameters }: Translated, given: unknown[]): unknown[] {
  const [first] = given
  const isAlone = given.length === 1 && typeof first === 'object' && first !== null && !ArrayBuffer.isView(first)
  if (isAlone && !Array.isArray(first)) {
    const byName = first as Record<string, unknown>
    return parameters.map((key) => sendable(byName[key]))
  }
  const list = isAlone ? (first as unknown[]) : given
  return parameters.map((key) => sendable(list[Number(key)]))
}

/** A connection to PostgreSQL, in a thread of its own that is waited for. It is made when it is first needed, and anew when it broke. */
export function postgresClient(url: string, { name }: Pick<Engine, 'name'>): PostgresEngine {
  const thread = waitedThread({ url, connectMs: CONNECT_MS })
  let isOpen = true
  let depth = 0
  let changedRows = 0
  let named = 0
  let patienceMs = POSTGRES_STATEMENT_MS
  /** The connection of the last answer, and the one that a transaction was begun on. */
  let connection = 0
  let begunOn: number | undefined

  function ask(sql: string, values: unknown[] = [], statement?: string): Answer {
    if (!isOpen) throw new TypeError('The database connection is not open')
    if (thread.isAway()) throw new DatabaseAway()
    const question = { sql, name: statement, values, connection: begunOn, patienceMs }
    const answer = thread.ask(question, CONNECT_MS + patienceMs + MARGIN_MS)
    if (!answer) throw new DatabaseAway(new Error('The thread of the database does not answer.'))
    connection = answer.connection
    if (answer.fault) throw errorOf(answer.fault)
    changedRows += answer.changes
    return answer
  }

  const known = new Map<string, Kept>()

  function kept(text: string): Kept {
    const found = known.get(text)
    if (found) return found
    const made = { ...translate(text), isReading: READS.test(text), uses: 0, name: undefined }
    if (known.size < MOST_KNOWN) known.set(text, made)
    return made
  }

  function prepare(text: string): Statement {
    const source = kept(text)
    let shape: 'object' | 'array' | 'value' = 'object'

    function run(given: unknown[]): Answer {
      if (++source.uses === 2 && named < MOST_NAMED) source.name = `paxlog_${++named}`
      const values = valuesFor(source, given)
      const once = () => ask(source.sql, values, source.name)
      return depth > 0 || source.isReading ? once() : retried(() => within(WRITING, once))
    }
    function shaped(columns: string[], row: unknown[]): unknown {
      if (shape === 'value') return received(row[0])
      if (shape === 'array') return row.map(received)
      return Object.fromEntries(columns.map((column, index) => [column, received(row[index])]))
    }
    const statement: Statement = {
      get(...given) {
        const { columns, rows } = run(given)
        return rows[0] && shaped(columns, rows[0])
      },
      all(...given) {
        const { columns, rows } = run(given)
        return rows.map((row) => shaped(columns, row))
      },
      *iterate(...given) {
        const { columns, rows } = run(given)
        for (const row of rows) yield shaped(columns, row)
      },
      run(...given): Written {
        const { changes, rows } = run(given)
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

  function begin(how: string): void {
    begunOn = ask(how).connection
    depth = 1
  }

  function end(how: 'commit' | 'rollback'): void {
    try {
      ask(how)
    } catch (error) {
      throw how === 'commit' && error instanceof DatabaseAway ? new CommitUnknown(error) : error
    } finally {
      depth = 0
      begunOn = undefined
    }
  }

  /** What failed is undone already where the connection broke; then the failure is what counts. */
  function undo(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof PostgresFault || error instanceof Busy)) throw error
    }
  }

  function outermost<Made>(how: string, work: () => Made): Made {
    begin(how)
    try {
      const made = work()
      end('commit')
      return made
    } catch (error) {
      if (depth > 0) undo(() => end('rollback'))
      throw error
    }
  }

  function nested<Made>(work: () => Made): Made {
    const savepoint = `level_${depth}`
    ask(`savepoint ${savepoint}`)
    depth++
    try {
      const made = work()
      ask(`release ${savepoint}`)
      return made
    } catch (error) {
      undo(() => ask(`rollback to ${savepoint}`))
      throw error
    } finally {
      depth--
    }
  }

  const within = <Made>(how: string, work: () => Made): Made => (depth > 0 ? nested(work) : outermost(how, work))

  function transaction<Args extends unknown[], Made>(work: (...given: Args) => Made) {
    const writing = (...given: Args) => within(WRITING, () => work(...given))
    const deferred = (...given: Args) => within(READING, () => work(...given))
    return Object.assign((...given: Args) => writing(...given), { immediate: writing, deferred })
  }

  const snapshot = prepare('select pg_current_snapshot()::text').pluck()

  return {
    kind: 'postgres',
    name,
    prepare,
    transaction,
    exec(sql) {
      if (/^begin\b/i.test(sql)) return begin(WRITING)
      if (/^(commit|rollback)$/i.test(sql)) return end(sql.toLowerCase() as 'commit' | 'rollback')
      ask(sql)
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
    setPatience(ms) {
      patienceMs = ms
    },
    close() {
      if (!isOpen) return
      isOpen = false
      thread.close()
    },
  }
}
