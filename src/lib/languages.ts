/** The languages of pages and map labels, by their own names. English is the source. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
  ja: '日本語',
} as const

export type Language = keyof typeof languageNames
export const languages = Object.keys(languageNames) as Language[]
