import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_TURN_MS = 8

/** Bounds the event-loop delay of long work: `if (turn.isOver()) await turn.end()`. */
export function yielder() {
  let began = performance.now()
  return {
    isOver: () => performance.now() - began > MAX_TURN_MS,
    async end(): Promise<void> {
      await nextTurn()
      began = performance.now()
    },
  }
}

export async function forEachYielding<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  const turn = yielder()
  let done = 0
  for (const item of items) {
    work(item)
    // Reading the clock for every item would cost more than most work.
    if (++done % 1_000 === 0 && turn.isOver()) await turn.end()
  }
}
