/** What narrows down in which texts a word of the flight filter may be, by nothing that only one database has. */

/** LIKE ignores the case of plain letters only. */
const isNotPlain = (text: string) => `octet_length(${text}) <> length(${text})`

export const OWN_TEXTS = ['f.flight_number', 'f.aircraft_reg', 'f.note'] as const

export function mayHaveWord(index: number): string {
  const letters = OWN_TEXTS.slice(0, 2).map((code) => `${code} like @letters${index}`)
  return `(${[...letters, `f.note like @like${index}`, ...OWN_TEXTS.map(isNotPlain)].join(' or ')})`
}

export const guestMayHaveWord = (name: string, index: number) => `(${name} like @like${index} or ${isNotPlain(name)})`

/** How the words of a filter are bound. */
export const wordValues = (index: number, word: string) => ({
  [`word${index}`]: word,
  [`like${index}`]: `%${word}%`,
  [`letters${index}`]: `%${[...word].join('%')}%`,
})
