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
      description: 'One of your shares, by the id that the list gives.',
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
        'Makes a page that everybody who has its `url` can open without signing in: ask the user before. The switches say what it shows, dates limit the flights.',
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
        'Every member is set, absent ones to their default, `slug` excepted; the public page changes at once.',
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
      description: 'The public page is gone at once; its flights stay.',
      input: { params: IdParams },
      output: null,
      run: (caller, { params }) => shares.remove(caller, params.id),
    }),
  ]
}
