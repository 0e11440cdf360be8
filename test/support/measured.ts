import { type RunnerTestCase, TestRunner } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** What the test measured, for `npm run promises`. */
    measured?: string[]
  }
}

/** Prints a measurement and adds it to the result of the current test, which `npm run promises` writes to docs/promises.md. */
export function measured(text: string): void {
  process.stderr.write(`${text}\n`)
  const test = TestRunner.getCurrentTest<RunnerTestCase | undefined>()
  if (test) test.meta.measured = [...(test.meta.measured ?? []), text]
}
