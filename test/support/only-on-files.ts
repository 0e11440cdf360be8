import { beforeEach } from 'vitest'
import { requests } from './engine.ts'

/**
 * Tests of behaviour that ask for something that only a file has. Every other one of `test/http` passes on PostgreSQL too.
 * By the words with which their title begins.
 */
const ONLY_ON_FILES: Readonly<Record<string, string>> = {
  'rejects a cursor after an older backup is restored': 'puts back a copy of the file',
  'are limited to 200,000': 'gives ids by hand, which PostgreSQL does not count on from',
  'are limited to 10,000 per user': 'gives ids by hand, which PostgreSQL does not count on from',
  'is not written again for each request until':
    'asks what is kept: on PostgreSQL every request that is counted is a commit, which ends that',
  'reads a list of 10,000 flights from the database once':
    'counts reads: on PostgreSQL every commit, also that of the last use of a key, ends what is cached',
  'draws a page once for concurrent requests':
    'counts reads: on PostgreSQL every commit, also that of the last use of a key, ends what is cached',
  'returns the report of an import without writing rows': 'asks that an id is given again, which PostgreSQL never does',
  'L1 A30 N14: no issued or submitted secret': 'reads every file of the data directory, and a backup',
  'does not block reads': 'holds the lock of the file',
  'returns 503 with Retry-After for every write and does not delay reads': 'holds the lock of the file',
  'delays an authorization request and a failed sign-in briefly': 'holds the lock of the file',
  'rejects a waiting write when its permission is revoked': 'holds the lock of the file',
  'uses one index per query': 'reads the plan of SQLite; the indexes are the same, the way is PostgreSQL’s own',
}

/** Tests of what one process keeps or counts for itself, and outside clients cannot see: their requests go to one app. */
const AT_ONE_PROCESS: Readonly<Record<string, string>> = {
  'shows when a key was last used': 'asks one process to write down the uses that it has seen',
  'is written once per key and minute': 'counts the writes of one process',
  'commits a long import atomically': 'asks which of two imports comes first, which is known where both come to one',
  'writes wait for a writing worker': 'lets the writes of one process wait',
  'is fetched once for concurrent requests': 'counts what one process asks the provider',
  'a new key of the provider is accepted immediately': 'counts what one process asks the provider',
  'a search does not reload the bundled rows': 'asks what one process keeps',
  'caches the serialized form of the newest thousand changes': 'asks what one process keeps',
  'ends a page at 4 MiB': 'asks what one process writes at a time',
  'executes at most 12 statements': 'counts the statements of one process',
  'returns 409 with Retry-After while the first request is in progress':
    'of two processes the later one gives the answer of the first',
}

const reasonIn = (reasons: Readonly<Record<string, string>>, name: string) =>
  Object.entries(reasons).find(([title]) => name.startsWith(title))?.[1]

beforeEach(({ task, skip }) => {
  requests.goInTurns = reasonIn(AT_ONE_PROCESS, task.name) === undefined
  const reason = reasonIn(ONLY_ON_FILES, task.name)
  if (reason !== undefined) skip(reason)
})
