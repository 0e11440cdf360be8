import type { Db } from './open.ts'

/** Flights are watched in blocks of so many neighbouring ids. */
export const BLOCK = 512

export const blockOf = (id: number) => Math.floor(id / BLOCK)

/** The column that names the flight. */
const watched = { flights: 'id', passengers: 'flight_id' }

export type FlightChanges = ReturnType<typeof watch>

const known = new WeakMap<Db, FlightChanges>()

/**
 * Tells which flights were written, themselves or their passengers, so that what was read of all others still holds; one
 * watch for each connection.
 */
export function flightChanges(db: Db): FlightChanges {
  const changes = known.get(db) ?? watch(db)
  known.set(db, changes)
  return changes
}

function watch(db: Db) {
  const client = db.$client
  const version = client.prepare('pragma data_version').pluck()
  const inOneState = client.transaction((read: () => unknown) => read()).deferred
  const lastWrite = new Map<number, number>()
  let writes = 0
  let foreign = version.get()
  let foreignWrite = 0

  // Triggers of this connection alone: they see whatever it writes, foreign keys and commands of any service included.
  client.function('flight_written', (id) => {
    lastWrite.set(blockOf(Number(id)), ++writes)
    return null
  })
  for (const [table, id] of Object.entries(watched)) {
    client.exec(`
      create temp trigger ${table}_added after insert on main.${table} begin select flight_written(new.${id}); end;
      create temp trigger ${table}_removed after delete on main.${table} begin select flight_written(old.${id}); end;
      create temp trigger ${table}_changed after update on main.${table}
        begin select flight_written(old.${id}), flight_written(new.${id}); end;`)
  }

  /** Of what another process commits nothing is known but the fact; then every flight counts as written. */
  function lookAbroad(): void {
    const now = version.get()
    if (now === foreign) return
    foreign = now
    foreignWrite = ++writes
    lastWrite.clear()
  }

  return {
    /** Stands for this moment: what is read afterwards is at least as new. */
    mark(): number {
      lookAbroad()
      return writes
    },
    /** The blocks with flights that were written since, or undefined where any flight may have been. */
    since(mark: number): number[] | undefined {
      lookAbroad()
      if (foreignWrite > mark) return undefined
      return [...lastWrite].flatMap(([block, write]) => (write > mark ? [block] : []))
    },
    /** Everything in here sees one and the same state of the database. */
    snapshot<Result>(read: () => Result): Result {
      // A write that is not committed may be undone, and nobody would be told.
      if (client.inTransaction) throw new Error('A snapshot cannot be taken inside a transaction.')
      return inOneState(read) as Result
    },
  }
}
