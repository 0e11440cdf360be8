import { setImmediate as nextTurn } from 'node:timers/promises'

const LONGEST_MS = 8

/** For work that takes a tenth of a second: `if (turn.isOver()) await turn.end()` lets others in every few milliseconds. */
export function turns() {
  let began = performance.now()
  return {
    isOver: () => performance.now() - began > LONGEST_MS,
    async end(): Promise<void> {
      await nextTurn()
      began = performance.now()
    },
  }
}
