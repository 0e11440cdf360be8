/** Around every page. */
export const frame = {
  title: '{title} – Paxlog',
  titleWithErrors: 'Error: {title}',
  skipToContent: 'Skip to content',
  undo: 'Undo',
  startPage: 'Go to the start page',
  appName: 'Paxlog – flight log',
} as const
