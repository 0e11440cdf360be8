import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Proofs that need a PostgreSQL of Debian's packages, and one of them Patroni and etcd. */
const onPostgres = ['test/postgres/*.proof.ts', 'test/**/{postgres,patroni}.proof.ts']
const patient = { testTimeout: 1_200_000, hookTimeout: 600_000 }

/** Files of one kind, which can be run alone: `npm run check:tests -- --project http`. */
const project = (name: string, include: string[], settings: object = {}) => ({
  extends: true as const,
  test: { name, include, ...settings },
})

/** What starts programs comes first, since it waits more than it works; the many short files last, so that all end together. */
const ORDER = ['program', 'http', 'inside']

class ShortestLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ project }: TestSpecification) => ORDER.indexOf(project.name)
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  test: {
    globalSetup: 'test/support/build.ts',
    // Two processes for all files: loading the modules anew for each takes longer than most of their tests. What keeps
    // tests apart is an empty database for each; none of them changes what belongs to the process.
    pool: 'forks',
    isolate: false,
    // One more than there are cores: tests that start a program mostly wait for it.
    maxWorkers: availableParallelism() + 1,
    // Only what hangs may fail by time: a shared machine can be many times slower than usual for a while.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    sequence: { sequencer: ShortestLast },
    projects: [
      project('inside', ['test/{access,contract,db,domain,lib}/**/*.test.ts', 'test/config.test.ts']),
      project('http', ['test/{http,hostile,walks}/**/*.test.ts']),
      project('program', ['test/{cli,container,server,durability}/**/*.test.ts']),
      // What takes long, or a machine to itself: kills, power cuts, fuzzing, the container, every page in a browser.
      project('proofs', ['test/**/*.proof.ts'], { exclude: onPostgres, ...patient }),
      project('postgres', onPostgres, patient),
    ],
  },
})
