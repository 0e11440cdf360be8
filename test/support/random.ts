const { PAXLOG_TEST_SEED: seedOption } = process.env

/** A fixed seed for reproducible runs. `PAXLOG_TEST_SEED` sets another one, or `any` for a random one. */
export const SEED = seedOption === 'any' ? Date.now() % 1e9 : Number(seedOption ?? 20260728)

/** A pseudorandom number generator (mulberry32). */
export function seeded(seed: number) {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  /** An integer from `low` to `high`, inclusive. */
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    below: (limit: number) => between(0, limit - 1),
    pick: <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)]!,
    chance: (share: number) => next() < share,
  }
}

export type Random = ReturnType<typeof seeded>
