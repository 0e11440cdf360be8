import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  lt,
  notExists,
  or,
  sql,
} from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Db, perConnection } from '../../../db/connection.ts'
import { jsonList, named, placeholders, prepared, statements } from '../../../db/statements.ts'
import {
  deletedFlightRecords,
  deletedFlights,
  deletedFlightTracks,
  flightRemovals,
  flights,
  flightTrackLines,
  flightTracks,
  flightValues,
  passengers,
  passengerValues,
  trips,
  users,
} from '../../../db/tables/index.ts'
import type { ReferenceKind } from '../../reference/kinds.ts'
import type { Flight } from '../contract.ts'
import type { StoredPassenger } from '../passengers.ts'
import { ALL_USERS } from '../store/feed-entries.ts'
import { flightValueStore, passengerValueStore } from '../store/value-store.ts'

type FlightRow = typeof flights.$inferSelect
type Value = [fieldId: number, value: unknown]

const { fromId, toId, airlineId, aircraftId, ...rest } = getTableColumns(flights)
const { id, completedFrom: _, lastChange: __, ...facts } = rest
const references = { fromId, toId, airlineId, aircraftId }
const { pointCount, updatedAt: trackUpdatedAt, sourceFormat, sourceName } = flightTracks

type References = Pick<FlightRow, keyof typeof references>

/** What a deleted flight consists of, beside its reference rows and the points of its track. */
export interface Content {
  flight: Pick<FlightRow, keyof typeof facts>
  passengers: (Omit<StoredPassenger, 'values'> & { values: Value[] })[]
  values: Value[]
  track: Flight['track']
}

export interface StoredFlight {
  id: number
  references: References
  content: Content
}

export interface DeletedFlight extends StoredFlight {
  /** The position of the removal in the change feed. */
  seq: number
  deletedAt: number
  deletedBy: { id: string; username: string } | null
}

export const accountsOf = ({ content }: Pick<StoredFlight, 'content'>): string[] =>
  content.passengers.flatMap(({ userId }) => userId ?? [])

interface PageQuery {
  /** The user, or `ALL_USERS`. */
  userId: string
  before: number
  /** Flights that were deleted earlier have expired. */
  since: number
  limit: number
}

const { placeholder } = sql

/** Reads flights with everything that a deletion removes. */
function liveStore(db: Db) {
  const { rows } = statements(db)
  const valuesOfFlight = flightValueStore(db)
  const valuesOfPassengers = passengerValueStore(db)
  const ids = jsonList(placeholder('ids'))
  const hasValues = or(
    exists(db.select({ id: flightValues.flightId }).from(flightValues).where(eq(flightValues.flightId, id))),
    exists(
      db
        .select({ id: passengerValues.passengerId })
        .from(passengers)
        .innerJoin(passengerValues, eq(passengerValues.passengerId, passengers.id))
        .where(eq(passengers.flightId, id)),
    ),
  )
  const selectFlights = rows(
    db
      .select(
        named({
          ...{ id, ...facts, ...references, pointCount, trackUpdatedAt, sourceFormat, sourceName },
          hasValues: sql<number>`case when ${hasValues} then 1 else 0 end`,
        }),
      )
      .from(flights)
      .leftJoin(flightTracks, eq(flightTracks.flightId, id))
      .where(inArray(id, ids)),
  )
  const { flightId, userId, guestName, seat, seatNumber, seatClass, flightReason, tripId } = passengers
  const selectPassengers = rows(
    db
      .select(
        named({ flightId, id: passengers.id, userId, guestName, seat, seatNumber, seatClass, flightReason, tripId }),
      )
      .from(passengers)
      .where(inArray(flightId, ids))
      .orderBy(asc(passengers.id)),
  )

  return (wanted: readonly number[]): StoredFlight[] => {
    const values = { ids: JSON.stringify(wanted) }
    const aboard = Map.groupBy(selectPassengers.all(values), ({ flightId }) => flightId)
    return selectFlights.all(values).map((row) => {
      const { id, fromId, toId, airlineId, aircraftId, hasValues, ...more } = row
      const { pointCount, trackUpdatedAt, sourceFormat, sourceName, ...flight } = more
      const ofFlight = hasValues === 1 ? valuesOfFlight.ofFlight(id).get(id) : undefined
      const ofPassengers = hasValues === 1 ? valuesOfPassengers.ofFlight(id) : undefined
      const track = pointCount === null ? null : { pointCount, updatedAt: trackUpdatedAt, sourceFormat, sourceName }
      const content = {
        flight,
        passengers: (aboard.get(id) ?? []).map(({ flightId: _, ...passenger }) => ({
          ...passenger,
          values: [...(ofPassengers?.get(passenger.id) ?? [])],
        })),
        values: [...(ofFlight ?? [])],
        track: track as Flight['track'],
      }
      return { id, references: { fromId, toId, airlineId, aircraftId }, content }
    })
  }
}

