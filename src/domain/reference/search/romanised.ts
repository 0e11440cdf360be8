/** The letters of Russian, of what its neighbours write beside them, and of Greek, as English maps spell them. */
const LETTERS: Record<string, string> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'e', ж: 'zh', з: 'z', и: 'i', й: 'y', к: 'k', л: 'l' },
  ...{ м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh' },
  ...{ щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya' },
  ...{ і: 'i', ї: 'i', є: 'ie', ґ: 'g', ў: 'u' },
  ...{ ј: 'j', љ: 'lj', њ: 'nj', џ: 'dz', ђ: 'd', ћ: 'c', ѓ: 'gj', ќ: 'kj', ѕ: 'dz' },
  ...{ ә: 'a', ғ: 'g', қ: 'k', ң: 'n', ө: 'o', ұ: 'u', ү: 'u', һ: 'h' },
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n' },
  ...{ ξ: 'x', ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
}
/** The same where another language than Russian is written: Микола, Охрид. */
const UKRAINIAN: Record<string, string> = { и: 'y', г: 'h' }
const OF_THE_SOUTH: Record<string, string> = { х: 'h', ж: 'z', ц: 'c', ч: 'c', ш: 's', щ: 'sht', ъ: 'a' }
const OTHER_LANGUAGE = [{}, UKRAINIAN, OF_THE_SOUTH] as const

const ELSEWHERE = /[\u0370-\u03ff\u0400-\u04ff]/

/**
 * A name in Cyrillic or Greek letters in those of the data, for airports that have no other name there: in Russian,
 * Ukrainian, and the languages of the Balkans. Nothing for a text in other letters.
 */
export function romanised(text: string): string[] {
  if (!ELSEWHERE.test(text)) return []
  const lower = text.normalize('NFC').toLowerCase()
  const plain = lower
    .replace(/[ыи]й(?!\p{L})/gu, 'ы')
    .normalize('NFD')
    .replace(/и\u0306/g, 'й')
    .replace(/і\u0308/g, 'ї')
    .replace(/ο\u0301?υ\u0301?/g, 'ou')
    .replace(/\p{M}/gu, '')
  const spelled = OTHER_LANGUAGE.map((letters: Record<string, string>) =>
    plain.replace(/\p{L}/gu, (letter) => letters[letter] ?? LETTERS[letter] ?? letter),
  )
  return [...new Set(spelled)]
}
