export type Random = ReturnType<typeof seeded>

/** The same numbers for the same seed (mulberry32), so that every demo is the same demo. */
export function seeded(seed: number) {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    whole,
    chance: (probability: number) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => items[whole(0, items.length - 1)]!,
    letters: (count: number, alphabet = 'ABCDEFGHJKLMNPRSTUVWXYZ') =>
      Array.from({ length: count }, () => alphabet[whole(0, alphabet.length - 1)]).join(''),
  }
}
