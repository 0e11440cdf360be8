import { authorize } from '../../access/authorize.ts'
import { accountPermissions, type Caller, type CurrentCaller } from '../../access/caller.ts'
import { isPermission } from '../../access/permissions.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { conflict, invalid, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/secret.ts'
import type { ActivityService } from '../activity/service.ts'
import { type Share, type ShareWrite, shareFlags } from './contract.ts'
import { type ShareRow, shareStore } from './store.ts'

const SLUG_LENGTH = 12

export type ShareService = ReturnType<typeof shareService>

interface Dependencies {
  db: Db
  clock: Clock
  baseUrl: string
  activity: ActivityService
  currentCaller: CurrentCaller
}

const MOST_SHARES = 100

export function shareService({ db, clock, baseUrl, activity, currentCaller }: Dependencies) {
  const store = shareStore(db)

  function toShare({ userId: _, ...row }: ShareRow): Share {
    return {
      ...row,
      expiresAt: row.expiresAt === null ? null : isoInstant(row.expiresAt),
      createdAt: isoInstant(row.createdAt),
      url: `${baseUrl}/share/${row.slug}`,
    }
  }

  function existing(caller: Caller, id: number): ShareRow {
    const row = store.find(caller.userId, id)
    if (!row) throw notFound('share')
    return row
  }

  /** Everything but the slug, as it is stored. */
  function columnsOf(body: ShareWrite) {
    const expiresAt = body.expiresAt === null ? null : Date.parse(body.expiresAt)
    if (expiresAt !== null && expiresAt < clock()) {
      throw invalid('The share is not valid.', ['expiresAt'], 'Must not be in the past.')
    }
    const { dateFrom, dateTo } = body
    const shown = Object.fromEntries(shareFlags.map((flag) => [flag, body[flag]])) as Pick<
      ShareWrite,
      (typeof shareFlags)[number]
    >
    // Tracks are drawn on the map: without it there is nothing to show.
    return { ...shown, showTracks: body.showTracks && body.showMap, expiresAt, dateFrom, dateTo }
  }

  function requireFree(slug: string, id?: number): void {
    const taken = store.findPublic(slug)
    if (taken && taken.share.id !== id) throw conflict(`The slug ${slug} is taken.`)
  }

  /** Newest first: all of them, or one part of them. */
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
    return toShare(existing(caller, id))
  }

  function create(caller: Caller, body: ShareWrite): Promise<Share> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'createShare', {})
      if (store.count(caller.userId) >= MOST_SHARES) {
        throw conflict(`There can be ${MOST_SHARES} shares at most: delete one that is no longer used.`)
      }
      const columns = columnsOf(body)
      const slug = body.slug ?? newId(SLUG_LENGTH)
      requireFree(slug)
      const made = store.insert({ ...columns, slug, userId: caller.userId, createdAt: clock() })
      activity.record(caller, { kind: 'share.created', subject: made.id, name: slug, concerns: [caller.userId] })
      return toShare(made)
    })
  }

  function update(caller: Caller, id: number, body: ShareWrite): Promise<Share> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'updateShare', {})
      // What is wrong with the body itself is told before what is missing (contract 1.4).
      const columns = columnsOf(body)
      const share = existing(caller, id)
      const slug = body.slug ?? share.slug
      requireFree(slug, id)
      const changed = store.update(id, { ...columns, slug })
      activity.record(caller, { kind: 'share.changed', subject: id, name: slug, concerns: [caller.userId] })
      return toShare(changed)
    })
  }

  function remove(caller: Caller, id: number): Promise<void> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'deleteShare', {})
      const { slug } = existing(caller, id)
      store.delete(id)
      activity.record(caller, { kind: 'share.deleted', subject: id, name: slug, concerns: [caller.userId] })
    })
  }

  /** The share behind a public address, while it lives and its owner may publish; otherwise nothing, whatever the cause. */
  function findLiving(slug: string): ShareRow | undefined {
    const found = store.findPublic(slug)
    if (!found) return undefined
    const { share, isOwner, permissions } = found
    const held = accountPermissions(isOwner, (permissions ?? []).filter(isPermission))
    const allowed = held.has('flight.read.own') && held.has('flight.share.own')
    const expired = share.expiresAt !== null && share.expiresAt <= clock()
    return allowed && !expired ? share : undefined
  }

  return { list, count, get, create, update, remove, findLiving }
}
