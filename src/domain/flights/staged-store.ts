import { getTableColumns } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { DatabaseUnreachable, isUndefinedTable } from '../../db/postgres/errors.ts'
import { postgresOf } from '../../db/postgres/open.ts'
import { toPostgresType } from '../../db/postgres/types.ts'
import { flights, passengers } from '../../db/tables/index.ts'
import { EVERYBODY } from './feed-entries.ts'

/**
 * Flights of an import, in tables that only this connection has and that nobody waits for. One statement each moves them
 * into the log, in half of the time that inserting row by row takes, and only that needs the lock of the writer.
 * The tables are made when an import needs them, which the query builder cannot know.
 */

const columnsOf = (table: typeof flights | typeof passengers, except: readonly string[]) =>
  Object.entries(getTableColumns(table))
    .filter(([name]) => !except.includes(name))
    .map(([name, column]) => ({ name, column: column.name, type: toPostgresType(column) }))

const ofFlight = columnsOf(flights, ['id', 'createdAt', 'updatedAt', 'lastChange'])
const ofPassenger = columnsOf(passengers, ['id', 'flightId'])
const listed = (columns: typeof ofFlight) => columns.map(({ column }) => column).join(', ')
const typed = (columns: typeof ofFlight) => columns.map(({ column, type }) => `${column} ${type}`).join(', ')
const placeholders = (columns: typeof ofFlight) => columns.map(({ name }) => `@${name}`).join(', ')

const LABELS_AT_ONCE = 500
/** In PostgreSQL each statement is a way to another machine and back, so that many rows take it together. */
const SENT_AT_ONCE = 500

/** What the two engines say differently: tables, and the ids of what is moved, which is to be in the order of the list. */
const IN_FILE = {
  tables: `
    create temp table if not exists staged_flights (number integer primary key, label, ${listed(ofFlight)});
    create temp table if not exists staged_passengers (number, place, ${listed(ofPassenger)}, primary key (number, place)) without rowid;`,
  // Nobody else inserts until the transaction is over.
  nextIds: `select coalesce((select seq from sqlite_sequence where name = 'flights'), 0) + 1`,
  id: '@first + wanted.key',
  ids: '',
  // Of the feed, for which triggers would be dear (`feed-entries.ts`). Positions follow each other as ids do.
  positions: `
    insert into change_positions (at, tag)
    select cast(unixepoch('subsec') * 1000 as integer), randomblob(8) from json_each(@numbers)`,
  lastChange: '@firstSeq + wanted.key',
  changes: `
    insert into flight_changes (user_id, seq, flight_id)
    select '${EVERYBODY}', @firstSeq + wanted.key, @first + wanted.key from json_each(@numbers) wanted
    union all
    select user_id, @firstSeq + wanted.key, @first + wanted.key
    from json_each(@numbers) wanted cross join staged_passengers on number = wanted.value where user_id is not null`,
}
const IN_POSTGRES = {
  tables: `
    create temp table if not exists staged_flights (number bigint primary key, label text, ${typed(ofFlight)});
    create temp table if not exists staged_passengers (number bigint, place bigint, ${typed(ofPassenger)}, primary key (number, place));`,
  // Others may take ids in between.
  nextIds: `select nextval(pg_get_serial_sequence('flights', 'id')) from generate_series(1, @count)`,
  id: 'taken.value',
  ids: 'join json_each(@ids) taken on taken.key = wanted.key',
  lastChange: '0',
}

type Row = Record<string, unknown>

interface Labelled {
  number: number
  label: string
}

/** Where the connection was lost and made anew, nothing is on the stage any more, and nothing of it in the log. */
const onStage =
  <Given extends unknown[], Made>(work: (...given: Given) => Made) =>
  (...given: Given): Made => {
    try {
      return work(...given)
    } catch (error) {
      if (!isUndefinedTable(error)) throw error
      throw new DatabaseUnreachable(new Error('The connection was lost in the middle of an import.', { cause: error }))
    }
  }

/** Where rows wait for others that go the same way. */
function sentTogether(db: Db, table: string, columns: typeof ofFlight) {
  const send = db.$client.prepare(
    `insert into ${table} select * from json_populate_recordset(null::${table}, @rows::json)`,
  )
  let rows: Row[] = []
  function flush(): void {
    if (rows.length > 0) send.run({ rows: JSON.stringify(rows) })
    rows = []
  }
  return {
    add(row: Row): void {
      rows.push(Object.fromEntries(columns.map(({ name, column }) => [column, row[name]])))
      if (rows.length >= SENT_AT_ONCE) flush()
    },
    flush,
  }
}

