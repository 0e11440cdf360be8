import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/build.ts',
    // A fresh SQLite file for each test is cheap; a process for each file keeps them apart.
    pool: 'forks',
    // By default one core is kept free for watching; here all of them may work.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
