import type { Caller, Via } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS, isoInstant } from '../../lib/dates.ts'
import { forbidden } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
import {
  type ActivityEntry,
  type ActivityFacts,
  type ActivityKind,
  describeActivity,
  kindNames,
  kindOf,
  type NewEntry,
  type ShownEntry,
} from './contract.ts'
import { type ActivityRow, activityStore, type Person } from './store.ts'

const LIFE_MS = 400 * DAY_MS
/** Limits of contract 16.13. */
const MAX_ENTRIES = 200_000
const MAX_ENTRIES_PER_ACTOR = 10_000
/** Entries between two checks of the limit per actor. */
const CHECK_INTERVAL = 100
const BATCH_SIZE = 1_000
const MAX_BATCHES_PER_PURGE = 50

const ownKinds = kindNames.filter((kind) => kindOf(kind).own)

export type ActivityService = ReturnType<typeof activityService>

export type Actor = Pick<Caller, 'userId' | 'username' | 'via'>

export const anonymous = (via: Via): Actor => ({ userId: '', username: '', via })

const MAX_NAME_LENGTH = 40

/** Truncates a name that an anonymous visitor typed. */
export const typedName = (text: string): string =>
  [...text.slice(0, 2 * MAX_NAME_LENGTH)].slice(0, MAX_NAME_LENGTH).join('').toWellFormed()

/** Commands have no actor, even if they change the log of a user. */
const hasActor = ({ userId, via }: Actor) => userId !== '' && via.surface !== 'cli'

export interface ActivityQuery {
  kind?: ActivityKind | undefined
  person?: Person | undefined
  before?: number | undefined
  limit: number
}

export interface ActivityPage {
  entries: ShownEntry[]
  before: number | null
}

function subjectOf({ kind, flightId, subjectId }: ActivityRow): ActivityEntry['subject'] {
  const { subject } = kindOf(kind)
  if (subject === null) return null
  if (subject === 'flight') return flightId === null ? null : { kind: subject, id: flightId }
  if (subjectId === null) return null
  return { kind: subject, id: subject === 'user' || subject === 'role' ? subjectId : Number(subjectId) }
}

const factsOf = ({ actorName, surface, name, count, flightId }: ActivityRow): ActivityFacts => ({
  actor: actorName,
  surface: surface as Via['surface'],
  name,
  count,
  flightId,
})

function toEntry(row: ActivityRow): ActivityEntry {
  const { at, kind, actorId, actorName, surface, credential, address } = row
  return {
    at: isoInstant(at),
    kind,
    actor: actorId === null ? null : { id: actorId, username: actorName ?? '' },
    surface: surface as Via['surface'],
    credential,
    address,
    subject: subjectOf(row),
    // Composed when it is read, to keep rows small.
    summary: describeActivity(english.activity, kind, factsOf(row)),
  }
}

export function activityService({ db, clock }: { db: Db; clock: Clock }) {
  const store = activityStore(db)
  const oldestShown = () => clock() - LIFE_MS

  /** Must run in the transaction of the recorded change. */
  function record(actor: Actor, { kind, subject, name, count, concerns = [] }: NewEntry): void {
    const { surface, credential, address } = actor.via
    const known = hasActor(actor)
    const isFlight = typeof subject === 'number' && kindOf(kind).subject === 'flight'
    const id = store.insert({
      at: clock(),
      kind,
      actorId: known ? actor.userId : null,
      actorName: known ? actor.username : null,
      surface,
      credential,
      address,
      flightId: isFlight ? subject : null,
      subjectId: isFlight || subject === undefined ? null : String(subject),
      name: name ?? null,
      count: count ?? null,
    })
    for (const userId of concerns) {
      if (!known || userId !== actor.userId) store.insertConcern(id, userId)
    }
    if (surface !== 'cli' && id % CHECK_INTERVAL === 0) {
      const actorId = known ? actor.userId : null
      store.removeBeyondNewestOf(actorId, MAX_ENTRIES_PER_ACTOR - CHECK_INTERVAL, 2 * CHECK_INTERVAL)
    }
  }

  function page({ kinds, person, before = Number.MAX_SAFE_INTEGER, limit }: PageQuery): ActivityPage {
    // Reads one more entry than the page shows, to know whether another page follows.
    const found = store.list({ kinds, before, since: oldestShown(), limit: limit + 1 }, person)
    const shown = found.slice(0, limit)
    return {
      entries: shown.map((row) => ({ ...toEntry(row), facts: factsOf(row) })),
      before: found.length > limit ? shown.at(-1)!.id : null,
    }
  }

  function list(caller: Caller, { kind, ...query }: ActivityQuery): ActivityPage {
    if (!caller.permissions.has('users.update'))
      throw forbidden(english.access.lacksPermission({ permission: 'users.update' }))
    return page({ ...query, kinds: kind ? [kind] : kindNames })
  }

  /** The deleted account with a name, if any; failed sign-ins with the name count too. */
  const formerly = (username: string): Person => ({ id: store.deletedId(username) ?? '', username })

  const listOwn = ({ userId, username }: Caller, query: Pick<ActivityQuery, 'before' | 'limit'>) =>
    page({ ...query, kinds: ownKinds, person: { id: userId, username } })

  function* history(since: number, person?: Person): Generator<ActivityEntry> {
    let after = 0
    for (;;) {
      const rows = store.oldestFirst(after, Math.max(since, oldestShown()), BATCH_SIZE)
      const last = rows.at(-1)?.id
      if (last === undefined) return
      const concerned = person && store.concerning(person.id, after, last)
      for (const row of rows) {
        const isAbout = !person || row.actorId === person.id || concerned!.has(row.id) || isTypedName(row, person)
        if (isAbout) yield toEntry(row)
      }
      after = last
    }
  }

  function ofFlight(flightId: number): { created: ActivityEntry | undefined; changed: ActivityEntry | undefined } {
    const [first, last] = store.endsOfFlight(flightId)
    const entryOf = (row: ActivityRow | undefined, kind: ActivityKind) =>
      row?.kind === kind && row.at >= oldestShown() ? toEntry(row) : undefined
    return { created: entryOf(first, 'flight.created'), changed: entryOf(last, 'flight.changed') }
  }

  async function purge(): Promise<void> {
    const removals = [
      () => store.removeOld(oldestShown(), BATCH_SIZE),
      ...[...store.actorsBeyond(MAX_ENTRIES_PER_ACTOR), null].map(
        (actorId) => () => store.removeBeyondNewestOf(actorId, MAX_ENTRIES_PER_ACTOR, BATCH_SIZE),
      ),
      () => store.removeBeyondNewest(MAX_ENTRIES, BATCH_SIZE),
    ]
    let batches = 0
    for (const remove of removals) {
      while (batches < MAX_BATCHES_PER_PURGE && (await write(db, 'uncached', remove)) === BATCH_SIZE) batches++
    }
  }

  return { record, list, formerly, listOwn, history, ofFlight, purge }
}

type PageQuery = Omit<ActivityQuery, 'kind'> & { kinds: readonly ActivityKind[] }

const isTypedName = ({ kind, name }: ActivityRow, { username }: Person) =>
  kind === 'sign_in.failed' && name?.toLowerCase() === username.toLowerCase()
