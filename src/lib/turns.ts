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

/** Items that are handled between two looks at the clock. */
const STRETCH = 1_000

/** Does something with each item of a list of any length, with turns for others. */
export async function eachInTurns<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  const turn = turns()
  let done = 0
  for (const item of items) {
    work(item)
    if (++done % STRETCH === 0 && turn.isOver()) await turn.end()
  }
}

type Compare<Item> = (a: Item, b: Item) => number

/** Two sorted lists as one. */
function* merged<Item>(left: readonly Item[], right: readonly Item[], compare: Compare<Item>): Generator<Item> {
  let [l, r] = [0, 0]
  while (l < left.length && r < right.length) {
    yield compare(left[l]!, right[r]!) <= 0 ? left[l++]! : right[r++]!
  }
  yield* left.slice(l)
  yield* right.slice(r)
}

/** A sorted copy, as `toSorted` makes it, with turns for others: what nobody bounds may take as long as it likes. */
export async function sortedInTurns<Item>(items: readonly Item[], compare: Compare<Item>): Promise<Item[]> {
  const turn = turns()
  let runs: Item[][] = []
  for (let from = 0; from < items.length; from += STRETCH) {
    runs.push(items.slice(from, from + STRETCH).sort(compare))
    if (turn.isOver()) await turn.end()
  }
  while (runs.length > 1) {
    const longer: Item[][] = []
    for (let index = 0; index < runs.length; index += 2) {
      const both: Item[] = []
      await eachInTurns(merged(runs[index]!, runs[index + 1] ?? [], compare), (item) => both.push(item))
      longer.push(both)
    }
    runs = longer
  }
  return runs[0] ?? []
}
