import { en } from './en/index.ts'
import { compile, type Texts, type Translation } from './message.ts'

type Source = typeof en
export type PageTexts = Texts<Source>

/** A new language is one folder and one line. */
const catalogues = { en } satisfies Record<string, Translation<Source>>

export type Language = keyof typeof catalogues
const languages = Object.keys(catalogues) as Language[]

const compiled = new Map<Language, PageTexts>()

export function textsIn(language: Language): PageTexts {
  const known = compiled.get(language)
  if (known) return known
  const texts = compile<Source>(language, catalogues[language])
  compiled.set(language, texts)
  return texts
}

/** For scripts, which compile or fill messages themselves. */
export const scriptTextsIn = (language: Language): Translation<Source>['scripts'] => catalogues[language].scripts

/** The first accepted language that has a catalogue, by quality and then by order. */
export function acceptedLanguage(acceptLanguage = ''): Language {
  const ranges = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((each) => each.startsWith('q='))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  for (const { tag } of ranges) {
    const found = languages.find((language) => tag === language || tag.startsWith(`${language}-`))
    if (found) return found
  }
  return 'en'
}
