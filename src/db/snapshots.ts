import type Database from 'better-sqlite3'

/** What a connection reads that only reads. */
export interface Snapshots {
  /** Differs from turn to turn, and once more after the first statement of a turn, which may read something newer. */
  state: () => number
  /** A statement that is asked outside of any snapshot as long as the turn has none. */
  prepareOutside: Database.Database['prepare']
}

const known = new WeakMap<Database.Database, Snapshots>()

/** Of a connection that reads in snapshots; undefined for one that may write. */
export const snapshotsOf = (client: Database.Database): Snapshots | undefined => known.get(client)

/**
 * Makes a connection one that only reads, in snapshots: whatever is read in the same turn of the event loop is of one state
 * of the data. The first statement of a turn begins it, and it ends before the next event is looked at, so that nobody is
 * answered from a state that was over when the request came. To keep it any longer would be cheaper, and would keep the
 * writer from ever beginning its log anew. What is in memory is compared with the data outside of it: whoever finds everything
 * there needs no snapshot, and what is read after that may be newer, but never older.
 */
export function readInSnapshots(client: Database.Database): void {
  client.pragma('query_only = on')
  const [begin, end] = [client.prepare('begin'), client.prepare('commit')]
  let count = 0
  /** Of this turn, once it was asked for. */
  let state: number | undefined
  let hasBegun = false

  function leave(): void {
    state = undefined
    if (!hasBegun) return
    hasBegun = false
    if (client.inTransaction) end.run()
  }

  function next(): number {
    if (state === undefined) queueMicrotask(leave)
    state = ++count
    return state
  }

  function enter(): void {
    if (client.inTransaction) return
    begin.run()
    hasBegun = true
    next()
  }

  const prepare = client.prepare.bind(client)
  client.prepare = ((source: string) => {
    const statement = prepare(source)
    for (const name of ['get', 'all', 'run', 'iterate'] as const) {
      const run = statement[name].bind(statement) as (...values: unknown[]) => unknown
      Object.assign(statement, {
        [name]: (...values: unknown[]) => {
          enter()
          return run(...values)
        },
      })
    }
    return statement
  }) as typeof client.prepare
  known.set(client, { state: () => state ?? next(), prepareOutside: prepare })
}
