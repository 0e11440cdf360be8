import { relative } from 'node:path'
import { postgresMissing } from '../support/postgres.ts'
import { runVitest } from '../support/run-vitest.ts'

interface ProofResult {
  name: string
  status: string
  /** Reported by `measured` of test/support. */
  measured: readonly string[]
}

/** The tests of each file. */
export type ProofResults = ReadonlyMap<string, readonly ProofResult[]>

/** PostgreSQL proofs run one at a time, as in `npm run proofs`. */
const runs = [
  ['--project', 'inside', '--project', 'http', '--project', 'program', '--project', 'proofs', '--maxWorkers=100%'],
  ...(postgresMissing ? [] : [['--project', 'postgres', '--maxWorkers=1']]),
]

/** Runs test files and returns the results of their tests. */
export function runProofs(root: string, files: readonly string[]): { passed: boolean; results: ProofResults } {
  const results = new Map<string, ProofResult[]>()
  let allPassed = true
  for (const projects of runs) {
    const { passed, reports } = runVitest({ args: [...projects, ...files] })
    allPassed &&= passed
    for (const { name, message, assertionResults } of reports) {
      const tests = assertionResults.map(({ fullName, status, meta }) => ({
        name: fullName.trim(),
        status,
        measured: meta.measured ?? [],
      }))
      // A file that cannot be loaded has a message and no tests.
      const broken = message ? [{ name: message, status: 'failed', measured: [] }] : []
      results.set(relative(root, name), [...tests, ...broken])
    }
  }
  return { passed: allPassed, results }
}
