import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/build.ts',
    // A fresh SQLite file for each test is cheap; a process for each file keeps them apart.
    pool: 'forks',
    // By default one core is kept free for watching; here all of them may work.
    maxWorkers: '100%',
    // Only what hangs may fail by time: a shared machine can be many times slower than usual for a while.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
