import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_TURN_MS = 8

/** For long work: `if (turn.isOver()) await turn.end()` yields to the event loop every few milliseconds. */
export function yielder() {
  let startedAt = performance.now()
  return {
    isOver: () => performance.now() - startedAt > MAX_TURN_MS,
    async end(): Promise<void> {
      await nextTurn()
      startedAt = performance.now()
    },
  }
}

const ITEMS_PER_CHECK = 1_000

export async function forEachYielding<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  const turn = yielder()
  let done = 0
  for (const item of items) {
    work(item)
    if (++done % ITEMS_PER_CHECK === 0 && turn.isOver()) await turn.end()
  }
}

type Compare<Item> = (a: Item, b: Item) => number

function* merge<Item>(left: readonly Item[], right: readonly Item[], compare: Compare<Item>): Generator<Item> {
  let [l, r] = [0, 0]
  while (l < left.length && r < right.length) {
    yield compare(left[l]!, right[r]!) <= 0 ? left[l++]! : right[r++]!
  }
  yield* left.slice(l)
  yield* right.slice(r)
}

export async function sortYielding<Item>(items: readonly Item[], compare: Compare<Item>): Promise<Item[]> {
  const turn = yielder()
  let runs: Item[][] = []
  for (let from = 0; from < items.length; from += ITEMS_PER_CHECK) {
    runs.push(items.slice(from, from + ITEMS_PER_CHECK).sort(compare))
    if (turn.isOver()) await turn.end()
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let index = 0; index < runs.length; index += 2) {
      const both: Item[] = []
      await forEachYielding(merge(runs[index]!, runs[index + 1] ?? [], compare), (item) => both.push(item))
      merged.push(both)
    }
    runs = merged
  }
  return runs[0] ?? []
}
