import type Database from 'better-sqlite3'

/** Which snapshot a connection reads; undefined while it reads none. */
export type Snapshots = () => number | undefined

const known = new WeakMap<Database.Database, Snapshots>()

/** Of a connection that reads in snapshots; undefined for one that may write. */
export const snapshotsOf = (client: Database.Database): Snapshots | undefined => known.get(client)

/**
 * Makes a connection one that only reads, in snapshots: whatever is read in the same turn of the event loop is of one state
 * of the data. The first statement of a turn begins it, and it ends before the next event is looked at, so that nobody is
 * answered from a state that was over when the request came.
 */
export function readInSnapshots(client: Database.Database): void {
  client.pragma('query_only = on')
  const [begin, end] = [client.prepare('begin'), client.prepare('commit')]
  let count = 0
  let isOpen = false

  function leave(): void {
    isOpen = false
    if (client.inTransaction) end.run()
  }

  function enter(): void {
    if (client.inTransaction) return
    begin.run()
    count++
    isOpen = true
    queueMicrotask(leave)
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
  known.set(client, () => (isOpen ? count : undefined))
}
