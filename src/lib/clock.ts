/** Milliseconds since 1970 in UTC; tests pass their own. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
