import { IdParams, one, page, singlePage } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { Share, ShareWrite } from './contract.ts'
import type { ShareService } from './service.ts'

const tag = 'Personal data'

export function shareOperations(shares: ShareService) {
  return [
    operation({
      id: 'listShares',
      route: 'GET /shares',
      tag,
      summary: 'List your public shares, newest first',
      description: 'Expired shares are listed too; they keep their slug.',
      input: {},
      output: page(Share),
      run: (caller) => singlePage(shares.list(caller)),
    }),
    operation({
      id: 'getShare',
      route: 'GET /shares/{id}',
      tag,
      summary: 'Read a share',
      description: 'Returns one of your shares.',
      input: { params: IdParams },
      output: one(Share),
      run: (caller, { params }) => ({ data: shares.get(caller, params.id) }),
    }),
    operation({
      id: 'createShare',
      route: 'POST /shares',
      tag,
      summary: 'Publish a part of your log',
      description:
        'Creates a page that anyone with its `url` can open without signing in: ask the user first. The flags decide what it shows, the dates which flights.',
      input: { body: ShareWrite },
      output: one(Share),
      created: ({ data }) => data.id,
      conflicts: true,
      run: async (caller, { body }) => ({ data: await shares.create(caller, body) }),
    }),
    operation({
      id: 'updateShare',
      route: 'PUT /shares/{id}',
      tag,
      summary: 'Replace a share',
      description:
        'Sets every member, absent ones to their defaults, except `slug` and `tripId`. The public page changes at once.',
      input: { params: IdParams, body: ShareWrite },
      output: one(Share),
      conflicts: true,
      run: async (caller, { params, body }) => ({ data: await shares.update(caller, params.id, body) }),
    }),
    operation({
      id: 'deleteShare',
      route: 'DELETE /shares/{id}',
      tag,
      summary: 'Remove a share',
      description: 'Removes the public page at once. Flights stay.',
      input: { params: IdParams },
      output: null,
      run: (caller, { params }) => shares.remove(caller, params.id),
    }),
  ]
}
