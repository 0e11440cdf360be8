import { and, asc, desc, eq, gt, gte, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { jsonTexts, named, statements } from '../../db/statements.ts'
import { activity, activityPeople } from '../../db/tables/index.ts'
import type { ActivityKind } from './contract.ts'

export type ActivityRow = Omit<typeof activity.$inferSelect, 'kind'> & { kind: ActivityKind }

/** An account, under the name by which somebody may have failed to sign in to it. */
export interface Person {
  id: string
  username: string
}

interface Wanted {
  kinds: readonly ActivityKind[]
  /** Entries from this one on, and before that one. */
  from: number
  before: number
  /** No older ones. */
  since: number
  limit: number
}

const { placeholder } = sql

const inStretch = and(gte(activity.id, placeholder('from')), lt(activity.id, placeholder('before')))

/** What a person did, what concerns them, and who failed to be them: each by its index, and no more than is shown. */
function idsOf() {
  const ofKind = sql`${activity.kind} in ${jsonTexts(placeholder('kinds'))}`
  const newest = sql`order by ${activity.id} desc limit ${placeholder('limit')}`
  const part = (from: SQL, where: SQL | undefined) =>
    sql`select id from (select ${activity.id} as id from ${from} where ${where} ${newest}) part`
  const people = sql`${activityPeople} cross join ${activity} on ${activity.id} = ${activityPeople.entryId}`
  return sql`(${sql.join(
    [
      part(sql`${activity}`, and(eq(activity.actorId, placeholder('id')), ofKind, inStretch)),
      part(people, and(eq(activityPeople.userId, placeholder('id')), ofKind, inStretch)),
      part(
        sql`${activity}`,
        and(
          sql`${activity.kind} = 'sign_in.failed'`,
          sql`${activity.name} = ${placeholder('username')} collate nocase`,
          ofKind,
          inStretch,
        ),
      ),
    ],
    sql` union `,
  )})`
}

export function activityStore(db: Db) {
  const { rows, write, insert } = statements(db)
  const columns = named({
    id: activity.id,
    at: activity.at,
    kind: activity.kind,
    actorId: activity.actorId,
    actorName: activity.actorName,
    surface: activity.surface,
    credential: activity.credential,
    address: activity.address,
    flightId: activity.flightId,
    subjectId: activity.subjectId,
    name: activity.name,
    count: activity.count,
  })
  const select = () => db.select(columns).from(activity)
  const recent = gte(activity.at, placeholder('since'))
  const newestFirst = desc(activity.id)
  const ofAll = rows(
    select()
      .where(and(inStretch, recent, sql`${activity.kind} in ${jsonTexts(placeholder('kinds'))}`))
      .orderBy(newestFirst)
      .limit(placeholder('limit')),
  )
  const ofKind = rows(
    select()
      .where(
        and(sql`${activity.kind} = ${placeholder('kind')} and ${activity.kind} <> 'flight.created'`, inStretch, recent),
      )
      .orderBy(newestFirst)
      .limit(placeholder('limit')),
  )
  const ofPerson = rows(
    select()
      .where(and(sql`${activity.id} in ${idsOf()}`, recent))
      .orderBy(newestFirst)
      .limit(placeholder('limit')),
  )
  // The kind twice, as the index over kinds wants it.
  const deletion = rows(
    db
      .select(named({ id: activity.subjectId }))
      .from(activity)
      .where(
        and(
          sql`${activity.kind} = 'user.deleted' and ${activity.kind} <> 'flight.created'`,
          sql`${activity.name} = ${placeholder('name')} collate nocase`,
        ),
      )
      .orderBy(newestFirst)
      .limit(1),
  )
  const oldestFirst = rows(
    select()
      .where(and(gt(activity.id, placeholder('after')), recent))
      .orderBy(asc(activity.id))
      .limit(placeholder('limit')),
  )
  const ofFlight = eq(activity.flightId, placeholder('flightId'))
  const idOfFlight = (aggregate: SQL) => db.select({ id: aggregate }).from(activity).where(ofFlight)
  const endsOfFlight = rows(
    select()
      .where(
        or(
          eq(activity.id, idOfFlight(sql`min(${activity.id})`)),
          eq(activity.id, idOfFlight(sql`max(${activity.id})`)),
        ),
      )
      .orderBy(asc(activity.id)),
  )
  const concerned = rows(
    db
      .select(named({ entryId: activityPeople.entryId }))
      .from(activityPeople)
      .where(
        and(
          eq(activityPeople.userId, placeholder('userId')),
          gt(activityPeople.entryId, placeholder('after')),
          lte(activityPeople.entryId, placeholder('last')),
        ),
      ),
  )
  const ids = () => db.select(named({ id: activity.id })).from(activity)
  const last = rows(ids().orderBy(newestFirst).limit(1))
  // Ids have gaps where the entries of one user were removed.
  const stretchStart = rows(
    ids()
      .where(lt(activity.id, placeholder('before')))
      .orderBy(newestFirst)
      .limit(1)
      .offset(placeholder('entries')),
  )
  const add = insert(activity)
  const concern = insert(activityPeople)
  const total = rows(db.select(named({ entries: sql<number>`count(*)` })).from(activity))
  // Index scans: an index over actors holds their ids in order.
  const countOf = (where: SQL | undefined) =>
    rows(
      db
        .select(named({ entries: sql<number>`count(*)` }))
        .from(activity)
        .where(where),
    )
  const removeFirst = (where?: SQL) =>
    write<{ actorId?: string; limit: number }>(
      db
        .delete(activity)
        .where(
          sql`${activity.id} in ${db
            .select({ id: activity.id })
            .from(activity)
            .where(where)
            .orderBy(asc(activity.id))
            .limit(placeholder('limit'))}`,
        ),
    )
  const byActor = eq(activity.actorId, placeholder('actorId'))
  // The operator has no actor id either, but is not limited by what strangers do.
  const byStranger = and(isNull(activity.actorId), ne(activity.surface, 'cli'))
  const counts = { actor: countOf(byActor), stranger: countOf(byStranger) }
  const removals = { actor: removeFirst(byActor), stranger: removeFirst(byStranger), all: removeFirst() }
  const largest = rows(
    db
      .select(named({ actorId: activity.actorId, entries: sql<number>`count(*)` }))
      .from(activity)
      .where(sql`${activity.actorId} is not null`)
      .groupBy(activity.actorId)
      .having(sql`count(*) > ${placeholder('entries')}`)
      .limit(placeholder('limit')),
  )
  const oldest = db.select({ id: activity.id }).from(activity).orderBy(asc(activity.id)).limit(placeholder('limit'))
  const removeOld = write<{ until: number; limit: number }>(
    db.delete(activity).where(and(sql`${activity.id} in ${oldest}`, lt(activity.at, placeholder('until')))),
  )

  return {
    insert: (row: Omit<ActivityRow, 'id'>) => Number(add.run(row).lastInsertRowid),
    insertConcern: (entryId: number, userId: string) => concern.run({ entryId, userId }),
    list: (wanted: Wanted, person?: Person) => {
      const values = { ...wanted, kinds: JSON.stringify(wanted.kinds) }
      if (person) return ofPerson.all({ ...values, ...person }) as ActivityRow[]
      const [kind, ...others] = wanted.kinds
      // A kind of which there may be few among very many entries has an index.
      const isRare = others.length === 0 && kind !== 'flight.created'
      return (isRare ? ofKind.all({ ...values, kind }) : ofAll.all(values)) as ActivityRow[]
    },
    last: () => last.get()?.id ?? 0,
    /** The first of so many entries before this one; undefined where there are fewer. */
    stretchStart: (before: number, entries: number) => stretchStart.get({ before, entries: entries - 1 })?.id,
    total: () => total.get()!.entries,
    /** Of an actor; null counts the entries without one. */
    countOf: (actorId: string | null) =>
      (actorId === null ? counts.stranger.get() : counts.actor.get({ actorId }))!.entries,
    /** Users with more entries than these. */
    largest: (entries: number, limit: number) =>
      largest.all({ entries, limit }).flatMap(({ actorId }) => actorId ?? []),
    /** Removes the oldest entries of an actor; null removes entries without one. */
    removeOldestOf: (actorId: string | null, limit: number) =>
      (actorId === null ? removals.stranger.run({ limit }) : removals.actor.run({ actorId, limit })).changes,
    removeOldest: (limit: number) => removals.all.run({ limit }).changes,
    /** The id that an account had before it was deleted; of several of one name the last. */
    deletedId: (name: string) => deletion.all({ name })[0]?.id ?? undefined,
    oldestFirst: (after: number, since: number, limit: number) =>
      oldestFirst.all({ after, since, limit }) as ActivityRow[],
    /** Which entries of a stretch concern a user who did not make them. */
    concerning: (userId: string, after: number, last: number) =>
      new Set(concerned.all({ userId, after, last }).map(({ entryId }) => entryId)),
    /** The first and the last entry of a flight, which may have had any number of changes in between. */
    endsOfFlight: (flightId: number) => {
      const found = endsOfFlight.all({ flightId }) as ActivityRow[]
      return [found[0], found.at(-1)]
    },
    /** Of the oldest so many, those from before this moment. */
    removeOld: (until: number, limit: number) => removeOld.run({ until, limit }).changes,
  }
}
