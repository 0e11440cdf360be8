import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { forbidden } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
import type { ActivityService } from '../activity/service.ts'
import { type CodeHolder, holdersOn } from '../reference/codes.ts'
import type { Airline, Airport } from '../reference/contract.ts'
import { idsInFlights } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import { isValidOn, type Validity } from '../reference/validity.ts'
import { flightJsonCache } from './cache/json-cache.ts'
import { type CheckedFlight, codeCheckStore } from './store/code-check-store.ts'
import { flightStore } from './store/store.ts'
import { recompute } from './touch-referencing-flights.ts'

type Part = { limit: number; offset: number }

/** An airport or airline that did not exist on the day of a flight. */
export interface CodeProblem extends Validity {
  member: 'from' | 'to' | 'airline'
  record: Airport | Airline
  /** The holder of the code on that day, if known. */
  replacement: Airport | Airline | null
}

export interface FlightProblems {
  id: number
  date: string
  flightNumber: string | null
  from: Airport
  to: Airport
  problems: CodeProblem[]
}

const columns = { from: 'fromId', to: 'toId', airline: 'airlineId' } as const

const UNCHANGED_PARTS = { ownPassengersChange: false, otherPassengersChange: false, trackGiven: false }

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  activity: ActivityService
  currentCaller: CurrentCaller
}

export type CodeCheckService = ReturnType<typeof codeCheckService>

/** Finds flights whose airport or airline did not exist on their day, and replaces it (contract 17.8). */
export function codeCheckService({ db, clock, reference, activity, currentCaller }: Dependencies) {
  const store = codeCheckStore(db)
  const flights = flightStore(db)
  const cache = flightJsonCache(db)
  const { records, codes, validity } = reference

  function problemsOf(rows: readonly CheckedFlight[]): FlightProblems[] {
    const known = records.batch(idsInFlights(rows))
    const wrong = rows.map((row) => {
      const airline = row.airlineId === null ? undefined : known.airline(row.airlineId)
      const used = [
        {
          member: 'from' as const,
          record: known.airport(row.fromId)!,
          days: validity.airport(known.airport(row.fromId)!),
        },
        { member: 'to' as const, record: known.airport(row.toId)!, days: validity.airport(known.airport(row.toId)!) },
        ...(airline ? [{ member: 'airline' as const, record: airline, days: validity.airline(airline) }] : []),
      ]
      return { row, problems: used.filter(({ days }) => !isValidOn(days, row.date)) }
    })
    const all = wrong.flatMap(({ problems }) => problems)
    const of = (isAirline: boolean) =>
      all.filter(({ member }) => (member === 'airline') === isAirline).map(({ record }) => record)
    const holders = {
      airports: codes.otherHolders('airports', of(false)),
      airlines: codes.otherHolders('airlines', of(true)),
    }
    const replacementOn = (list: readonly CodeHolder[], date: string): number | undefined => {
      const [first] = holdersOn(list, date)
      return first && isValidOn(first, date) ? first.id : undefined
    }
    const found = wrong.map(({ row, problems }) => ({
      row,
      problems: problems.map(({ member, record, days }) => {
        const kind = member === 'airline' ? 'airlines' : 'airports'
        return { member, record, days, kind, id: replacementOn(holders[kind](record), row.date) } as const
      }),
    }))
    const ids = (kind: 'airports' | 'airlines') =>
      new Set(found.flatMap(({ problems }) => problems.flatMap((one) => (one.kind === kind ? (one.id ?? []) : []))))
    known.add({ airports: ids('airports'), airlines: ids('airlines') })
    return found.map(({ row, problems }) => ({
      id: row.id,
      date: row.date,
      flightNumber: row.flightNumber,
      from: known.airport(row.fromId)!,
      to: known.airport(row.toId)!,
      problems: problems.map(({ member, record, days, kind, id }) => ({
        member,
        record,
        ...days,
        replacement: (id === undefined ? null : kind === 'airlines' ? known.airline(id) : known.airport(id)) ?? null,
      })),
    }))
  }

  function requireAll({ permissions }: Caller): void {
    if (!permissions.has('flight.update.any'))
      throw forbidden(english.access.lacksPermission({ permission: 'flight.update.any' }))
  }

  /** Newest first. */
  const list = (part: Part): FlightProblems[] => problemsOf(store.list(part))

  return {
    /** For the command line. */
    all: { list, count: store.count },
    list(caller: Caller, part: Part): FlightProblems[] {
      requireAll(caller)
      return list(part)
    },
    count(caller: Caller): number {
      requireAll(caller)
      return store.count()
    },
    /** Returns how many flights were changed; those without a replacement stay. */
    correct: (caller: Caller, flightIds: readonly number[]): Promise<number> =>
      write(db, 'flights', () => {
        const actor = currentCaller(caller)
        authorize(actor, 'updateFlight', { ...UNCHANGED_PARTS, notPassenger: true })
        const changed = problemsOf(flightIds.flatMap((id) => store.find(id) ?? [])).flatMap(({ id, problems }) => {
          const replaced = problems.flatMap(({ member, replacement }) =>
            replacement ? [[columns[member], replacement.id] as const] : [],
          )
          if (replaced.length === 0) return []
          cache.drop(id)
          store.replace(id, Object.fromEntries(replaced), isoInstant(clock()))
          activity.record(caller, { kind: 'flight.changed', subject: id, concerns: flights.accountsAboard(id) })
          return id
        })
        recompute(flights, reference, changed)
        return changed.length
      }),
  }
}
