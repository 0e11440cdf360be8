export const map = {
  title: 'Map',
} as const