const NUMBER = { name: 'number', column: 'number', type: '' }
const LABEL = { name: 'label', column: 'label', type: '' }
const PLACE = { name: 'place', column: 'place', type: '' }

export function stagedStore(db: Db) {
  const client = db.$client
  const isFile = postgresOf(db) === undefined
  const { tables, nextIds, id, ids, lastChange } = isFile ? IN_FILE : IN_POSTGRES
  client.exec(`${tables} delete from staged_flights; delete from staged_passengers;`)
  const addFlight = client.prepare(
    `insert into staged_flights (number, label, ${listed(ofFlight)}) values (@number, @label, ${placeholders(ofFlight)})`,
  )
  const addPassenger = client.prepare(
    `insert into staged_passengers (number, place, ${listed(ofPassenger)}) values (@number, @place, ${placeholders(ofPassenger)})`,
  )
  const someLabels = client.prepare(
    `select number, label from staged_flights where number > @after order by number limit ${LABELS_AT_ONCE}`,
  )
  const takeIds = client.prepare(nextIds).pluck()
  // The order of the list is that of the ids, for which SQLite sorts the rows of one statement in memory.
  const moveFlights = client.prepare(
    `insert into flights (id, created_at, updated_at, last_change, ${listed(ofFlight)})
     select ${id}, @now, @now, ${lastChange}, ${listed(ofFlight)}
     from json_each(@numbers) wanted ${ids} cross join staged_flights on number = wanted.value order by wanted.key`,
  )
  const movePassengers = client.prepare(
    `insert into passengers (flight_id, ${listed(ofPassenger)})
     select ${id}, ${listed(ofPassenger)}
     from json_each(@numbers) wanted ${ids} cross join staged_passengers on number = wanted.value order by wanted.key, place`,
  )
  const feed = isFile
    ? { position: client.prepare(IN_FILE.positions), tell: client.prepare(IN_FILE.changes) }
    : undefined
  const together = isFile
    ? undefined
    : {
        flights: sentTogether(db, 'staged_flights', [NUMBER, LABEL, ...ofFlight]),
        passengers: sentTogether(db, 'staged_passengers', [NUMBER, PLACE, ...ofPassenger]),
      }

  function add(number: number, flight: Row, aboard: readonly Row[], label: string): void {
    // A transaction may be done again, and with it every row of its own.
    const sent = client.inTransaction ? undefined : together
    const put = (row: Row) => (sent ? sent.flights.add(row) : addFlight.run(row))
    const putAboard = (row: Row) => (sent ? sent.passengers.add(row) : addPassenger.run(row))
    put({ ...flight, number, label })
    for (const [place, passenger] of aboard.entries()) putAboard({ ...passenger, number, place, date: flight.date })
  }

  function flush(): void {
    together?.flights.flush()
    together?.passengers.flush()
  }

  const labelsAfter = onStage((after: number) => someLabels.all({ after }) as Labelled[])

  function* labels(): Generator<Labelled> {
    for (let after = -1; ; ) {
      const slice = labelsAfter(after)
      if (slice.length === 0) return
      after = slice.at(-1)!.number
      yield* slice
    }
  }

  function move(numbers: readonly number[], now: string): number[] {
    const slice = JSON.stringify(numbers)
    const taken = takeIds.all({ count: numbers.length }) as number[]
    const [first = 0] = taken
    const lastSeq = feed && Number(feed.position.run({ numbers: slice }).lastInsertRowid)
    const places =
      lastSeq === undefined ? { ids: JSON.stringify(taken) } : { first, firstSeq: lastSeq - numbers.length + 1 }
    moveFlights.run({ ...places, numbers: slice, now })
    movePassengers.run({ ...places, numbers: slice })
    feed?.tell.run({ ...places, numbers: slice })
    return isFile ? numbers.map((_, index) => first + index) : taken
  }

  return {
    /** Under a number of its own, with a label for whoever puts it there. */
    add: onStage(add),
    /** Before the transaction begins. */
    flush: onStage(flush),
    /** In the order of the numbers. What is moved stays here until all is cleared. */
    labels,
    /** Inside a transaction: moves some, and gives their ids. */
    move: onStage(move),
    clear: onStage(() => client.exec('delete from staged_flights; delete from staged_passengers')),
  }
}
