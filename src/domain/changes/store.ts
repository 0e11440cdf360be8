import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { named, statements } from '../../db/statements.ts'
import { changePositions, flightChanges, flightRemovals } from '../../db/tables/index.ts'
import { EVERYBODY } from '../flights/feed-entries.ts'
import type { Target } from '../flights/target.ts'

/** A place in the order of changes; the tag tells it from the same number in a copy that went its own way. */
export interface Place {
  seq: number
  tag: string
}

export interface Change {
  seq: number
  flightId: number
  /** Milliseconds. */
  at: number
}

/** Before the first change. */
const START: Place = { seq: 0, tag: '' }

export function changeStore(db: Db) {
  const { rows } = statements(db)
  const { placeholder } = sql
  const place = named({ seq: changePositions.seq, tag: sql<string>`lower(hex(${changePositions.tag}))` })
  const last = rows(db.select(place).from(changePositions).orderBy(desc(changePositions.seq)).limit(1))
  const at = rows(
    db
      .select(place)
      .from(changePositions)
      .where(eq(changePositions.seq, placeholder('seq'))),
  )
  /** Both are walked by the index of user and position. */
  const after = (table: typeof flightChanges | typeof flightRemovals) =>
    rows(
      db
        .select(named({ seq: table.seq, flightId: table.flightId, at: changePositions.at }))
        .from(table)
        .innerJoin(changePositions, eq(changePositions.seq, table.seq))
        .where(
          and(
            eq(table.userId, placeholder('userId')),
            gt(table.seq, placeholder('after')),
            lte(table.seq, placeholder('until')),
          ),
        )
        .orderBy(asc(table.seq))
        .limit(placeholder('limit')),
    )
  const saved = after(flightChanges)
  const removed = after(flightRemovals)
  const userOf = (target: Target) => (target === 'all' ? EVERYBODY : target.userId)

  return {
    last: (): Place => last.get() ?? START,
    /** The place of this number, where there is one. */
    at: (seq: number): Place | undefined => (seq === 0 ? START : at.get({ seq })),
    saved: (target: Target, after: number, until: number, limit: number): Change[] =>
      saved.all({ userId: userOf(target), after, until, limit }),
    removed: (target: Target, after: number, until: number, limit: number): Change[] =>
      removed.all({ userId: userOf(target), after, until, limit }),
    /** What is read inside is one state of the data, whoever else writes. */
    reading: <Result>(work: () => Result): Result => db.$client.transaction(work).deferred(),
  }
}
