/** Around every page. */
export const frame = {
  title: '{title} – Paxlog',
  titleWithErrors: 'Error: {title}',
  skipToContent: 'Skip to content',
} as const
