import { authorize } from '../../access/authorize.ts'
import { accountPermissions, type Caller, type CurrentCaller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { conflict, invalid, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/secret.ts'
import { english } from '../../messages/english.ts'
import type { ActivityService } from '../activity/service.ts'
import type { TripService } from '../trips/service.ts'
import type { Share, ShareWrite } from './contract.ts'
import { type ShareRow, shareStore } from './store.ts'

export type ShareService = ReturnType<typeof shareService>

interface Dependencies {
  db: Db
  clock: Clock
  baseUrl: string
  activity: ActivityService
  trips: TripService
  currentCaller: CurrentCaller
}

const MAX_SHARES = 100

export function shareService({ db, clock, baseUrl, activity, trips, currentCaller }: Dependencies) {
  const store = shareStore(db)

  function toShare({ userId: _, ...row }: ShareRow): Share {
    return {
      ...row,
      expiresAt: row.expiresAt === null ? null : isoInstant(row.expiresAt),
      createdAt: isoInstant(row.createdAt),
      url: `${baseUrl}/share/${row.slug}`,
    }
  }

  function requireShare(caller: Caller, id: number): ShareRow {
    const row = store.find(caller.userId, id)
    if (!row) throw notFound('share')
    return row
  }

  function columnsOf(body: ShareWrite) {
    const expiresAt = body.expiresAt === null ? null : Date.parse(body.expiresAt)
    if (expiresAt !== null && expiresAt < clock()) {
      throw invalid(english.shares.notValid, ['expiresAt'], english.input.notInPast)
    }
    const { slug: _, tripId: __, ...columns } = body
    // Tracks are shown only on the map.
    return { ...columns, showTracks: body.showTracks && body.showMap, expiresAt }
  }

  function requireTrip({ userId }: Caller, { tripId }: ShareWrite): void {
    if (typeof tripId === 'number' && !trips.exists(userId, tripId))
      throw invalid(english.shares.notValid, ['tripId'], english.shares.noTrip)
  }

  function requireFree(slug: string, id?: number): void {
    const taken = store.findPublic(slug)
    if (taken && taken.share.id !== id) throw conflict(english.shares.slugTaken({ slug }))
  }

  function list(caller: Caller, part?: { limit: number; offset: number }): Share[] {
    authorize(caller, 'listShares', {})
    return store.list(caller.userId, part).map(toShare)
  }

  function count(caller: Caller): number {
    authorize(caller, 'listShares', {})
    return store.count(caller.userId)
  }

  function get(caller: Caller, id: number): Share {
    authorize(caller, 'getShare', {})
    return toShare(requireShare(caller, id))
  }

  function create(caller: Caller, body: ShareWrite): Promise<Share> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'createShare', {})
      const columns = { ...columnsOf(body), tripId: body.tripId ?? null }
      requireTrip(caller, body)
      if (store.count(caller.userId) >= MAX_SHARES) {
        throw conflict(english.shares.tooMany({ max: MAX_SHARES }))
      }
      const slug = body.slug ?? newId(12)
      requireFree(slug)
      const created = store.insert({ ...columns, slug, userId: caller.userId, createdAt: clock() })
      activity.record(caller, { kind: 'share.created', subject: created.id, name: slug, concerns: [caller.userId] })
      return toShare(created)
    })
  }

  function update(caller: Caller, id: number, body: ShareWrite): Promise<Share> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'updateShare', {})
      // Errors of the body come before a missing share (contract 1.4).
      const columns = columnsOf(body)
      const share = requireShare(caller, id)
      requireTrip(caller, body)
      const slug = body.slug ?? share.slug
      requireFree(slug, id)
      const tripId = body.tripId === undefined ? share.tripId : body.tripId
      const changed = store.update(id, { ...columns, tripId, slug })
      activity.record(caller, { kind: 'share.changed', subject: id, name: slug, concerns: [caller.userId] })
      return toShare(changed)
    })
  }

  function remove(caller: Caller, id: number): Promise<void> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'deleteShare', {})
      const { slug } = requireShare(caller, id)
      store.delete(id)
      activity.record(caller, { kind: 'share.deleted', subject: id, name: slug, concerns: [caller.userId] })
    })
  }

  /** Undefined if the share has expired or its owner may no longer publish it. */
  function findActive(slug: string): ShareRow | undefined {
    const found = store.findPublic(slug)
    if (!found) return undefined
    const { share, isOwner, permissions } = found
    const held = accountPermissions(isOwner, permissions)
    const isAllowed = held.has('flight.read.own') && held.has('flight.share.own')
    const isExpired = share.expiresAt !== null && share.expiresAt <= clock()
    return isAllowed && !isExpired ? share : undefined
  }

  return { list, count, get, create, update, remove, findActive }
}
