/** What narrows down in which texts a word of the flight filter may be, by nothing that only one database has. */

/** LIKE ignores the case of plain letters only. */
const isNotPlain = (text: string) => `octet_length(${text}) <> length(${text})`

export const OWN_TEXTS = ['f.flight_number', 'f.aircraft_reg', 'f.note'] as const

export function mayHaveWord(index: number): string {
  const letters = OWN_TEXTS.slice(0, 2).map((code) => `${code} like @letters${index}`)
  return `(${[...letters, `f.note like @like${index}`, ...OWN_TEXTS.map(isNotPlain)].join(' or ')})`
}

export const guestMayHaveWord = (name: string, index: number) => `(${name} like @like${index} or ${isNotPlain(name)})`

/** LIKE costs pattern length times text length and only narrows the result, so a prefix of the word is enough. */
const MAX_PATTERN_LETTERS = 8

/** How the words of a filter are bound. */
export function wordValues(index: number, word: string) {
  const letters = [...word].slice(0, MAX_PATTERN_LETTERS)
  return {
    [`word${index}`]: word,
    [`like${index}`]: `%${letters.join('')}%`,
    [`letters${index}`]: `%${letters.join('%')}%`,
  }
}
