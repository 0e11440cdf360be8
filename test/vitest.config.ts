import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/build.ts',
    // Two processes for all files: loading the modules anew for each takes longer than most of their tests. What keeps
    // tests apart is a fresh SQLite file and a new app for each; none of them changes what belongs to the process.
    pool: 'forks',
    isolate: false,
    // By default one core is kept free for watching; here all of them may work.
    maxWorkers: '100%',
    // Only what hangs may fail by time: a shared machine can be many times slower than usual for a while.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
