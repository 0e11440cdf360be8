import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isDrawable } from '../../../../src/http/pages/maps/picture-texts.ts'
import { catalogues } from '../../../../src/http/pages/texts/languages.ts'
import { languages } from '../../../../src/lib/languages.ts'
import { packageRoot } from '../../../../src/lib/package-root.ts'

/** The code points of a TrueType font, from the parts of its table `cmap` with format 12 or 4. */
function codePointsOf(file: string): Set<number> {
  const font = readFileSync(file)
  const found = new Set<number>()
  const add = (first: number, last: number) => {
    for (let point = first; point <= last; point++) found.add(point)
  }
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index)
  const cmap = font.readUInt32BE(tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')! + 8)
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index++) {
    const part = cmap + font.readUInt32BE(cmap + 4 + 8 * index + 4)
    if (font.readUInt16BE(part) === 12) {
      for (let group = 0; group < font.readUInt32BE(part + 12); group++) {
        add(font.readUInt32BE(part + 16 + 12 * group), font.readUInt32BE(part + 20 + 12 * group))
      }
    } else if (font.readUInt16BE(part) === 4) {
      const segments = font.readUInt16BE(part + 6) / 2
      for (let segment = 0; segment < segments; segment++) {
        const last = font.readUInt16BE(part + 14 + 2 * segment)
        if (last !== 0xffff) add(font.readUInt16BE(part + 16 + 2 * segments + 2 * segment), last)
      }
    }
  }
  return found
}

const leaves = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves)

describe('texts of pictures', () => {
  test.each(['Inter-Medium.ttf', 'Inter-SemiBold.ttf'])('have only letters of %s', (name) => {
    const known = codePointsOf(join(packageRoot, 'dist/fonts', name))
    const missing = []
    for (let point = 0; point < 0x10000; point++) {
      const letter = String.fromCodePoint(point)
      if (isDrawable(letter) && /\p{Assigned}/u.test(letter) && !known.has(point)) missing.push(point.toString(16))
    }
    expect(missing).toEqual([])
    expect(['東京', 'Ελλάδα', 'Київ', 'Łódź – Ærø', 'ﷺ', '😀'].map(isDrawable)).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test.each(languages.filter((language) => language !== 'ja'))('can be drawn in the language %s', (language) => {
    const { figures, formats, year, shares } = catalogues[language]
    const months = (['short', 'long'] as const).flatMap((month) => {
      const { format } = new Intl.DateTimeFormat(language, { month })
      return Array.from({ length: 12 }, (_, index) => format(new Date(2000, index)))
    })
    const numbers = [1234567, -1.5].map((value) => value.toLocaleString(language))
    const texts = [...leaves([figures, formats, year, shares.page]), ...months, ...numbers]
    expect(texts.filter((text) => !isDrawable(text))).toEqual([])
  })
})
