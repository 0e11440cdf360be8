const PATTERN = /^(?:(\d{1,2})[:.]|(\d{2}))(\d{2})(?: ?([ap])m)?$/i

/** Parses `H:MM`, `HH:MM`, `H.MM`, `HH.MM` or `HHMM`, in 24 hours or with am or pm, to HH:MM. */
export function parseClock(text: string): string | undefined {
  const match = PATTERN.exec(text)
  if (!match) return undefined
  const [, before = match[2]!, , minutes = '', half] = match
  const hour = Number(before)
  if (Number(minutes) > 59 || hour > 23) return undefined
  if (half === undefined) return `${before.padStart(2, '0')}:${minutes}`
  if (hour < 1 || hour > 12) return undefined
  // 12 am is 00:00 and 12 pm is 12:00.
  const hours = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${String(hours).padStart(2, '0')}:${minutes}`
}
