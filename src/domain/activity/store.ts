import { and, asc, desc, eq, getTableColumns, gt, gte, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { jsonTexts, named, statements } from '../../db/statements.ts'
import { activity, activityPeople } from '../../db/tables/index.ts'
import type { ActivityKind } from './contract.ts'

export type ActivityRow = Omit<typeof activity.$inferSelect, 'kind'> & { kind: ActivityKind }

/** An account, with the name that failed sign-ins to it have. */
export interface Person {
  id: string
  username: string
}

interface Wanted {
  kinds: readonly ActivityKind[]
  before: number
  since: number
  limit: number
}

const { placeholder } = sql

const isBefore = lt(activity.id, placeholder('before'))

/** Entries by a person, entries about them, and failed sign-ins with their name: each part uses its own index. */
function idsOf() {
  const ofKind = sql`${activity.kind} in ${jsonTexts(placeholder('kinds'))}`
  const part = (from: SQL, where: SQL | undefined, id = sql`${activity.id}`) =>
    sql`select id from (select ${id} as id from ${from} where ${where} order by ${id} desc limit ${placeholder('limit')}) part`
  const people = sql`${activityPeople} cross join ${activity} on ${activity.id} = ${activityPeople.entryId}`
  return sql`(${sql.join(
    [
      part(sql`${activity}`, and(eq(activity.actorId, placeholder('id')), ofKind, isBefore)),
      part(
        people,
        and(eq(activityPeople.userId, placeholder('id')), ofKind, lt(activityPeople.entryId, placeholder('before'))),
        sql`${activityPeople.entryId}`,
      ),
      part(
        sql`${activity}`,
        and(
          sql`${activity.kind} = 'sign_in.failed'`,
          sql`${activity.name} = ${placeholder('username')} collate nocase`,
          ofKind,
          isBefore,
        ),
      ),
    ],
    sql` union `,
  )})`
}

export function activityStore(db: Db) {
  const { rows, write, insert } = statements(db)
  const columns = named(getTableColumns(activity))
  const select = () => db.select(columns).from(activity)
  const recent = gte(activity.at, placeholder('since'))
  const newestFirst = desc(activity.id)
  const newest = (where: SQL | undefined) =>
    rows(select().where(and(where, recent)).orderBy(newestFirst).limit(placeholder('limit')))
  const ofAll = newest(and(isBefore, sql`${activity.kind} in ${jsonTexts(placeholder('kinds'))}`))
  const ofKind = newest(
    and(sql`${activity.kind} = ${placeholder('kind')} and ${activity.kind} <> 'flight.created'`, isBefore),
  )
  const ofPerson = newest(sql`${activity.id} in ${idsOf()}`)
  // The second condition makes the partial index on kinds usable.
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
  const [first, last] = [idOfFlight(sql`min(${activity.id})`), idOfFlight(sql`max(${activity.id})`)]
  const endsOfFlight = rows(
    select()
      .where(or(eq(activity.id, first), eq(activity.id, last)))
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
  const add = insert(activity)
  const concern = insert(activityPeople)
  const removeBeyondNewest = (where?: SQL) =>
    write<{ actorId?: string; newest: number; limit: number }>(
      db
        .delete(activity)
        .where(
          sql`${activity.id} in ${db
            .select({ id: activity.id })
            .from(activity)
            .where(where)
            .orderBy(newestFirst)
            .limit(placeholder('limit'))
            .offset(placeholder('newest'))}`,
        ),
    )
  const removals = {
    all: removeBeyondNewest(),
    actor: removeBeyondNewest(eq(activity.actorId, placeholder('actorId'))),
    // Entries of the command line have no actor either, but are not limited.
    anonymous: removeBeyondNewest(and(isNull(activity.actorId), ne(activity.surface, 'cli'))),
  }
  const actorsBeyond = rows(
    db
      .select(named({ actorId: activity.actorId }))
      .from(activity)
      .where(sql`${activity.actorId} is not null`)
      .groupBy(activity.actorId)
      .having(sql`count(*) > ${placeholder('entries')}`),
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
      // Rare kinds have an index.
      const isRare = others.length === 0 && kind !== 'flight.created'
      return (isRare ? ofKind.all({ ...values, kind }) : ofAll.all(values)) as ActivityRow[]
    },
    actorsBeyond: (entries: number) => actorsBeyond.all({ entries }).flatMap(({ actorId }) => actorId ?? []),
    removeBeyondNewest: (newest: number, limit: number) => removals.all.run({ newest, limit }).changes,
    /** The same for one actor; null stands for all entries without one. */
    removeBeyondNewestOf: (actorId: string | null, newest: number, limit: number) =>
      (actorId === null ? removals.anonymous.run({ newest, limit }) : removals.actor.run({ actorId, newest, limit }))
        .changes,
    deletedId: (name: string) => deletion.all({ name })[0]?.id ?? undefined,
    oldestFirst: (after: number, since: number, limit: number) =>
      oldestFirst.all({ after, since, limit }) as ActivityRow[],
    /** Ids of the entries in a range that concern a user who is not their actor. */
    concerning: (userId: string, after: number, last: number) =>
      new Set(concerned.all({ userId, after, last }).map(({ entryId }) => entryId)),
    endsOfFlight: (flightId: number) => {
      const found = endsOfFlight.all({ flightId }) as ActivityRow[]
      return [found[0], found.at(-1)]
    },
    /** Looks at the oldest entries only, so that it needs no index on the time. */
    removeOld: (until: number, limit: number) => removeOld.run({ until, limit }).changes,
  }
}
