import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { type FormerSeat, MAX_BULK_FLIGHTS, type SeatChange } from '../../../../domain/flights/bulk.ts'
import { flightReasons, seatClasses } from '../../../../domain/flights/contract.ts'
import { MAX_FLIGHTS, MAX_NAME_LENGTH, TripWrite } from '../../../../domain/trips/contract.ts'
import type { Move } from '../../../../domain/trips/service.ts'
import { AppError, notFound } from '../../../../lib/errors.ts'
import { newToken } from '../../../../lib/secret.ts'
import type { PageContext } from '../../framework/context.ts'
import { fieldOf } from '../../framework/form.ts'
import type { Notice } from '../../framework/notices.ts'
import { idIn, signedInPages, type Visit } from '../../framework/signed-in.ts'

const UNDO_STORE_OPTIONS = {
  maxBytes: 1024 * 1024,
  maxEntries: 1000,
  sizeOf: ({ page, deleted, changed, moved }: Undo) =>
    300 +
    2 * page.length +
    10 * deleted.length +
    100 * (changed?.former.length ?? 0) +
    50 * (moved?.former.length ?? 0),
  ttlMs: 3_600_000,
}

interface Undo {
  userId: string
  page: string
  deleted: number[]
  changed?: { change: SeatChange; former: FormerSeat[] }
  moved?: Move
}

/** Restored, purged or without an airport since. */
const isGone = (error: unknown) =>
  error instanceof AppError && (error.code === 'not_found' || error.code === 'conflict')

/** `none` stands for a value that is not stated. Undefined for no change. */
const chosen = <Value extends string>(values: readonly Value[], text: string): Value | null | undefined =>
  text === 'none' ? null : values.find((value) => value === text)

function readChange(form: URLSearchParams): SeatChange {
  const seatClass = chosen(seatClasses, fieldOf(form, 'seatClass'))
  const flightReason = chosen(flightReasons, fieldOf(form, 'flightReason'))
  return { ...(seatClass !== undefined && { seatClass }), ...(flightReason !== undefined && { flightReason }) }
}

/** A trip of the user, the name of a new one, or undefined if neither is valid. */
function readTrip(form: URLSearchParams): number | { name: string } | undefined {
  const chosen = fieldOf(form, 'trip')
  if (chosen !== '') return idIn(chosen, 'trip')
  const { success, data } = TripWrite.pick({ name: true }).safeParse({ name: fieldOf(form, 'tripName') })
  return success ? data : undefined
}

/** Changes, moves or deletes several flights of the log, and undoes that. */
export async function bulkEdit(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, deletedFlights, trips, memory, notices, routes } = context
  const pages = signedInPages(app, context)
  const undos = memory.store<Undo>('undo of bulk changes', UNDO_STORE_OPTIONS)

  function returnTo({ session, reply }: Visit, page: string | undefined, notice: Notice) {
    notices.leave(session, notice)
    return reply.redirect(page ?? routes.home, 303)
  }

  pages.post('/flights', async (visit) => {
    const { caller, form, texts } = visit
    const t = texts.flightList.bulk
    const page = routes.nextPage(form.get('next'))
    const warn = (text: string) => returnTo(visit, page, { text, isWarning: true })
    const ids = [...new Set(form.getAll('flight').map((id) => idIn(id, 'flight')))]
    if (ids.length === 0) return warn(t.nothingSelected)
    if (ids.length > MAX_BULK_FLIGHTS) return warn(t.tooMany({ max: MAX_BULK_FLIGHTS }))

    function offerUndo(text: string, undo: Omit<Undo, 'userId' | 'page'>) {
      const token = newToken()
      undos.set(token, { userId: caller.userId, page: page ?? routes.home, ...undo })
      return returnTo(visit, page, { text, undo: `/undo/${token}` })
    }

    async function addToTrip(trip: number | { name: string }) {
      try {
        const moved = await trips.addFlights(caller, ids, trip)
        const count = moved.former.length
        if (count === 0) return returnTo(visit, page, { text: t.alreadyInTrip })
        return offerUndo(t.added({ count, name: moved.name }), { deleted: [], moved })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error
        return warn(t.tripFull({ max: MAX_FLIGHTS }))
      }
    }

    if (fieldOf(form, 'action') === 'delete') {
      // Without an undo, flights are deleted one by one on their pages, with an explanation.
      if (deletedFlights.days === 0) throw notFound('page')
      await flights.removeAll(caller, ids)
      const text = t.deleted({ count: ids.length })
      const isRestorable = ids.every((id) => deletedFlights.isRestorable(caller, id))
      return isRestorable ? offerUndo(text, { deleted: ids }) : returnTo(visit, page, { text })
    }
    if (fieldOf(form, 'action') === 'trip') {
      const trip = readTrip(form)
      if (trip === undefined) return warn(t.nameMissing({ max: MAX_NAME_LENGTH }))
      return await addToTrip(trip)
    }
    const change = readChange(form)
    if (Object.keys(change).length === 0) return warn(t.nothingChosen)
    const former = await flights.changeSeats(caller, ids, change)
    if (former.length === 0) return returnTo(visit, page, { text: t.nothingChanged })
    return offerUndo(t.changed({ count: former.length }), { deleted: [], changed: { change, former } })
  })

  /** In one turn, so that all flights share a commit. Returns the number of restored flights. */
  async function restoreDeleted(caller: Caller, ids: readonly number[]): Promise<number> {
    const results = await Promise.allSettled(ids.map((id) => deletedFlights.restore(caller, id)))
    for (const result of results) if (result.status === 'rejected' && !isGone(result.reason)) throw result.reason
    return results.filter(({ status }) => status === 'fulfilled').length
  }

  pages.post<{ Params: { token: string } }>('/undo/:token', async (visit) => {
    const { caller, request, texts } = visit
    const t = texts.flightList.bulk
    const { token } = request.params
    const undo = undos.get(token)
    if (undo?.userId !== caller.userId) return returnTo(visit, undefined, { text: t.notUndone, isWarning: true })
    const { deleted, changed, moved } = undo
    const run = async () => {
      if (changed) return [await flights.restoreSeats(caller, changed.former, changed.change), t.undone] as const
      if (moved) return [await trips.undoMove(caller, moved), t.movedBack] as const
      return [await restoreDeleted(caller, deleted), t.restored] as const
    }
    const [count, text] = await run()
    undos.delete(token)
    const notice = count > 0 ? { text: text({ count }) } : { text: t.notUndone, isWarning: true }
    return returnTo(visit, undo.page, notice)
  })
}
