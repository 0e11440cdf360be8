import { beforeEach } from 'vitest'
import { requests } from './engine.ts'

/**
 * Tests of behaviour that ask for something that only a file has. Every other one of `test/http` passes on PostgreSQL too.
 * By the words with which their title begins.
 */
const ONLY_ON_FILES: Readonly<Record<string, string>> = {
  'refuses a cursor after an older backup was restored': 'puts back a copy of the file',
  'are 200,000 at most': 'gives ids by hand, which PostgreSQL does not count on from',
  'of one user are 10,000 at most': 'gives ids by hand, which PostgreSQL does not count on from',
  'is not written again for each request until':
    'asks what is kept: on PostgreSQL every request that is counted is a commit, which ends that',
  'a list of 10,000 flights is read from the database once':
    'counts reads: on PostgreSQL every commit, also that of the last use of a key, ends what is cached',
  'draws a page once for concurrent requests':
    'counts reads: on PostgreSQL every commit, also that of the last use of a key, ends what is cached',
  'reports what an import would': 'asks that an id is given again, which PostgreSQL never does',
  'L1 A30 N14: no issued or submitted secret': 'reads every file of the data directory, and a backup',
  'goes without stopping those who only read': 'holds the lock of the file',
  'holding the write lock': 'holds the lock of the file',
  'a permission that is taken away while a write waits': 'holds the lock of the file',
  'is served by one index each': 'reads the plan of SQLite; the indexes are the same, the way is PostgreSQL’s own',
}

/** Tests of what one process keeps or counts for itself, and outside clients cannot see: their requests go to one app. */
const AT_ONE_PROCESS: Readonly<Record<string, string>> = {
  'shows when a key was last used': 'asks one process to write down the uses that it has seen',
  'costs one write a key and minute': 'counts the writes of one process',
  'a long import arrives as a whole': 'asks which of two imports comes first, which is known where both come to one',
  'writes wait while a worker writes': 'lets the writes of one process wait',
  'is fetched once for concurrent requests': 'counts what one process asks the provider',
  'a new key of the provider is accepted immediately': 'counts what one process asks the provider',
  'a search of the shipped rows is not prepared anew': 'asks what one process keeps',
  'keeps what it wrote of the newest thousand': 'asks what one process keeps',
  'ends a page at 4 MiB': 'asks what one process writes at a time',
  'executes at most 12 statements': 'counts the statements of one process',
  'is asked to wait while the first is being worked on': 'of two processes the later one gives the answer of the first',
}

const reasonIn = (reasons: Readonly<Record<string, string>>, name: string) =>
  Object.entries(reasons).find(([title]) => name.startsWith(title))?.[1]

beforeEach(({ task, skip }) => {
  requests.goInTurns = reasonIn(AT_ONE_PROCESS, task.name) === undefined
  const reason = reasonIn(ONLY_ON_FILES, task.name)
  if (reason !== undefined) skip(reason)
})