/** A deletion writes no index: the change feed lists the removals of every user in order. */
export const deletedFlightStore = perConnection((db: Db) => {
  const { rows, write } = statements(db)
  const [userId, flightId, ids] = [placeholder('userId'), placeholder('flightId'), jsonList(placeholder('ids'))]
  const { seq, deletedAt } = deletedFlights
  const bySeq = inArray(seq, ids)
  const ofRemoval = and(eq(flightRemovals.userId, userId), eq(flightRemovals.seq, seq))
  const removal = db
    .select({ seq: flightRemovals.seq })
    .from(flightRemovals)
    .where(and(eq(flightRemovals.userId, ALL_USERS), eq(flightRemovals.flightId, flightId)))

  const insert = write(
    db.insert(deletedFlights).values({ ...placeholders(deletedFlights, 'seq'), seq: sql`(${removal})` }),
  )
  const { deletedBy: _, ...columns } = getTableColumns(deletedFlights)
  const select = rows(
    db
      .select(named({ ...columns, userId: users.id, username: users.username }))
      .from(deletedFlights)
      .leftJoin(users, eq(users.id, deletedFlights.deletedBy))
      .where(bySeq)
      .orderBy(desc(seq)),
  )
  const seqOf = prepared(
    db
      .select({ seq })
      .from(deletedFlights)
      .where(and(eq(seq, sql`(${removal})`), eq(deletedFlights.flightId, flightId))),
  )
  const oldest = db.select({ seq: sql<number>`min(${seq})` }).from(deletedFlights)
  const page = prepared(
    db
      .select({ seq, bytes: sql<number>`length(${deletedFlights.content})` })
      .from(flightRemovals)
      // A cross join makes SQLite start with the removals of the user.
      .crossJoin(deletedFlights)
      .where(
        and(
          ofRemoval,
          gte(flightRemovals.seq, sql`(${oldest})`),
          lt(flightRemovals.seq, placeholder('before')),
          gt(deletedAt, placeholder('since')),
        ),
      )
      .orderBy(desc(flightRemovals.seq))
      .limit(placeholder('limit')),
  )
  const first = prepared(
    db.select({ seq, deletedAt }).from(deletedFlights).orderBy(asc(seq)).limit(placeholder('limit')),
  )
  const counted = prepared(
    db
      .select({ flights: count() })
      .from(deletedFlights)
      .where(gt(deletedAt, placeholder('since'))),
  )
  const setContent = write(
    db
      .update(deletedFlights)
      .set({ content: sql`${placeholder('content')}` })
      .where(eq(seq, placeholder('seq'))),
  )
  const tracksOf = db.select({ id: deletedFlights.flightId }).from(deletedFlights).where(bySeq)
  const removeTracks = write(db.delete(deletedFlightTracks).where(inArray(deletedFlightTracks.flightId, tracksOf)))
  const remove = write(db.delete(deletedFlights).where(bySeq))

  const { line, ...columnsOfTrack } = getTableColumns(deletedFlightTracks)
  const trackAside = write(
    db.insert(deletedFlightTracks).select(
      db
        .select({ ...getTableColumns(flightTracks), line: flightTrackLines.line })
        .from(flightTracks)
        .leftJoin(flightTrackLines, eq(flightTrackLines.flightId, flightTracks.flightId))
        .where(eq(flightTracks.flightId, flightId)),
    ),
  )
  const ofFlight = eq(deletedFlightTracks.flightId, flightId)
  const trackBack = write(
    db.insert(flightTracks).select(db.select(columnsOfTrack).from(deletedFlightTracks).where(ofFlight)),
  )
  const lineBack = write(
    db.insert(flightTrackLines).select(
      db
        .select({ flightId: deletedFlightTracks.flightId, line: sql<Buffer>`${line}`.as('line') })
        .from(deletedFlightTracks)
        .where(and(ofFlight, isNotNull(line))),
    ),
  )

  const existingTrips = prepared(db.select({ id: trips.id }).from(trips).where(inArray(trips.id, ids)))
  const { kind, id: recordId } = deletedFlightRecords
  const records = prepared(db.select().from(deletedFlightRecords).where(inArray(recordId, ids)))
  const uses = (name: ReferenceKind, ...used: SQLiteColumn[]) =>
    and(
      eq(kind, name),
      notExists(
        db
          .select({ seq })
          .from(deletedFlights)
          .where(or(...used.map((column) => eq(column, recordId)))),
      ),
    )
  const removeRecords = prepared(
    db
      .delete(deletedFlightRecords)
      .where(
        or(
          uses('airports', deletedFlights.fromId, deletedFlights.toId),
          uses('airlines', deletedFlights.airlineId),
          uses('aircraft', deletedFlights.aircraftId),
        ),
      ),
  )

  function purge(seqs: readonly number[]): void {
    const values = { ids: JSON.stringify(seqs) }
    removeTracks.run(values)
    remove.run(values)
  }

  function read(seqs: readonly number[]): DeletedFlight[] {
    return select.all({ ids: JSON.stringify(seqs) }).map((row) => {
      const { seq, flightId: id, deletedAt, fromId, toId, airlineId, aircraftId, userId, username } = row
      return {
        ...{ seq, id, deletedAt, references: { fromId, toId, airlineId, aircraftId } },
        content: JSON.parse(row.content) as Content,
        deletedBy: userId === null ? null : { id: userId, username: username! },
      }
    })
  }

  return {
    live: liveStore(db),
    /** Before the flight is deleted, which deletes its track. */
    moveTrackAside: (id: number): void => void trackAside.run({ flightId: id }),
    /** After the flight was deleted, which records its removal. */
    insert: ({ id, references, content }: StoredFlight, by: { deletedAt: number; deletedBy: string | null }): void =>
      void insert.run({ ...by, ...references, flightId: id, content: JSON.stringify(content) }),
    moveTrackBack(id: number): void {
      trackBack.run({ flightId: id })
      lineBack.run({ flightId: id })
    },
    find: (id: number): DeletedFlight | undefined => {
      const found = seqOf.get({ flightId: id })
      return found && read([found.seq])[0]
    },
    page: (query: PageQuery): { seq: number; bytes: number }[] => page.all({ ...query }),
    /** Newest first. */
    read,
    setContent: (seq: number, content: Content): void => void setContent.run({ seq, content: JSON.stringify(content) }),
    purge,
    purgeExpired(until: number, limit: number): number {
      const seqs = first.all({ limit }).flatMap(({ seq, deletedAt }) => (deletedAt <= until ? seq : []))
      if (seqs.length > 0) purge(seqs)
      return seqs.length
    },
    count: (since: number): number => counted.get({ since })!.flights,
    /** The trips of its passengers that still exist. */
    tripsOf: ({ content }: StoredFlight): ReadonlySet<number> => {
      const wanted = content.passengers.flatMap(({ tripId }) => tripId ?? [])
      if (wanted.length === 0) return new Set()
      return new Set(existingTrips.all({ ids: JSON.stringify(wanted) }).map(({ id }) => id))
    },
    /** Copies of reference rows that no longer exist. */
    records: (ids: readonly number[]) => records.all({ ids: JSON.stringify(ids) }),
    removeUnusedRecords: (): void => void removeRecords.run(),
  }
})
