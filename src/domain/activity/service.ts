import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller, Via } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS, isoInstant } from '../../lib/dates.ts'
import { forbidden } from '../../lib/errors.ts'
import { activityBounds } from './bounds.ts'
import { type ActivityEntry, type ActivityKind, kindNames, kindOf, type NewEntry } from './contract.ts'
import { type ActivityRow, activityStore, type Person } from './store.ts'

const LIFE_MS = 400 * DAY_MS
const OLD_AT_ONCE = 1_000
const READ_AT_ONCE = 1_000
const STRETCH = 10_000

const ownKinds = kindNames.filter((kind) => kindOf(kind).own)

export type ActivityService = ReturnType<typeof activityService>

/** Who does something, and by which way: a caller, or somebody who is about to become one. */
export type Actor = Pick<Caller, 'userId' | 'username' | 'via'>

/** Somebody whose name and password are not known to be right. */
export const stranger = (via: Via): Actor => ({ userId: '', username: '', via })

/** The operator acts for nobody, also where a command works on the log of a user. */
const isSomebody = ({ userId, via }: Actor) => userId !== '' && via.surface !== 'cli'

export interface ActivityQuery {
  kind?: ActivityKind | undefined
  person?: Person | undefined
  /** As the page before told. */
  before?: number | undefined
  limit: number
}

export interface ActivityPage {
  entries: ActivityEntry[]
  /** Where the next page begins; null on the last one. */
  before: number | null
}

function subjectOf({ kind, flightId, subjectId }: ActivityRow): ActivityEntry['subject'] {
  const { subject } = kindOf(kind)
  if (subject === null) return null
  if (subject === 'flight') return flightId === null ? null : { kind: subject, id: flightId }
  if (subjectId === null) return null
  return { kind: subject, id: subject === 'user' || subject === 'role' ? subjectId : Number(subjectId) }
}

/** The sentence is made when it is read, so that a row stays small. */
function summaryOf({ kind, actorName, surface, flightId, name, count }: ActivityRow): string {
  const who = actorName ?? (surface === 'cli' ? 'The operator' : 'Somebody')
  return `${who} ${kindOf(kind).says({ name, count })}${flightId === null ? '' : ` ${flightId}`}.`
}

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
    summary: summaryOf(row),
  }
}

/** Who did what (contract 16.13). */
export function activityService({ db, clock }: { db: Db; clock: Clock }) {
  const store = activityStore(db)
  const { entryAdded, removeExcess } = activityBounds(store)
  const oldestShown = () => clock() - LIFE_MS

  /** Part of the transaction that does what it tells of, so that both are there or neither. */
  function record(actor: Actor, { kind, subject, name, count, concerns = [] }: NewEntry): void {
    const { surface, credential, address } = actor.via
    const known = isSomebody(actor)
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
    entryAdded(surface === 'cli' ? undefined : known ? actor.userId : null)
  }

  /** Where few entries fit among very many, those are gone through a stretch at a time, with turns for others. */
  async function page({ kinds, person, before = Number.MAX_SAFE_INTEGER, limit }: PageQuery): Promise<ActivityPage> {
    const found: ActivityRow[] = []
    for (let end = Math.min(before, store.last() + 1), from = 1; from > 0 && found.length <= limit; end = from) {
      from = store.stretchStart(end, STRETCH) ?? 0
      // One more than is shown tells whether another page follows.
      const wanted = { kinds, from, before: end, since: oldestShown(), limit: limit + 1 - found.length }
      found.push(...store.list(wanted, person))
      if (found.length <= limit) await nextTurn()
    }
    const shown = found.slice(0, limit)
    return { entries: shown.map(toEntry), before: found.length > limit ? shown.at(-1)!.id : null }
  }

  /** Everybody's, newest first. */
  async function list(caller: Caller, { kind, ...query }: ActivityQuery): Promise<ActivityPage> {
    if (!caller.permissions.has('users.update')) {
      throw forbidden('Your role does not permit this: it lacks users.update.')
    }
    return page({ ...query, kinds: kind ? [kind] : kindNames })
  }

  /** Under a name that nobody has: whoever had it until the account was deleted, and all who tried to sign in by it. */
  const formerly = (username: string): Person => ({ id: store.deletedId(username) ?? '', username })

  /** Own flights and own sign-ins, whoever it was. */
  const listOwn = ({ userId, username }: Caller, query: Pick<ActivityQuery, 'before' | 'limit'>) =>
    page({ ...query, kinds: ownKinds, person: { id: userId, username } })

  /** For the operator: oldest first, a few at a time. */
  function* history(since: number, person?: Person): Generator<ActivityEntry> {
    let after = 0
    for (;;) {
      const rows = store.oldestFirst(after, Math.max(since, oldestShown()), READ_AT_ONCE)
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

  /** Who added a flight, and who changed it last; undefined where that is not known, or not any more. */
  function ofFlight(flightId: number): { created: ActivityEntry | undefined; changed: ActivityEntry | undefined } {
    const [first, last] = store.endsOfFlight(flightId)
    const entryOf = (row: ActivityRow | undefined, kind: ActivityKind) =>
      row?.kind === kind && row.at >= oldestShown() ? toEntry(row) : undefined
    return { created: entryOf(first, 'flight.created'), changed: entryOf(last, 'flight.changed') }
  }

  /** Removes a batch of entries that are too old or too many. */
  function purge(): Promise<void> {
    return write(db, 'uncached', () => {
      store.removeOld(oldestShown(), OLD_AT_ONCE)
      removeExcess(OLD_AT_ONCE)
    })
  }

  return { record, list, formerly, listOwn, history, ofFlight, purge }
}

type PageQuery = Omit<ActivityQuery, 'kind'> & { kinds: readonly ActivityKind[] }

const isTypedName = ({ kind, name }: ActivityRow, { username }: Person) =>
  kind === 'sign_in.failed' && name?.toLowerCase() === username.toLowerCase()
