import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Proofs that need the Debian packages of PostgreSQL, and one also Patroni and etcd. */
const postgresFiles = ['test/postgres/*.proof.ts', 'test/**/{postgres,patroni}.proof.ts']
/** Long tests of the surfaces, which `npm run proofs` also runs on PostgreSQL. */
const surfaceProofs =
  'test/http/{locked-database,statements,mcp/clients,pages/oidc-faults,shared/large-answers,v1/flights-list-size,v1/import-thread,v1/long-writes,v1/stats-random,v1/user-deletion}.proof.ts'
const longTimeouts = { testTimeout: 1_200_000, hookTimeout: 600_000 }

/** A project can be run separately: `npm run check:tests -- --project http`. */
const project = (name: string, include: string[], settings: object = {}) => ({
  extends: true as const,
  test: { name, include, ...settings },
})

/** Tests that start programs come first, because they mostly wait. Short files come last, so that all workers end together. */
const ORDER = ['program', 'http', 'inside']

class ProjectOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ project }: TestSpecification) => ORDER.indexOf(project.name)
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  test: {
    globalSetup: 'test/support/build.ts',
    // Files share processes, because loading the modules takes longer than most tests. Each test has its own database and
    // must not change global state.
    pool: 'forks',
    isolate: false,
    // One more than cores, because tests that start a program mostly wait.
    maxWorkers: availableParallelism() + 1,
    // Only hanging tests should time out. A shared machine can be many times slower than usual.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    sequence: { sequencer: ProjectOrder },
    projects: [
      project('inside', ['test/{access,contract,db,domain,lib}/**/*.test.ts', 'test/config.test.ts']),
      project('http', [
        'test/{http,hostile,walks}/**/*.test.ts',
        ...(process.env.TEST_ENGINE === 'postgres' ? [surfaceProofs] : []),
      ]),
      project('program', ['test/{cli,container,server,durability}/**/*.test.ts']),
      // Long tests: kills, power cuts, fuzzing, the container, browser tests.
      project('proofs', ['test/**/*.proof.ts'], { exclude: postgresFiles, ...longTimeouts }),
      project('postgres', postgresFiles, longTimeouts),
    ],
  },
})
