import { beforeEach } from 'vitest'

/**
 * Tests of behaviour that ask for something that only a file has. Every other one of `test/http` passes on PostgreSQL too.
 * By the words with which their title begins.
 */
const ONLY_ON_FILES: Readonly<Record<string, string>> = {
  'refuses a cursor after an older backup was restored': 'puts back a copy of the file',
  'are 200,000 at most': 'gives ids by hand, which PostgreSQL does not count on from',
  'reports what an import would': 'asks that an id is given again, which PostgreSQL never does',
  'is served by one index each': 'reads the plan of SQLite; the indexes are the same, the way is PostgreSQL’s own',
}

beforeEach(({ task, skip }) => {
  const reason = Object.entries(ONLY_ON_FILES).find(([title]) => task.name.startsWith(title))?.[1]
  if (reason !== undefined) skip(reason)
})
