const FORM = /^(?:(\d{1,2})[:.]|(\d{2}))(\d{2})(?: ?([ap])m)?$/i

/** `H:MM`, `HH:MM`, `H.MM`, `HH.MM` or `HHMM`, of 24 hours or of 12 with am or pm, as HH:MM; undefined otherwise. */
export function parseClock(text: string): string | undefined {
  const match = FORM.exec(text)
  if (!match) return undefined
  const [, before = match[2]!, , minutes = '', half] = match
  const hour = Number(before)
  if (Number(minutes) > 59 || hour > 23) return undefined
  if (half === undefined) return `${before.padStart(2, '0')}:${minutes}`
  if (hour < 1 || hour > 12) return undefined
  // Twelve is the first hour of its half of the day.
  const hours = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${String(hours).padStart(2, '0')}:${minutes}`
}
