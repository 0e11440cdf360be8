import { fold } from '../../../lib/text.ts'
import { romanised } from './romanised.ts'
import { withoutApostrophes } from './texts.ts'

/** What stands before or behind the name of an airport in scripts without spaces: 成田国際空港, 김포공항. */
const AIRPORT = /^(?:สนามบิน|ท่าอากาศยาน)|(?:国際|國際|国际|국제)?(?:空港|机场|機場|공항)$/gu

const MOST_WORDS = 4

/**
 * Two words that follow one another, and then all of them, as one: "Guang Zhou", "Kempe Gowda". What is invisible parts no
 * words.
 */
function joined(text: string): string[] {
  const list = text.split(/[\s-]+/).filter(Boolean)
  if (list.length < 2 || list.length > MOST_WORDS) return []
  const pairs = list.slice(1).map((word, index) => list.with(index, list[index]! + word).toSpliced(index + 1, 1))
  return [...pairs, [list.join('')]].map((spelling) => spelling.join(' '))
}

/** How a query for an airport that finds nothing may be meant, the likeliest first. */
export function otherSpellings(text: string): string[] {
  // Nothing is found by a text with this character in it, in no spelling.
  if (text.includes('\0')) return []
  const composed = text.trim().normalize('NFC')
  const others = [
    ...romanised(text),
    composed.replace(AIRPORT, ''),
    withoutApostrophes(composed),
    ...joined(withoutApostrophes(fold(text))),
  ]
  return [...new Set(others)].filter((spelling) => spelling !== '' && spelling !== composed)
}
